package render

import (
	"strings"

	"github.com/yuin/goldmark/util"
)

// inlineBuilder collects runs, joining neighbours of the same look, and remembers which signs and marks
// were escaped and so are prose.
type inlineBuilder struct {
	list    []Inline
	escaped [][]int // per run, the byte offsets of escaped signs and asterisks
	fixed   []bool  // per run, that no name is looked for in it
	inCell  bool
}

func (b *inlineBuilder) len() int { return len(b.list) }

func (b *inlineBuilder) textFrom(start int) string {
	return InlineText(b.list[min(start, len(b.list)):])
}

func (b *inlineBuilder) add(in Inline) { b.put(in, nil, false) }

// addLiteral adds text in which no name is looked for.
func (b *inlineBuilder) addLiteral(in Inline) { b.put(in, nil, true) }

func (b *inlineBuilder) put(in Inline, escaped []int, fixed bool) {
	if in.Kind == Break {
		in.Text = "\n"
	}
	if in.Text == "" {
		return
	}
	if n := len(b.list); n > 0 && in.Kind == Text {
		last := &b.list[n-1]
		if last.Kind == Text && last.Style == in.Style && last.Link == in.Link && b.fixed[n-1] == fixed {
			for _, at := range escaped {
				b.escaped[n-1] = append(b.escaped[n-1], len(last.Text)+at)
			}
			last.Text += in.Text
			return
		}
	}
	b.list = append(b.list, in)
	b.escaped = append(b.escaped, escaped)
	b.fixed = append(b.fixed, fixed)
}

// addEscaped adds text in which a backslash makes the punctuation after it plain.
func (b *inlineBuilder) addEscaped(value []byte, style Style, link string) {
	var escaped []int
	text := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && util.IsPunct(value[i+1]) {
			i++
			if value[i] == '@' || value[i] == '#' || value[i] == '*' {
				escaped = append(escaped, len(text))
			}
		}
		text = append(text, value[i])
	}
	b.put(Inline{Text: string(text), Style: style, Link: link}, escaped, false)
}

// literal adds text as it is, line by line.
func (b *inlineBuilder) literal(text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.add(Inline{Kind: Break})
		}
		b.add(Inline{Text: line})
	}
}
