package format

import (
	"strings"

	"github.com/slack-go/slack"

	"bullpen/bridge/render"
)

// tableText is a table as aligned lines, for where there can be no table block.
func tableText(t *render.Table) string {
	return render.Grid(t, func(cell render.Cell) string {
		return render.InlineText(cell)
	})
}

// tableFits reports whether Slack takes the table as a block.
func tableFits(t *render.Table) bool {
	if len(t.Rows)+1 > MaxTableRows || len(t.Align) > MaxTableColumns || len(t.Align) == 0 {
		return false
	}
	size := 0
	for _, row := range append([][]render.Cell{t.Header}, t.Rows...) {
		if len(row) > len(t.Align) {
			return false
		}
		size += len(t.Align) // an empty cell holds a blank
		for _, cell := range row {
			size += render.UTF16(render.InlineText(cell))
		}
	}
	return size <= MaxTableText
}

// tableBlock writes every cell as rich text, the kind that Slack has always taken, and gives every
// column its alignment: settings without one have been refused.
func tableBlock(t *render.Table) *slack.TableBlock {
	block := slack.NewTableBlock("")
	for n, row := range append([][]render.Cell{t.Header}, t.Rows...) {
		cells := make([]slack.TableCell, len(t.Align))
		for i := range cells {
			var cell []render.Inline
			if i < len(row) {
				cell = row[i]
			}
			if n == 0 {
				cell = bold(cell)
			}
			cells[i] = tableCell(cell)
		}
		block.AddRow(cells...)
	}
	settings := make([]slack.ColumnSetting, len(t.Align))
	for i, a := range t.Align {
		settings[i] = slack.ColumnSetting{Align: columnAlign(a), IsWrapped: true}
	}
	return block.WithColumnSettings(settings...)
}

// tableCell never leaves a cell empty: Slack refuses the whole message for a text of no characters.
func tableCell(cell []render.Inline) *slack.TableRichTextCell {
	elements := richInlines(cell, 0)
	if strings.TrimSpace(render.InlineText(cell)) == "" {
		elements = []slack.RichTextSectionElement{slack.NewRichTextSectionTextElement(" ", nil)}
	}
	return slack.NewTableRichTextCell(slack.NewRichTextSection(elements...))
}

func columnAlign(a render.Align) slack.ColumnAlignment {
	switch a {
	case render.AlignCenter:
		return slack.ColumnAlignmentCenter
	case render.AlignRight:
		return slack.ColumnAlignmentRight
	}
	return slack.ColumnAlignmentLeft
}
