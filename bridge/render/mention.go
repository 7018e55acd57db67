package render

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds, in bytes, how long a name the resolver is asked for.
const maxName = 256

// finish resolves names and returns the runs.
func (b *inlineBuilder) finish(resolve Resolver) []Inline {
	if resolve == nil || !b.hasSign() {
		return b.list
	}
	out := make([]Inline, 0, len(b.list))
	before := rune(' ')
	for i, in := range b.list {
		after := rune(' ')
		if i+1 < len(b.list) {
			after, _ = utf8.DecodeRuneInString(b.list[i+1].Text)
		}
		if in.Kind == Text && in.Link == "" && !b.fixed[i] {
			out = splitNames(out, in, b.escaped[i], before, after, resolve)
		} else {
			out = append(out, in)
		}
		before, _ = utf8.DecodeLastRuneInString(in.Text)
	}
	return out
}

func (b *inlineBuilder) hasSign() bool {
	for _, in := range b.list {
		if strings.ContainsAny(in.Text, "@#＠＃") {
			return true
		}
	}
	return false
}

// splitNames cuts a run of text at the names in it.
func splitNames(out []Inline, in Inline, escaped []int, before, after rune, resolve Resolver) []Inline {
	done := 0
	for at := 0; at < len(in.Text); {
		r, size := utf8.DecodeRuneInString(in.Text[at:])
		mention, end, ok := Mention{}, 0, false
		if sign := asciiSign(r); sign != 0 && mayStartName(before) && !contains(escaped, at) {
			mention, end, ok = nameAt(in.Text, at, size, sign, after, resolve)
		}
		if !ok {
			before, at = r, at+size
			continue
		}
		if at > done {
			out = append(out, Inline{Text: in.Text[done:at], Style: in.Style})
		}
		out = append(out, Inline{Kind: MentionSpan, Text: mention.Label, Style: in.Style, Mention: mention})
		before, _ = utf8.DecodeLastRuneInString(in.Text[at:end])
		at, done = end, end
	}
	if done < len(in.Text) {
		out = append(out, Inline{Text: in.Text[done:], Style: in.Style})
	}
	return out
}

// nameAt reads the name behind the sign at offset at and asks for it.
func nameAt(text string, at, size int, sign byte, after rune, resolve Resolver) (Mention, int, bool) {
	end := nameEnd(text, at+size)
	name := strings.TrimRight(text[at+size:end], ".-")
	if name == "" || len(name) > maxName || (end == len(text) && isNameRune(after)) {
		return Mention{}, 0, false
	}
	mention, ok := resolve(string(sign) + name)
	if !ok {
		return Mention{}, 0, false
	}
	end = at + size + len(name)
	if !hasVisible(mention.Label) {
		mention.Label = text[at:end]
	}
	return mention, end, true
}

func nameEnd(text string, from int) int {
	for i, r := range text[from:] {
		if !isNameRune(r) && r != '-' && r != '.' {
			return from + i
		}
	}
	return len(text)
}

func asciiSign(r rune) byte {
	switch r {
	case '@', '＠':
		return '@'
	case '#', '＃':
		return '#'
	}
	return 0
}

func isNameRune(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// mayStartName tells from the rune before a sign whether it can be an address. "kim@alice.example" and
// "https://x.test/@alice" are none; scripts that write no spaces may run up to the sign.
func mayStartName(before rune) bool {
	if unicode.In(before, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao) {
		return true
	}
	return !isNameRune(before) && !strings.ContainsRune(`.-+/@:\`, before)
}

// contains looks in a list in ascending order.
func contains(list []int, want int) bool {
	_, found := slices.BinarySearch(list, want)
	return found
}
