package render

import (
	"strings"

	"github.com/rivo/uniseg"
)

// maxPadding is the widest a column of [Grid] is filled up to, in columns of a terminal. Wider cells
// stand out; without this bound one long cell would multiply the length of the whole table.
const maxPadding = 40

// Grid writes a table as lines of aligned columns, with bars between them and a line under the header.
// cell gives a cell's text, which should be one line. The result ends with a line end.
func Grid(t *Table, cell func(Cell) string) string {
	rows := make([][]string, 0, len(t.Rows)+1)
	widths := make([]int, len(t.Align))
	for _, row := range append([][]Cell{t.Header}, t.Rows...) {
		texts := make([]string, len(t.Align))
		for i := range min(len(row), len(texts)) {
			texts[i] = strings.TrimSpace(cell(row[i]))
			widths[i] = max(widths[i], min(uniseg.StringWidth(texts[i]), maxPadding))
		}
		rows = append(rows, texts)
	}
	var b strings.Builder
	for n, row := range rows {
		var line strings.Builder
		for i, text := range row {
			if i > 0 {
				line.WriteString(" | ")
			}
			line.WriteString(pad(text, widths[i], t.Align[i]))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if n == 0 {
			b.WriteString(underline(widths))
		}
	}
	return b.String()
}

func underline(widths []int) string {
	parts := make([]string, len(widths))
	for i, width := range widths {
		parts[i] = strings.Repeat("-", max(width, 1))
	}
	return strings.Join(parts, "-+-") + "\n"
}

func pad(text string, width int, align Align) string {
	missing := max(width-uniseg.StringWidth(text), 0)
	left := 0
	switch align {
	case AlignRight:
		left = missing
	case AlignCenter:
		left = missing / 2
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", missing-left)
}
