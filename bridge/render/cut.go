package render

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// class says how good a place to cut is; less is better.
type class uint8

const (
	atLine class = iota
	atSentence
	atWord
	atGrapheme
)

// cut is a place inside a leaf where it may be cut.
type cut struct {
	pos   int // bytes of the leaf's text, or rows of a table
	size  int // code points before it
	class class
}

// cuts are the places inside the leaf, first to last, not counting its ends, as far as bound code points.
func (l *leaf) cuts(bound int) []cut {
	if l.known == nil {
		l.known = l.findCuts(bound)
	}
	return l.known
}

func (l *leaf) findCuts(bound int) []cut {
	switch block := l.block.(type) {
	case *Table:
		return rowCuts(block, bound)
	case *Paragraph:
		return textCuts(l.text, atoms(block.Inlines), l.fine, bound)
	case *Heading:
		return textCuts(l.text, atoms(block.Inlines), l.fine, bound)
	case *Code, *Raw:
		return textCuts(l.text, nil, l.fine, bound)
	}
	return []cut{}
}

func rowCuts(t *Table, bound int) []cut {
	cuts, size := []cut{}, 0
	if !t.Continued {
		size = runeCount(rowText(t.Header))
	}
	for i := 1; i < len(t.Rows) && size <= bound; i++ {
		size += runeCount(rowText(t.Rows[i-1])) + 1
		cuts = append(cuts, cut{pos: i, size: size, class: atLine})
	}
	return cuts
}

// span is a range of bytes.
type span struct{ from, to int }

// atoms are the ranges that must stay in one piece: links and mentions.
func atoms(inlines []Inline) []span {
	var out []span
	at := 0
	for i, in := range inlines {
		end := at + len(in.Text)
		if in.Kind == MentionSpan || in.Link != "" {
			if n := len(out); in.Link != "" && i > 0 && inlines[i-1].Link == in.Link && n > 0 && out[n-1].to == at {
				out[n-1].to = end
			} else {
				out = append(out, span{at, end})
			}
		}
		at = end
	}
	return out
}

// textCuts finds the places to cut a text, none within the atoms. Fine ones are every code point.
func textCuts(text string, atoms []span, fine bool, bound int) []cut {
	cuts := make([]cut, 0, min(len(text), bound))
	state, pos, size := -1, 0, 0
	for left := text; left != "" && size <= bound; {
		var cluster string
		var bounds int
		cluster, left, bounds, state = uniseg.StepString(left, state)
		if fine {
			cuts, pos, size = pointCuts(cuts, cluster, pos, size)
		} else {
			pos, size = pos+len(cluster), size+runeCount(cluster)
		}
		for len(atoms) > 0 && atoms[0].to <= pos {
			atoms = atoms[1:]
		}
		if left == "" || (len(atoms) > 0 && atoms[0].from < pos) {
			continue
		}
		cuts = append(cuts, cut{pos: pos, size: size, class: classOf(cluster, bounds)})
	}
	return cuts
}

// pointCuts adds a cut after every code point of a cluster but the last, whose end is the cluster's.
func pointCuts(cuts []cut, cluster string, pos, size int) ([]cut, int, int) {
	for cluster != "" {
		_, n := utf8.DecodeRuneInString(cluster)
		cluster = cluster[n:]
		pos, size = pos+n, size+1
		if cluster != "" {
			cuts = append(cuts, cut{pos: pos, size: size, class: atGrapheme})
		}
	}
	return cuts, pos, size
}

func classOf(cluster string, bounds int) class {
	switch {
	case strings.HasSuffix(cluster, "\n"):
		return atLine
	case bounds&uniseg.MaskLine == uniseg.LineDontBreak:
		return atGrapheme
	case bounds&uniseg.MaskSentence != 0:
		return atSentence
	}
	return atWord
}
