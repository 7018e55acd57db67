package format

import (
	"strconv"
	"strings"

	"bullpen/bridge/render"
)

// Length is the measure of a message for render.Split, against MaxText.
func Length(doc *render.Document) int { return render.UTF16(Write(doc)) }

// Write writes a document in Discord's Markdown.
func Write(doc *render.Document) string {
	return strings.Trim(writeBlocks(doc.Blocks, false), "\n")
}

// writeBlocks ends with a line end unless it is empty.
func writeBlocks(blocks []render.Block, tight bool) string {
	var b strings.Builder
	for i, block := range blocks {
		text := writeBlock(block)
		if text == "" {
			continue
		}
		if b.Len() > 0 && !tight && !isHeading(blocks, i-1) {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String()
}

// isHeading says whether a block is a heading that Discord sets apart by itself.
func isHeading(blocks []render.Block, i int) bool {
	if i < 0 {
		return false
	}
	h, ok := blocks[i].(*render.Heading)
	return ok && h.Level <= maxHeading
}

func writeBlock(block render.Block) string {
	switch block := block.(type) {
	case *render.Paragraph:
		return lined(writeInlines(block.Inlines, 0))
	case *render.Heading:
		return writeHeading(block)
	case *render.Raw:
		return lined(Escape(block.Text))
	case *render.Rule:
		return "———\n"
	case *render.Code:
		return fence(block.Language(), block.Text)
	case *render.Table:
		return fence("", render.Grid(block, func(c render.Cell) string { return render.InlineText(c) }))
	case *render.Quote:
		return prefixed(writeBlocks(render.Unquoted(block.Blocks), false), "> ", "> ")
	case *render.List:
		return writeList(block)
	}
	return ""
}

// lined is a text with a line end, or nothing.
func lined(text string) string {
	if text == "" {
		return ""
	}
	return text + "\n"
}

func writeHeading(h *render.Heading) string {
	if h.Level > maxHeading {
		return lined(writeInlines(h.Inlines, render.Strong))
	}
	text := strings.TrimSpace(strings.ReplaceAll(writeInlines(h.Inlines, 0), "\n", " "))
	if text == "" {
		return ""
	}
	return strings.Repeat("#", max(h.Level, 1)) + " " + text + "\n"
}

// fence writes code. Discord has no longer fences than ```, so those within the code are broken up with a
// zero-width space; code without anything to see would show its fences, and is left out.
func fence(language, code string) string {
	code = strings.Trim(code, "\n")
	if strings.TrimSpace(code) == "" {
		return ""
	}
	for strings.Contains(code, "```") {
		code = strings.ReplaceAll(code, "```", "``\u200B`")
	}
	if strings.HasSuffix(code, "`") {
		code += "\u200B"
	}
	return "```" + language + "\n" + code + "\n```\n"
}

func writeList(list *render.List) string {
	var b strings.Builder
	for i, item := range list.Items {
		marker := "- "
		if list.Ordered {
			marker = strconv.Itoa(list.Start+i) + ". "
		}
		if item.Continued {
			marker = "  "
		}
		b.WriteString(writeItem(item, marker))
	}
	return b.String()
}

func writeItem(item render.Item, marker string) string {
	box := ""
	switch item.Task {
	case render.TaskOpen:
		box = "☐ "
	case render.TaskDone:
		box = "☑ "
	}
	var b strings.Builder
	first := marker + box
	for _, block := range item.Blocks {
		text := writeBlock(block)
		switch block.(type) {
		case *render.Code, *render.Table, *render.Quote:
			// Discord reads these only where a line begins.
			if first != "" {
				b.WriteString(strings.TrimRight(first, " ") + "\n")
			}
			b.WriteString(text)
		case *render.List:
			if first != "" {
				b.WriteString(strings.TrimRight(first, " ") + "\n")
			}
			b.WriteString(prefixed(text, "  ", "  "))
		default:
			b.WriteString(prefixed(text, orElse(first, "  "), "  "))
		}
		first = ""
	}
	if first != "" && strings.TrimSpace(first) != "" {
		b.WriteString(first + "\n")
	}
	return b.String()
}

// prefixed puts first before the first line and then before the others, which a fence's own lines in a
// list go without.
func prefixed(text, first, then string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	prefix, code := first, false
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		mark := strings.HasPrefix(line, "```")
		if (code || mark) && strings.TrimSpace(prefix) == "" {
			b.WriteString(line + "\n")
		} else {
			b.WriteString(prefix + line + "\n")
		}
		code = code != mark
		prefix = then
	}
	return b.String()
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
