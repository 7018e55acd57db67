package render

import "strings"

// simplify gives up the form of what stands in the way at the leaf's beginning, and returns what takes
// the leaf's place.
func (l *leaf) simplify(bound int) []*leaf {
	switch block := l.block.(type) {
	case *Table:
		return l.rowsAsLines(block)
	case *Code:
		l.block = &Code{Text: block.Text}
	case *Heading:
		l.block = &Paragraph{Inlines: spellOut(block.Inlines, l.firstPiece(bound))}
	case *Paragraph:
		l.block = &Paragraph{Inlines: spellOut(block.Inlines, l.firstPiece(bound))}
	}
	l.refresh()
	return []*leaf{l}
}

// firstPiece is where the first cut is, or the end.
func (l *leaf) firstPiece(bound int) int {
	if cuts := l.cuts(bound); len(cuts) > 0 {
		return cuts[0].pos
	}
	return len(l.text)
}

func (l *leaf) refresh() {
	l.owned = false
	l.setText(leafText(l.block))
}

// spellOut makes plain text of the runs that begin before pos: a link becomes "label (address)".
func spellOut(inlines []Inline, pos int) []Inline {
	out := make([]Inline, 0, len(inlines)+1)
	at, label := 0, ""
	for i, in := range inlines {
		if at >= pos && label == "" {
			out = append(out, in)
			continue
		}
		at += len(in.Text)
		plain := Inline{Text: in.Text}
		if in.Kind == Break {
			plain.Kind = Break
		}
		out = append(out, plain)
		if in.Link == "" {
			continue
		}
		label += in.Text
		if i+1 < len(inlines) && inlines[i+1].Link == in.Link {
			continue
		}
		if address := strings.TrimPrefix(in.Link, "mailto:"); label != address && label != in.Link {
			out = append(out, Inline{Text: " (" + in.Link + ")"})
		}
		label = ""
	}
	return out
}

// rowsAsLines makes a paragraph of each row, a line of each cell.
func (l *leaf) rowsAsLines(t *Table) []*leaf {
	rows := t.Rows
	if !t.Continued {
		rows = append([][]Cell{t.Header}, rows...)
	}
	var out []*leaf
	for _, row := range rows {
		var inlines []Inline
		for _, cell := range row {
			if len(inlines) > 0 && len(cell) > 0 {
				inlines = append(inlines, Inline{Kind: Break, Text: "\n"})
			}
			inlines = append(inlines, cell...)
		}
		next := newLeaf(&Paragraph{Inlines: inlines}, l.path)
		next.fresh = len(l.path)
		if len(out) == 0 {
			next.fresh, next.cont = l.fresh, l.cont
		}
		out = append(out, next)
	}
	return out
}

// plain makes running text of the leaf.
func (l *leaf) plain() {
	switch l.block.(type) {
	case *Rule:
		return
	default:
		var b inlineBuilder
		b.literal(l.text)
		l.block = &Paragraph{Inlines: b.list}
	}
	l.refresh()
}
