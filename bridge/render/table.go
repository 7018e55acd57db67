package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

// tableTransformer recognises GFM tables. It differs from the library's in two ways: what stands beyond
// the last column stays in the last cell, where GFM drops it, and a table too large to fill up stays text.
type tableTransformer struct{}

var _ parser.ParagraphTransformer = tableTransformer{}

// Transform implements [parser.ParagraphTransformer].
func (tableTransformer) Transform(node *ast.Paragraph, reader gmtext.Reader, _ parser.Context) {
	source, lines := reader.Source(), node.Lines()
	for i := 1; i < lines.Len(); i++ {
		delimiter := lines.At(i)
		align := delimiterRow(delimiter.Value(source))
		if align == nil {
			continue
		}
		header := splitRow(lines.At(i-1), source, len(align)+1)
		rows := lines.Len() - i
		if len(header) != len(align) || len(align) > maxColumns || rows*len(align) > maxCells {
			return
		}
		table := extast.NewTable()
		table.Alignments = align
		table.AppendChild(table, extast.NewTableHeader(newRow(header, align, source)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, newRow(splitRow(lines.At(j), source, len(align)), align, source))
		}
		parent := node.Parent()
		parent.InsertAfter(parent, node, table)
		leaveAbove(node, i-1, source)
		return
	}
}

// leaveAbove keeps the first n lines as a paragraph, or removes it if there are none.
func leaveAbove(node *ast.Paragraph, n int, source []byte) {
	if n == 0 {
		node.Parent().RemoveChild(node.Parent(), node)
		return
	}
	node.Lines().SetSliced(0, n)
	last := node.Lines().At(n - 1)
	node.Lines().Set(n-1, last.TrimRightSpace(source))
}

// delimiterRow reads "|---|:--:|" and returns the alignments, or nil if the line is none.
func delimiterRow(line []byte) []extast.Alignment {
	line = bytes.TrimSpace(line)
	if !bytes.ContainsRune(line, '-') || len(bytes.Trim(line, "|-: \t")) > 0 {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	var align []extast.Alignment
	for column := range bytes.SplitSeq(line, []byte("|")) {
		column = bytes.TrimSpace(column)
		left, right := bytes.HasPrefix(column, []byte(":")), bytes.HasSuffix(column, []byte(":"))
		if dashes := bytes.Trim(column, ":"); len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		switch {
		case left && right:
			align = append(align, extast.AlignCenter)
		case left:
			align = append(align, extast.AlignLeft)
		case right:
			align = append(align, extast.AlignRight)
		default:
			align = append(align, extast.AlignNone)
		}
	}
	return align
}

// splitRow cuts a line at its bars into at most limit cells.
func splitRow(line gmtext.Segment, source []byte, limit int) []gmtext.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	start, stop := line.Start, line.Stop
	if start < stop && source[start] == '|' {
		start++
	}
	if start < stop && source[stop-1] == '|' && (stop-1 == start || source[stop-2] != '\\') {
		stop--
	}
	var cells []gmtext.Segment
	from := start
	for i := start; i < stop && len(cells) < limit-1; i++ {
		if source[i] == '|' && (i == start || source[i-1] != '\\') {
			cells = append(cells, gmtext.NewSegment(from, i))
			from = i + 1
		}
	}
	return append(cells, gmtext.NewSegment(from, stop))
}

// newRow builds a row, filled up to the number of columns.
func newRow(cells []gmtext.Segment, align []extast.Alignment, source []byte) *extast.TableRow {
	row := extast.NewTableRow(align)
	for i, a := range align {
		cell := extast.NewTableCell()
		cell.Alignment = a
		if i < len(cells) {
			text := cells[i].TrimLeftSpace(source)
			cell.Lines().Append(text.TrimRightSpace(source))
		}
		row.AppendChild(row, cell)
	}
	return row
}
