package file

import (
	"sort"
	"strconv"
	"strings"
)

// manyOccurrences is where counting places that are too many ends.
const manyOccurrences = 100

// occurrences returns where old occurs in text: for all, those that do not
// overlap; else overlapping ones too, as "aa" is not unique in "aaa", and of
// those no more than manyOccurrences.
func (c change) occurrences(text string) []int {
	step := 1
	if c.all {
		step = len(c.old)
	}
	var at []int
	for from := 0; c.all || len(at) < manyOccurrences; {
		i := strings.Index(text[from:], c.old)
		if i < 0 {
			break
		}
		at = append(at, from+i)
		from += i + step
	}
	return at
}

// mapper maps positions in flat, in ascending order, to those in text, of which
// flat is a copy with LF for CRLF.
type mapper struct {
	text, flat string
	at, off    int
}

func (m *mapper) to(pos int) int {
	if len(m.text) == len(m.flat) {
		return pos
	}
	for m.at < pos {
		if m.flat[m.at] == '\n' && m.text[m.at+m.off] == '\r' {
			m.off++
		}
		m.at++
	}
	return pos + m.off
}

// linesAt returns the line, from 1, of each position, which ascend.
func linesAt(text string, positions []int) []int {
	lines := make([]int, 0, len(positions))
	line, done := 1, 0
	for _, at := range positions {
		line += strings.Count(text[done:at], "\n")
		done = at
		lines = append(lines, line)
	}
	return lines
}

// lineNumbers names lines, at most ten of them.
func lineNumbers(lines []int) string {
	const most = 10
	names := make([]string, 0, most)
	for _, n := range lines[:min(len(lines), most)] {
		names = append(names, strconv.Itoa(n))
	}
	if len(lines) > most {
		return "lines " + strings.Join(names, ", ") + " and more"
	}
	if len(lines) == 1 {
		return "line " + names[0]
	}
	return "lines " + listed(names)
}

// missing explains that old is not in the text and names the line that is
// nearest to its first line with words.
func (c change) missing(text string) error {
	where := "use read to see what is there"
	want := ""
	for l := range strings.Lines(c.old) {
		if want = strings.TrimSpace(l); want != "" {
			break
		}
	}
	if n, l, same := nearest(text, want); n > 0 {
		where = "the nearest is line " + strconv.Itoa(n) + ": " + strconv.Quote(clip(l, 200))
		if same {
			where += ", which begins like old, so look for differences in white space or in the lines after it"
		}
		where += "; copy old from what read shows"
	}
	return faultf("old occurs 0 times in %s; %s", c.path, where)
}

// nearest finds the line of text most like want, or 0. same says that only the
// white space around it differs, if that.
func nearest(text, want string) (n int, found string, same bool) {
	const (
		lines = 20_000 // looked at
		width = 300    // of a line looked at, in bytes
		alike = 0.6    // least share of pairs of bytes in common
	)
	if len(want) < 2 {
		return 0, "", false
	}
	pairs := bigrams(want[:min(len(want), width)])
	best, i := alike, 0
	for l := range strings.Lines(text) {
		if i++; i > lines {
			break
		}
		trimmed := strings.TrimSpace(l)
		if trimmed == want {
			return i, strings.TrimRight(l, "\r\n"), true
		}
		if score := likeness(pairs, bigrams(trimmed[:min(len(trimmed), width)])); score > best {
			best, n, found = score, i, strings.TrimRight(l, "\r\n")
		}
	}
	return n, found, false
}

// bigrams returns the pairs of neighbouring bytes of s, sorted.
func bigrams(s string) []uint16 {
	if len(s) < 2 {
		return nil
	}
	out := make([]uint16, 0, len(s)-1)
	for i := range len(s) - 1 {
		out = append(out, uint16(s[i])<<8|uint16(s[i+1]))
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// likeness is Dice's coefficient of two sorted lists: 1 if they are the same,
// 0 if they have nothing in common.
func likeness(a, b []uint16) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}
