package inplace

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// bare are the texts that need no quotes in any place: a letter, then letters,
// digits and a few signs that mean nothing to YAML.
var bare = regexp.MustCompile(`^[\p{L}_/~.][\p{L}\p{M}\p{N}_./@+=;()!?%~-]*( [\p{L}\p{M}\p{N}_./@+=;()!?%~-]+)*$`)

// worded are the texts that some reader of YAML takes for something else.
var worded = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null|~|\.inf|\.nan|<<|=)$`)

// scalarText writes one value on one line, in quotes where it needs them or the
// style asks for them.
func scalarText(n *Node, style yaml.Style) string {
	switch {
	case n.Kind == Null:
		return "null"
	case n.plain:
		return n.Text
	case style&yaml.DoubleQuotedStyle != 0:
		return double(n.Text)
	case style&yaml.SingleQuotedStyle != 0 && printable(n.Text):
		return "'" + strings.ReplaceAll(n.Text, "'", "''") + "'"
	case style == 0 && safe(n.Text):
		return n.Text
	}
	return double(n.Text)
}

// safe reports whether a text is itself without quotes.
func safe(text string) bool {
	if !bare.MatchString(text) || worded.MatchString(text) {
		return false
	}
	var y yaml.Node
	if err := yaml.Unmarshal([]byte("["+text+"]"), &y); err != nil || len(y.Content) != 1 || len(y.Content[0].Content) != 1 {
		return false
	}
	n := y.Content[0].Content[0]
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && n.Value == text
}

// printable reports whether a text can stand in single quotes on one line.
func printable(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// double writes a text in double quotes.
func double(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// flow writes a value on one line.
func flow(n *Node) string {
	var parts []string
	switch n.Kind {
	case List:
		for _, item := range n.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Block:
		for _, e := range n.Entries {
			parts = append(parts, keyText(e.Key, 0)+": "+flow(e.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return scalarText(n, 0)
}

// keyText writes a key.
func keyText(key string, style yaml.Style) string {
	return scalarText(&Node{Kind: Scalar, Text: key}, style)
}

// literal writes a text of several lines behind |, each line with indent before
// it. It is false where the text has to be quoted, and where eol is empty: in a
// text that does not end in a line break, the last line of this might lose its own.
func literal(text, indent, eol string) (string, bool) {
	if eol == "" {
		return "", false
	}
	body, chomp := strings.CutSuffix(text, "\n")
	head := "|"
	if !chomp {
		head = "|-"
	}
	if !strings.Contains(body, "\n") && !chomp || body == "" || strings.HasSuffix(body, "\n") {
		return "", false
	}
	lines := strings.Split(body, "\n")
	if strings.HasPrefix(lines[0], " ") || lines[0] == "" {
		return "", false
	}
	for _, line := range lines {
		if strings.TrimRight(line, " \t") != line || strings.HasPrefix(line, "\t") || !printable(strings.ReplaceAll(line, "\t", " ")) {
			return "", false
		}
	}
	var b strings.Builder
	b.WriteString(head)
	for _, line := range lines {
		b.WriteString(eol)
		if line != "" {
			b.WriteString(indent + line)
		}
	}
	return b.String(), true
}

// under writes a value behind its key in a block of the given indentation:
// " value", or lines of its own.
func (d *Document) under(n *Node, indent string) string {
	if n.Kind == Scalar && !n.plain {
		if text, ok := literal(n.Text, indent+d.step, d.literalEOL()); ok {
			return " " + text
		}
	}
	if n.Kind != Block || len(n.Entries) == 0 {
		if n.Kind == Null {
			return ""
		}
		return " " + flow(n)
	}
	var b strings.Builder
	for _, e := range n.Entries {
		b.WriteString(d.eol + indent + d.step + keyText(e.Key, 0) + ":" + d.under(e.Value, indent+d.step))
	}
	return b.String()
}

// literalEOL is the line end for [literal].
func (d *Document) literalEOL() string {
	if bytes.HasSuffix(d.text, []byte("\n")) {
		return d.eol
	}
	return ""
}
