package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CommonMark reads "**" next to punctuation as a delimiter only at a blank. Scripts that write no blanks
// suffer: "**注意：**请看" stays as it is. cjkStrong reads such pairs as their writers meant them.
func (b *inlineBuilder) cjkStrong() {
	used := b.strongPairs()
	if len(used) == 0 {
		return
	}
	out := inlineBuilder{inCell: b.inCell}
	strong := false
	for i, in := range b.list {
		from := 0
		for len(used) > 0 && used[0].run == i {
			out.piece(b, i, from, used[0].at, strong)
			strong, from, used = !strong, used[0].at+2, used[1:]
		}
		out.piece(b, i, from, len(in.Text), strong)
	}
	*b = out
}

// piece adds a part of another builder's run.
func (b *inlineBuilder) piece(source *inlineBuilder, run, from, to int, strong bool) {
	in := source.list[run]
	in.Text = in.Text[from:to]
	if strong {
		in.Style |= Strong
	}
	var escaped []int
	for _, at := range source.escaped[run] {
		if at >= from && at < to {
			escaped = append(escaped, at-from)
		}
	}
	b.put(in, escaped, source.fixed[run])
}

// strongMark is a "**" that was left in the text.
type strongMark struct{ run, at int }

// strongPairs finds the marks that are delimiters, openings and closings in turn.
func (b *inlineBuilder) strongPairs() []strongMark {
	var used []strongMark
	var open *strongMark
	openCJK := false
	for i, in := range b.list {
		if in.Kind == Break {
			open = nil
		}
		if in.Kind != Text || in.Link != "" || in.Style&Strong != 0 || b.fixed[i] {
			continue
		}
		for at := strings.Index(in.Text, "**"); at >= 0; at = nextMark(in.Text, at) {
			before, after := b.around(i, at)
			if before == '*' || after == '*' || contains(b.escaped[i], at) || contains(b.escaped[i], at+1) {
				continue
			}
			cjk := isCJK(before) || isCJK(after)
			switch {
			case open != nil && !unicode.IsSpace(before) && (cjk || openCJK):
				used = append(used, *open, strongMark{i, at})
				open = nil
			case !unicode.IsSpace(after):
				open, openCJK = &strongMark{i, at}, cjk
			}
		}
	}
	return used
}

func nextMark(text string, at int) int {
	next := strings.Index(text[at+1:], "**")
	if next < 0 {
		return -1
	}
	return at + 1 + next
}

// around finds the runes before and after the mark at an offset of a run.
func (b *inlineBuilder) around(run, at int) (before, after rune) {
	before, after = ' ', ' '
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(b.list[run].Text[:at])
	} else if run > 0 {
		before, _ = utf8.DecodeLastRuneInString(b.list[run-1].Text)
	}
	if rest := b.list[run].Text[at+2:]; rest != "" {
		after, _ = utf8.DecodeRuneInString(rest)
	} else if run+1 < len(b.list) {
		after, _ = utf8.DecodeRuneInString(b.list[run+1].Text)
	}
	return before, after
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		(r >= 0x3000 && r <= 0x303F) || (r >= 0xFF00 && r <= 0xFFEF)
}
