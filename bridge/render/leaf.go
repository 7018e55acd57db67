package render

import (
	"slices"
	"strings"
)

// leaf is a block without blocks inside, with the containers it stands in: the splitter's view of a
// document is a flat list of them.
type leaf struct {
	path  []frame
	fresh int // from this depth on, the containers begin with this leaf
	block Block
	text  string // its plain text
	runes int    // code points of text
	owned bool   // the block's inlines are this leaf's own
	cont  bool   // the beginning is in an earlier part
	rung  int    // how much of its form it has given up; see splitter.yield
	fine  bool   // may be cut within graphemes
	known []cut  // its first cuts, once somebody asked
}

// frame is one container on the way to a leaf.
type frame struct {
	quote *Quote
	list  *List
	item  int
}

func flatten(doc *Document) []*leaf {
	var f flattener
	f.blocks(doc.Blocks, nil)
	return f.leaves
}

type flattener struct {
	leaves []*leaf
}

func (f *flattener) blocks(blocks []Block, path []frame) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *Quote:
			f.blocks(block.Blocks, extend(path, frame{quote: block}))
		case *List:
			for i, item := range block.Items {
				inner := extend(path, frame{list: block, item: i})
				if len(item.Blocks) == 0 {
					f.add(&Paragraph{}, inner)
				}
				f.blocks(item.Blocks, inner)
			}
		default:
			f.add(block, path)
		}
	}
}

func extend(path []frame, f frame) []frame { return append(path[:len(path):len(path)], f) }

func (f *flattener) add(block Block, path []frame) {
	l := newLeaf(block, path)
	if n := len(f.leaves); n > 0 {
		before := f.leaves[n-1].path
		for l.fresh < len(path) && l.fresh < len(before) && path[l.fresh] == before[l.fresh] {
			l.fresh++
		}
	}
	f.leaves = append(f.leaves, l)
}

func newLeaf(block Block, path []frame) *leaf {
	l := &leaf{path: path, block: block}
	l.setText(leafText(block))
	return l
}

func (l *leaf) setText(text string) {
	l.text, l.runes, l.known = text, runeCount(text), nil
}

// size is the leaf's length in code points, with one for its end.
func (l *leaf) size() int { return l.runes + 1 }

// blank reports whether the leaf shows nothing.
func (l *leaf) blank() bool {
	if _, ok := l.block.(*Rule); ok {
		return false
	}
	return !hasVisible(l.text)
}

// upTo is the leaf's beginning, to a cut.
func (l *leaf) upTo(pos int) *leaf {
	head := *l
	head.block = sliceBlock(l.block, pos)
	head.setText(leafText(head.block))
	return &head
}

// dropTo takes the beginning off. It costs what is dropped, not what is left, so that splitting a text
// takes time in proportion to its length.
func (l *leaf) dropTo(pos int) {
	l.cont, l.rung, l.fine, l.known = true, 0, false, nil
	switch block := l.block.(type) {
	case *Paragraph:
		l.block = &Paragraph{Inlines: l.dropInlines(block.Inlines, pos)}
	case *Heading:
		l.block = &Heading{Level: block.Level, Inlines: l.dropInlines(block.Inlines, pos)}
	case *Table:
		l.block = &Table{Align: block.Align, Header: block.Header, Rows: block.Rows[pos:], Continued: true}
		l.setText(leafText(l.block))
		return
	case *Code:
		l.block = &Code{Info: block.Info, Text: block.Text[pos:]}
		l.dropText(l.text[pos:])
		return
	case *Raw:
		l.block = &Raw{Text: block.Text[pos:]}
		l.dropText(l.text[pos:])
		return
	}
	l.dropText(strings.TrimLeft(l.text[pos:], trimmed))
}

func (l *leaf) dropText(left string) {
	l.runes -= runeCount(l.text[:len(l.text)-len(left)])
	l.text = left
}

func (l *leaf) dropInlines(inlines []Inline, pos int) []Inline {
	if !l.owned {
		inlines, l.owned = slices.Clone(inlines), true
	}
	for len(inlines) > 0 && pos >= len(inlines[0].Text) {
		pos -= len(inlines[0].Text)
		inlines = inlines[1:]
	}
	if len(inlines) > 0 && pos > 0 {
		inlines[0].Text = inlines[0].Text[pos:]
	}
	for len(inlines) > 0 {
		if inlines[0].Text = strings.TrimLeft(inlines[0].Text, trimmed); inlines[0].Text != "" {
			break
		}
		inlines = inlines[1:]
	}
	return inlines
}

// trimmed is the white space that goes from running text at a cut.
const trimmed = " \t\n"

// sliceBlock is the beginning of a block, to a cut. White space at the cut goes in running text; in code
// only the line end.
func sliceBlock(block Block, to int) Block {
	switch block := block.(type) {
	case *Paragraph:
		return &Paragraph{Inlines: sliceInlines(block.Inlines, to)}
	case *Heading:
		return &Heading{Level: block.Level, Inlines: sliceInlines(block.Inlines, to)}
	case *Code:
		return &Code{Info: block.Info, Text: strings.TrimSuffix(block.Text[:to], "\n")}
	case *Raw:
		return &Raw{Text: strings.TrimSuffix(block.Text[:to], "\n")}
	case *Table:
		return &Table{Align: block.Align, Header: block.Header, Rows: block.Rows[:to], Continued: block.Continued}
	}
	return block
}

func sliceInlines(inlines []Inline, to int) []Inline {
	n := 0
	for n < len(inlines) && to > len(inlines[n].Text) {
		to -= len(inlines[n].Text)
		n++
	}
	out := slices.Clone(inlines[:min(n+1, len(inlines))])
	if n < len(out) {
		out[n].Text = out[n].Text[:to]
	}
	for n := len(out); n > 0; n-- {
		last := &out[n-1]
		if last.Text = strings.TrimRight(last.Text, trimmed); last.Text != "" {
			return out[:n]
		}
	}
	return nil
}

// build makes a document of leaves that follow one another.
func build(leaves []*leaf) *Document {
	return &Document{Blocks: buildBlocks(leaves, 0)}
}

// buildBlocks rebuilds the containers from the given depth on.
func buildBlocks(leaves []*leaf, depth int) []Block {
	var out []Block
	for i := 0; i < len(leaves); {
		l := leaves[i]
		if len(l.path) <= depth {
			if keep(l) {
				out = append(out, l.block)
			}
			i++
			continue
		}
		end := i + 1
		for end < len(leaves) && joins(leaves[end], l, depth) {
			end++
		}
		if l.path[depth].quote != nil {
			out = append(out, &Quote{Blocks: buildBlocks(leaves[i:end], depth+1)})
		} else {
			out = append(out, buildList(leaves[i:end], depth))
		}
		i = end
	}
	return out
}

// joins reports whether a leaf stands in the same container as the one before it.
func joins(l, before *leaf, depth int) bool {
	if len(l.path) <= depth {
		return false
	}
	a, b := l.path[depth], before.path[depth]
	return a.quote == b.quote && a.list == b.list
}

// buildList makes a list of leaves of one list. Its first item may have begun before them.
func buildList(leaves []*leaf, depth int) *List {
	from := leaves[0].path[depth]
	list := &List{Ordered: from.list.Ordered, Start: from.list.Start + from.item}
	for i := 0; i < len(leaves); {
		f := leaves[i].path[depth]
		end := i + 1
		for end < len(leaves) && leaves[end].path[depth].item == f.item {
			end++
		}
		source := f.list.Items[f.item]
		item := Item{Task: source.Task, Continued: source.Continued}
		if i == 0 && (leaves[0].cont || leaves[0].fresh > depth) {
			item.Continued, item.Task = true, NoTask
		}
		item.Blocks = buildBlocks(leaves[i:end], depth+1)
		list.Items = append(list.Items, item)
		i = end
	}
	return list
}

// keep drops what would show as an empty frame.
func keep(l *leaf) bool {
	switch l.block.(type) {
	case *Rule:
		return true
	case *Paragraph, *Heading:
		return l.text != ""
	}
	return hasVisible(l.text)
}
