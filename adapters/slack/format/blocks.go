package format

import (
	"strings"

	"github.com/slack-go/slack"

	"bullpen/bridge/render"
)

// Blocks writes a document as blocks: rich_text for text, lists, quotes and code, a table block for the
// first table that fits Slack's limits (others as aligned preformatted text), a divider for a rule. No
// element is ever empty, since Slack refuses the whole message for one. The number of blocks is not
// bounded here; see [Length].
func Blocks(doc *render.Document) []slack.Block {
	var w blockWriter
	for _, block := range doc.Blocks {
		w.block(block)
	}
	w.endText()
	return w.blocks
}

// blockWriter collects rich text elements until something comes that is a block of its own.
type blockWriter struct {
	blocks   []slack.Block
	elements []slack.RichTextElement
	section  []slack.RichTextSectionElement // running text not yet in elements
	border   int                            // 1 within a quote
	tables   int
}

func (w *blockWriter) endSection() {
	if len(w.section) == 0 {
		return
	}
	if w.border == 1 {
		w.elements = append(w.elements, &slack.RichTextQuote{Type: slack.RTEQuote, Elements: w.section})
	} else {
		w.elements = append(w.elements, slack.NewRichTextSection(w.section...))
	}
	w.section = nil
}

func (w *blockWriter) endText() {
	w.endSection()
	if len(w.elements) > 0 {
		w.blocks = append(w.blocks, slack.NewRichTextBlock("", w.elements...))
		w.elements = nil
	}
}

func (w *blockWriter) block(block render.Block) {
	switch block := block.(type) {
	case *render.Paragraph:
		w.text(richInlines(block.Inlines, 0), "\n\n")
	case *render.Heading:
		w.text(richInlines(block.Inlines, render.Strong), "\n\n")
	case *render.Raw:
		w.text(richText(block.Text, 0), "\n\n")
	case *render.Code:
		w.preformatted(block.Text, strings.ToLower(block.Language()))
	case *render.Rule:
		w.rule()
	case *render.Table:
		w.table(block)
	case *render.Quote:
		w.quote(block)
	case *render.List:
		w.list(block, 0)
	}
}

// text adds running text; paragraphs share a section, with an empty line between them.
func (w *blockWriter) text(elements []slack.RichTextSectionElement, gap string) {
	if len(elements) == 0 {
		return
	}
	if len(w.section) > 0 {
		w.section = append(w.section, slack.NewRichTextSectionTextElement(gap, nil))
	}
	w.section = append(w.section, elements...)
}

func (w *blockWriter) preformatted(text, language string) {
	if text == "" {
		return
	}
	w.endSection()
	w.elements = append(w.elements, &slack.RichTextPreformatted{
		Type:     slack.RTEPreformatted,
		Elements: richText(text, 0),
		Border:   w.border,
		Language: language,
	})
}

func (w *blockWriter) rule() {
	if w.border == 1 {
		w.text(richText("———", 0), "\n")
		return
	}
	w.endText()
	w.blocks = append(w.blocks, slack.NewDividerBlock())
}

func (w *blockWriter) table(t *render.Table) {
	if w.border == 1 || w.tables >= MaxTables || !tableFits(t) {
		w.preformatted(strings.TrimSuffix(tableText(t), "\n"), "")
		return
	}
	w.endText()
	w.tables++
	w.blocks = append(w.blocks, tableBlock(t))
}

// quote writes what Slack can show as quoted: text in a quote, lists and code with a border. Quotes
// within are part of the outer one.
func (w *blockWriter) quote(q *render.Quote) {
	outer := w.border
	if outer == 0 {
		w.endSection()
		w.border = 1
	}
	for _, block := range q.Blocks {
		w.block(block)
	}
	if outer == 0 {
		w.endSection()
		w.border = 0
	}
}

// list writes a list and those within it as lists one after another, each with its indent, which is how
// Slack nests. Code and tables interrupt the list; numbers go on behind them.
func (w *blockWriter) list(list *render.List, depth int) {
	w.endSection()
	l := listWriter{w: w, list: list, depth: depth}
	for i, item := range list.Items {
		l.item(i, item)
	}
	l.end()
}

type listWriter struct {
	w       *blockWriter
	list    *render.List
	depth   int
	entries []slack.RichTextElement
	first   int // index of the item that entries begin with
}

func (l *listWriter) end() {
	if len(l.entries) == 0 {
		return
	}
	style := slack.RTEListBullet
	offset := 0
	if l.list.Ordered {
		style = slack.RTEListOrdered
		offset = max(l.list.Start+l.first-1, 0)
	}
	out := slack.NewRichTextList(style, min(l.depth, MaxIndent), l.entries...)
	out.Border, out.Offset = l.w.border, offset
	l.w.elements = append(l.w.elements, out)
	l.entries = nil
}

func (l *listWriter) item(i int, item render.Item) {
	if len(l.entries) == 0 {
		l.first = i
	}
	section, rest := entryText(item)
	switch {
	case !item.Continued:
		if len(section) == 0 {
			section = richText(" ", 0)
		}
		l.entries = append(l.entries, slack.NewRichTextSection(section...))
	case len(section) > 0:
		// The rest of an entry whose marker is in an earlier message.
		l.w.text(section, "\n")
		l.w.endSection()
		l.first = i + 1
	}
	for _, block := range rest {
		l.end()
		l.first = i + 1
		if inner, ok := block.(*render.List); ok {
			l.w.list(inner, l.depth+1)
			continue
		}
		l.w.block(block)
	}
	l.w.endSection()
}

// entryText is what of an item can stand in a list entry, and the blocks behind it.
func entryText(item render.Item) ([]slack.RichTextSectionElement, []render.Block) {
	var section []slack.RichTextSectionElement
	if mark := taskMark(item.Task); mark != "" {
		section = richText(mark, 0)
	}
	for n, block := range item.Blocks {
		if !isText(block) {
			return section, item.Blocks[n:]
		}
		if n > 0 {
			section = append(section, richText("\n", 0)...)
		}
		var one blockWriter
		one.block(block)
		section = append(section, one.section...)
	}
	return section, nil
}

// isText reports whether a block can stand inside a list entry.
func isText(block render.Block) bool {
	switch block.(type) {
	case *render.Paragraph, *render.Heading, *render.Raw:
		return true
	}
	return false
}
