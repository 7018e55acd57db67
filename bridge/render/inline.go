package render

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inlines converts the inline children of a leaf block.
func (c *converter) inlines(n ast.Node, quoted bool) []Inline {
	var b inlineBuilder
	_, b.inCell = n.(*extast.TableCell)
	c.walkInline(&b, n, 0, "")
	b.cjkStrong()
	mentions := c.opts.Mentions
	if quoted {
		mentions = nil
	}
	return b.finish(mentions)
}

func (c *converter) walkInline(b *inlineBuilder, parent ast.Node, style Style, link string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			c.text(b, n, style, link)
		case *ast.String:
			b.add(Inline{Text: string(n.Value), Style: style, Link: link})
		case *ast.CodeSpan:
			b.add(Inline{Kind: CodeSpan, Text: c.codeText(n, b.inCell), Style: style, Link: link})
		case *ast.Emphasis:
			add := Emphasis
			if n.Level >= 2 {
				add = Strong
			}
			c.walkInline(b, n, style|add, link)
		case *extast.Strikethrough:
			c.walkInline(b, n, style|Strike, link)
		case *ast.Link:
			c.link(b, n, n.Destination, style, link)
		case *ast.Image:
			c.link(b, n, n.Destination, style, link)
		case *ast.AutoLink:
			c.autoLink(b, n, style, link)
		case *ast.RawHTML:
			text := string(n.Segments.Value(c.source))
			for i, line := range strings.Split(text, "\n") {
				if i > 0 {
					b.add(Inline{Kind: Break, Style: style, Link: link})
				}
				b.addLiteral(Inline{Text: line, Style: style, Link: link})
			}
		case *extast.TaskCheckBox:
			// The state is the item's; see taskState.
		default:
			c.walkInline(b, n, style, link)
		}
	}
}

func (c *converter) text(b *inlineBuilder, n *ast.Text, style Style, link string) {
	value := n.Segment.Value(c.source)
	if n.IsRaw() {
		b.add(Inline{Text: string(value), Style: style, Link: link})
	} else {
		b.addEscaped(value, style, link)
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		b.add(Inline{Kind: Break, Style: style, Link: link})
	}
}

func (c *converter) codeText(n ast.Node, inCell bool) string {
	var text strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			text.Write(t.Segment.Value(c.source))
		}
	}
	code := strings.ReplaceAll(text.String(), "\n", " ")
	if inCell {
		// In a table even code has to escape the bar, and the escape is not part of the code.
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	return code
}

// link adds a link or picture. One that leads nowhere a platform would follow is spelled out.
func (c *converter) link(b *inlineBuilder, n ast.Node, destination []byte, style Style, outer string) {
	url := string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(destination))))
	if outer != "" {
		// A picture within a link: the outer link is what a click follows.
		c.walkInline(b, n, style, outer)
		return
	}
	var inner inlineBuilder
	inner.inCell = b.inCell
	if !isLink(url) {
		start := b.len()
		c.walkInline(b, n, style, "")
		if label := b.textFrom(start); url != "" && label != url {
			if hasVisible(label) {
				url = " (" + url + ")"
			}
			b.addLiteral(Inline{Text: url, Style: style})
		}
		return
	}
	c.walkInline(&inner, n, style, url)
	if !hasVisible(InlineText(inner.list)) {
		b.add(Inline{Text: url, Style: style, Link: url})
		return
	}
	for _, in := range inner.list {
		b.add(in)
	}
}

func (c *converter) autoLink(b *inlineBuilder, n *ast.AutoLink, style Style, outer string) {
	label := string(n.Label(c.source))
	url := string(n.URL(c.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower([]byte(url)), []byte("mailto:")) {
		url = "mailto:" + url
	}
	switch {
	case outer != "":
		b.add(Inline{Text: label, Style: style, Link: outer})
	case !isLink(url):
		// "<scheme:rest>" is somebody's notation, not a link: its angles are part of the text.
		b.addLiteral(Inline{Text: "<" + label + ">", Style: style})
	default:
		b.add(Inline{Text: label, Style: style, Link: url})
	}
}

// isLink reports whether url is an address that every platform may be given.
func isLink(url string) bool {
	if strings.ContainsFunc(url, func(r rune) bool { return !isVisible(r) }) {
		return false
	}
	scheme, rest, found := strings.Cut(url, ":")
	if !found || rest == "" {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
		return len(rest) > len("//") && strings.HasPrefix(rest, "//")
	case "mailto", "tel":
		return true
	}
	return false
}
