package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// converter turns the parser's tree into our blocks.
type converter struct {
	source []byte
	opts   Options
	used   map[string]bool // normalised labels that some link refers to and whose definition is to come
}

// usedReferences finds the labels of link definitions that do their work, and so need not be shown.
func usedReferences(root ast.Node) map[string]bool {
	used := map[string]bool{}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if n.Reference != nil {
				used[util.ToLinkReference(n.Reference.Value)] = true
			}
		case *ast.Image:
			if n.Reference != nil {
				used[util.ToLinkReference(n.Reference.Value)] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return used
}

// blocks converts the children of a container. Containers deeper than maxDepth give way to their
// contents. Within quotes no name is resolved.
func (c *converter) blocks(parent ast.Node, depth int, quoted bool) []Block {
	var out []Block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = c.block(out, n, depth, quoted)
	}
	return out
}

func (c *converter) block(out []Block, n ast.Node, depth int, quoted bool) []Block {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		if inlines := c.inlines(n, quoted); hasVisible(InlineText(inlines)) {
			out = append(out, &Paragraph{Inlines: inlines})
		}
	case *ast.Heading:
		if inlines := oneLine(c.inlines(n, quoted)); hasVisible(InlineText(inlines)) {
			out = append(out, &Heading{Level: n.Level, Inlines: inlines})
		}
	case *ast.ThematicBreak:
		out = append(out, &Rule{})
	case *ast.CodeBlock:
		out = appendCode(out, "", lines(n.Lines(), c.source))
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Segment.Value(c.source))
		}
		out = appendCode(out, info, lines(n.Lines(), c.source))
	case *ast.HTMLBlock:
		text := lines(n.Lines(), c.source)
		if n.HasClosure() {
			text += string(n.ClosureLine.Value(c.source))
		}
		if text = strings.Trim(text, "\n"); hasVisible(text) {
			out = append(out, &Raw{Text: text})
		}
	case *ast.LinkReferenceDefinition:
		label := util.ToLinkReference(n.Label)
		if c.used[label] {
			c.used[label] = false // a second definition of the same label does nothing, so it is text
		} else {
			out = append(out, &Raw{Text: strings.Trim(lines(n.Lines(), c.source), "\n")})
		}
	case *extast.Table:
		out = append(out, c.table(n, quoted))
	case *ast.Blockquote:
		out = c.quote(out, n, depth)
	case *ast.List:
		out = c.list(out, n, depth, quoted)
	default:
		out = append(out, c.blocks(n, depth, quoted)...)
	}
	return out
}

func (c *converter) quote(out []Block, n *ast.Blockquote, depth int) []Block {
	if depth >= maxDepth {
		return append(out, c.blocks(n, depth, true)...)
	}
	if inner := c.blocks(n, depth+1, true); !blank(inner) {
		out = append(out, &Quote{Blocks: inner})
	}
	return out
}

func (c *converter) list(out []Block, n *ast.List, depth int, quoted bool) []Block {
	if depth >= maxDepth {
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			out = append(out, c.blocks(item, depth, quoted)...)
		}
		return out
	}
	list := &List{Ordered: n.IsOrdered(), Start: n.Start}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		list.Items = append(list.Items, Item{
			Task:   taskState(item),
			Blocks: c.blocks(item, depth+1, quoted),
		})
	}
	return append(out, list)
}

func taskState(item ast.Node) Task {
	if item.FirstChild() == nil {
		return NoTask
	}
	box, ok := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	switch {
	case !ok:
		return NoTask
	case box.IsChecked:
		return TaskDone
	}
	return TaskOpen
}

func (c *converter) table(n *extast.Table, quoted bool) *Table {
	table := &Table{Align: make([]Align, len(n.Alignments))}
	for i, a := range n.Alignments {
		switch a {
		case extast.AlignLeft:
			table.Align[i] = AlignLeft
		case extast.AlignCenter:
			table.Align[i] = AlignCenter
		case extast.AlignRight:
			table.Align[i] = AlignRight
		}
	}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([]Cell, 0, len(table.Align))
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, Cell(oneLine(c.inlines(cell, quoted))))
		}
		if _, ok := row.(*extast.TableHeader); ok {
			table.Header = cells
		} else {
			table.Rows = append(table.Rows, cells)
		}
	}
	return table
}

// appendCode adds a code block unless there is nothing in it. What stands behind the fence is kept as
// the info if it is short and looks like one, and is otherwise the first line of the code.
func appendCode(out []Block, info, text string) []Block {
	text = strings.TrimSuffix(text, "\n")
	info = strings.TrimSpace(info)
	if !isInfo(info) {
		text = strings.TrimSuffix(info+"\n"+text, "\n")
		info = ""
	}
	if !hasVisible(text) {
		return out
	}
	return append(out, &Code{Info: info, Text: text})
}

// isInfo tells attributes ("python", `go title="x.go"`, "{.r}") from words that slipped behind a fence.
func isInfo(info string) bool {
	if len(info) > maxInfo || strings.ContainsFunc(info, func(r rune) bool { return !isVisible(r) && r != ' ' }) {
		return false
	}
	return !strings.Contains(info, " ") || strings.ContainsAny(info, "={")
}

func lines(segments *gmtext.Segments, source []byte) string {
	var b strings.Builder
	for i := range segments.Len() {
		segment := segments.At(i)
		b.Write(segment.Value(source))
	}
	return b.String()
}

// oneLine replaces breaks by spaces.
func oneLine(inlines []Inline) []Inline {
	for i := range inlines {
		if inlines[i].Kind == Break {
			inlines[i].Kind, inlines[i].Text = Text, " "
		}
	}
	return inlines
}
