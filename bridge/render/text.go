package render

import (
	"strings"
	"unicode"
)

// Text is the document's plain text: what a reader reads, without markers, numbers and link targets.
// Blocks are separated by a line end, cells by a tab. The repeated header of a continued table is left out.
func (d *Document) Text() string {
	var b strings.Builder
	writeBlocksText(&b, d.Blocks)
	return b.String()
}

func writeBlocksText(b *strings.Builder, blocks []Block) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *List:
			for _, item := range block.Items {
				writeBlocksText(b, item.Blocks)
			}
		case *Quote:
			writeBlocksText(b, block.Blocks)
		default:
			if text := leafText(block); text != "" {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(text)
			}
		}
	}
}

// leafText is the plain text of a block that holds no other blocks.
func leafText(block Block) string {
	switch block := block.(type) {
	case *Paragraph:
		return InlineText(block.Inlines)
	case *Heading:
		return InlineText(block.Inlines)
	case *Code:
		return block.Text
	case *Raw:
		return block.Text
	case *Table:
		return tableText(block)
	}
	return ""
}

func tableText(t *Table) string {
	var lines []string
	if !t.Continued {
		lines = append(lines, rowText(t.Header))
	}
	for _, row := range t.Rows {
		lines = append(lines, rowText(row))
	}
	return strings.Join(lines, "\n")
}

func rowText(row []Cell) string {
	cells := make([]string, len(row))
	for i, cell := range row {
		cells[i] = InlineText(cell)
	}
	return strings.Join(cells, "\t")
}

// InlineText is the plain text of a run of inlines.
func InlineText(inlines []Inline) string {
	if len(inlines) == 1 {
		return inlines[0].Text
	}
	var b strings.Builder
	for _, in := range inlines {
		b.WriteString(in.Text)
	}
	return b.String()
}

// Visible is text without the characters that leave no mark: white space, control and format
// characters. It is what splitting keeps, whatever happens to white space at a cut.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !isVisible(r) {
			return -1
		}
		return r
	}, text)
}

func isVisible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
}

func hasVisible(text string) bool {
	return strings.ContainsFunc(text, isVisible)
}

// Empty reports whether a reader would see nothing of the document: no visible character and no rule.
func (d *Document) Empty() bool { return blank(d.Blocks) }

func blank(blocks []Block) bool {
	for _, block := range blocks {
		switch block := block.(type) {
		case *Rule:
			return false
		case *Quote:
			if !blank(block.Blocks) {
				return false
			}
		case *List:
			for _, item := range block.Items {
				if !blank(item.Blocks) {
					return false
				}
			}
		default:
			if hasVisible(leafText(block)) {
				return false
			}
		}
	}
	return true
}
