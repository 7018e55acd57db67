package inplace

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// odd is a place of the text that is not written as this package expects. What
// was to be changed there is refused.
type odd struct {
	line int
	why  string
}

func (e *odd) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.why) }

func oddAt(y *yaml.Node, why string) error { return &odd{y.Line, why} }

// offset is where the parser says that a node begins, in bytes.
func (d *Document) offset(y *yaml.Node) (int, error) {
	if y.Line < 1 || y.Line > len(d.lines) {
		return 0, oddAt(y, "this place cannot be found")
	}
	at := d.lines[y.Line-1]
	for range y.Column - 1 {
		if at >= len(d.text) {
			return 0, oddAt(y, "this place cannot be found")
		}
		_, size := utf8.DecodeRune(d.text[at:])
		at += size
	}
	return at, nil
}

// lineStart and lineEnd are the bounds of the line around an offset; the line
// break is not in them.
func (d *Document) lineStart(at int) int { return bytes.LastIndexByte(d.text[:at], '\n') + 1 }

func (d *Document) lineEnd(at int) int {
	i := bytes.IndexByte(d.text[at:], '\n')
	if i < 0 {
		return len(d.text)
	}
	if at += i; at > 0 && d.text[at-1] == '\r' && i > 0 {
		at--
	}
	return at
}

// nextLine is where the line after the one around an offset begins.
func (d *Document) nextLine(at int) int {
	if i := bytes.IndexByte(d.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.text)
}

// is reports whether a byte stands at an offset.
func (d *Document) is(at int, any string) bool {
	return at < len(d.text) && bytes.IndexByte([]byte(any), d.text[at]) >= 0
}

// skip goes over white space, comments, and the given bytes.
func (d *Document) skip(at int, also string) int {
	for at < len(d.text) {
		switch {
		case d.is(at, " \t\r\n") || d.is(at, also):
			at++
		case d.text[at] == '#' && (at == 0 || d.is(at-1, " \t\r\n")):
			at = d.lineEnd(at)
		default:
			return at
		}
	}
	return at
}

// spaces goes over spaces and tabs.
func (d *Document) spaces(at int) int {
	for d.is(at, " \t") {
		at++
	}
	return at
}

// begin finds where a node begins: past its properties (an anchor, a tag), and
// where those end. The two are the same where there are none.
func (d *Document) begin(y *yaml.Node) (content, properties int, err error) {
	at, err := d.offset(y)
	if err != nil {
		return 0, 0, err
	}
	content, properties = at, at
	for y.Kind != yaml.AliasNode && d.is(content, "&!") {
		for properties = content; properties < len(d.text) && !d.is(properties, " \t\r\n,[]{}"); {
			properties++
		}
		content = d.skip(properties, "")
	}
	return content, properties, nil
}

// isFlow reports whether a collection is in brackets or braces.
func (d *Document) isFlow(content int) bool { return d.is(content, "{[") }

// nothing reports whether a node is a value of which nothing is written.
func nothing(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0
}

// end is where a node that is written ends. indent is the indentation of the
// block around it, -1 for none.
func (d *Document) end(y *yaml.Node, indent int) (int, error) {
	content, properties, err := d.begin(y)
	if err != nil {
		return 0, err
	}
	switch y.Kind {
	case yaml.AliasNode:
		return content + 1 + len(y.Value), nil
	case yaml.MappingNode, yaml.SequenceNode:
		if d.isFlow(content) {
			return d.flowEnd(y, content)
		}
		return d.lastEnd(y, content)
	case yaml.ScalarNode:
		switch {
		case nothing(y):
			return properties, nil
		case y.Style&yaml.DoubleQuotedStyle != 0:
			return d.quoted(y, content, '"')
		case y.Style&yaml.SingleQuotedStyle != 0:
			return d.quoted(y, content, '\'')
		case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
			return d.blockScalar(y, content, indent)
		}
		return d.plainEnd(y, content)
	}
	return 0, oddAt(y, "this cannot be changed in place")
}

// lastEnd is where the last child of a collection ends, or from if it has none.
func (d *Document) lastEnd(y *yaml.Node, from int) (int, error) {
	if len(y.Content) == 0 {
		return from, nil
	}
	last := y.Content[len(y.Content)-1]
	if y.Kind == yaml.MappingNode {
		e, err := d.entry(y.Content[len(y.Content)-2], last)
		return e.end, err
	}
	if nothing(last) && last.Anchor == "" && last.Style&yaml.TaggedStyle == 0 {
		return d.offset(last)
	}
	return d.end(last, y.Column-1)
}

// flowEnd is where a collection in brackets ends. Behind its last child stand
// only white space, comments and commas.
func (d *Document) flowEnd(y *yaml.Node, content int) (int, error) {
	at, err := d.lastEnd(y, content+1)
	if err != nil {
		return 0, err
	}
	closing := "}"
	if d.text[content] == '[' {
		closing = "]"
	}
	if at = d.skip(at, ","); !d.is(at, closing) {
		return 0, oddAt(y, "the end of what begins here cannot be found")
	}
	return at + 1, nil
}

// quoted is where a text in quotes ends.
func (d *Document) quoted(y *yaml.Node, at int, quote byte) (int, error) {
	if !d.is(at, string(quote)) {
		return 0, oddAt(y, "the quote cannot be found")
	}
	for at++; at < len(d.text); at++ {
		switch {
		case d.text[at] == '\\' && quote == '"':
			at++
		case d.text[at] != quote:
		case quote == '\'' && d.is(at+1, "'"):
			at++
		default:
			return at + 1, nil
		}
	}
	return 0, oddAt(y, "the quote is not closed")
}

// plainEnd is where a text without quotes ends. Such a text has no escapes, so
// its words stand there as they are, between any white space.
func (d *Document) plainEnd(y *yaml.Node, at int) (int, error) {
	for i, word := range bytes.Fields([]byte(y.Value)) {
		if i > 0 {
			for d.is(at, " \t\r\n") {
				at++
			}
		}
		if !bytes.HasPrefix(d.text[at:], word) {
			return 0, oddAt(y, "the end of this text cannot be found")
		}
		at += len(word)
	}
	return at, nil
}

// blockScalar is where the last line of a text behind | or > ends. Empty lines
// behind it belong to it only if it keeps them (+).
func (d *Document) blockScalar(y *yaml.Node, at, indent int) (int, error) {
	if !d.is(at, "|>") {
		return 0, oddAt(y, "the beginning of this text cannot be found")
	}
	end := d.lineEnd(at)
	keep, own := false, 0 // own is its indentation, 0 if not known yet
	for i := at + 1; d.is(i, "+-123456789"); i++ {
		switch c := d.text[i]; {
		case c == '+':
			keep = true
		case c != '-':
			own = max(indent, 0) + int(c-'0')
		}
	}
	for next := d.nextLine(end); next > end && next < len(d.text); next = d.nextLine(next) {
		text := d.text[next:d.lineEnd(next)]
		in := len(text) - len(bytes.TrimLeft(text, " "))
		switch blank := in == len(text); {
		case blank && (own == 0 || in <= own):
			if keep {
				end = d.lineEnd(next)
			}
			continue
		case own == 0 && in <= indent, own > 0 && in < own:
			return end, nil
		case own == 0:
			own = in
		}
		end = d.lineEnd(next)
	}
	return end, nil
}

// written is where an entry of a mapping stands.
type written struct {
	key, keyEnd int
	colon       int // where its colon is; -1 if it has none
	value       int // where the value begins, with its properties; -1 if none is written
	end         int // of all of it
}

// entry finds where a key and its value stand.
func (d *Document) entry(key, value *yaml.Node) (written, error) {
	w := written{colon: -1, value: -1}
	var err error
	if w.key, _, err = d.begin(key); err != nil {
		return w, err
	}
	if w.keyEnd, err = d.end(key, key.Column-1); err != nil {
		return w, err
	}
	w.end = w.keyEnd
	if at := d.skip(w.keyEnd, ""); d.is(at, ":") {
		w.colon, w.end = at, at+1
	}
	if nothing(value) && value.Anchor == "" && value.Style&yaml.TaggedStyle == 0 {
		return w, nil
	}
	if w.colon < 0 {
		return w, oddAt(key, "the colon behind the key cannot be found")
	}
	if w.value, err = d.offset(value); err != nil {
		return w, err
	}
	w.end, err = d.end(value, key.Column-1)
	return w, err
}
