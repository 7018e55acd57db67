package render

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Runes counts code points.
func Runes(text string) int { return runeCount(text) }

// UTF16 counts UTF-16 code units, as JavaScript and Telegram do.
func UTF16(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Bytes counts bytes of UTF-8.
func Bytes(text string) int { return len(text) }

const ellipsis = "…"

// Truncate shortens text to limit, as counted by the unit, for a preview or a title. What is cut ends
// with "…", which counts; the cut is at a word if one is near, and never inside a grapheme. A limit with
// no room for that gives as many graphemes as fit.
func Truncate(text string, limit int, unit func(string) int) string {
	text = strings.ToValidUTF8(text, replacement)
	if unit(text) <= limit {
		return text
	}
	mark := ellipsis
	if unit(mark) > limit {
		mark = ""
	}
	room := limit - unit(mark)
	used, pos, state := 0, 0, -1
	word := 0 // the last place between words that fits
	for left := text; left != ""; {
		var cluster string
		var bounds int
		cluster, left, bounds, state = uniseg.StepString(left, state)
		used += unit(cluster)
		if used > room {
			break
		}
		pos += len(cluster)
		if bounds&uniseg.MaskLine != uniseg.LineDontBreak {
			word = pos
		}
	}
	if 3*word >= 2*pos {
		pos = word
	}
	kept := strings.TrimRight(text[:pos], " \t\n")
	if kept == "" && mark == "" {
		return text[:pos]
	}
	return kept + mark
}
