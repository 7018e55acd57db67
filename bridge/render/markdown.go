package render

import (
	"strconv"
	"strings"
)

// Markdown writes a document as CommonMark with GFM tables, strikethrough and task lists, so that
// [Parse] reads the same text back. Raw blocks come out as escaped text, so that nothing in them is HTML
// to anybody. An item that continues one of an earlier part has its marker again, since Markdown has no
// item without.
func Markdown(doc *Document) string {
	return strings.TrimRight(markdownBlocks(doc.Blocks), "\n")
}

// markdownBlocks ends with a line end unless it is empty.
func markdownBlocks(blocks []Block) string {
	var b strings.Builder
	bullets := 0 // lists right after one another, which need different markers to stay apart
	for i, block := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		list, ok := block.(*List)
		if !ok {
			bullets = 0
			writeMarkdown(&b, block)
			continue
		}
		b.WriteString(markdownList(list, bullets%2 == 1))
		bullets++
	}
	return b.String()
}

func writeMarkdown(b *strings.Builder, block Block) {
	switch block := block.(type) {
	case *Paragraph:
		b.WriteString(markdownInlines(block.Inlines, false))
	case *Heading:
		b.WriteString(strings.Repeat("#", min(max(block.Level, 1), 6)) + " ")
		b.WriteString(strings.ReplaceAll(markdownInlines(block.Inlines, false), "\n", " "))
	case *Rule:
		b.WriteString("---")
	case *Raw:
		var plain inlineBuilder
		plain.literal(block.Text)
		b.WriteString(markdownInlines(plain.list, false))
	case *Code:
		writeFence(b, block)
	case *Table:
		writePipes(b, block)
		return
	case *Quote:
		b.WriteString(prefixLines(markdownBlocks(block.Blocks), "> ", "> "))
		return
	}
	b.WriteByte('\n')
}

// writeFence uses a fence longer than any in the code.
func writeFence(b *strings.Builder, code *Code) {
	fence, run := 3, 0
	for i := 0; i < len(code.Text); i++ {
		if code.Text[i] != '`' {
			run = 0
			continue
		}
		run++
		fence = max(fence, run+1)
	}
	marks := strings.Repeat("`", fence)
	info := code.Info
	if strings.ContainsAny(info, "`\n\\") {
		info = ""
	}
	b.WriteString(marks + info + "\n" + code.Text + "\n" + marks)
}

func markdownList(list *List, other bool) string {
	var b strings.Builder
	for i, item := range list.Items {
		marker := "-"
		if other {
			marker = "*"
		}
		if list.Ordered {
			marker = strconv.Itoa(list.Start+i) + "."
			if other {
				marker = strconv.Itoa(list.Start+i) + ")"
			}
		}
		task := ""
		switch item.Task {
		case TaskOpen:
			task = "[ ] "
		case TaskDone:
			task = "[x] "
		}
		if task != "" && len(item.Blocks) > 0 {
			if _, ok := item.Blocks[0].(*Paragraph); !ok {
				task += "\n\n" // a box is read as one only where text stands
			}
		}
		body := task + markdownBlocks(item.Blocks)
		if strings.TrimSpace(body) == "" {
			b.WriteString(marker + "\n")
			continue
		}
		indent := strings.Repeat(" ", len(marker)+1)
		if i > 0 && len(item.Blocks) > 1 {
			b.WriteByte('\n')
		}
		b.WriteString(prefixLines(body, marker+" ", indent))
	}
	return b.String()
}

// prefixLines puts first before the first line and then before the others. Empty lines get no blanks.
func prefixLines(text, first, then string) string {
	if text == "" {
		return strings.TrimRight(first, " ") + "\n"
	}
	var b strings.Builder
	prefix := first
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			prefix = strings.TrimRight(prefix, " ")
		}
		b.WriteString(prefix + line + "\n")
		prefix = then
	}
	return b.String()
}

func writePipes(b *strings.Builder, t *Table) {
	writePipeRow(b, t.Header)
	for _, a := range t.Align {
		b.WriteString(map[Align]string{
			AlignNone: "| --- ", AlignLeft: "| :-- ", AlignCenter: "| :-: ", AlignRight: "| --: ",
		}[a])
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		writePipeRow(b, row)
	}
}

func writePipeRow(b *strings.Builder, row []Cell) {
	for _, cell := range row {
		text := strings.TrimSpace(markdownInlines(oneLine(append(Cell(nil), cell...)), true))
		b.WriteString("| " + text + " ")
	}
	b.WriteString("|\n")
}
