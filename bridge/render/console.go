package render

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Console writes a document as plain text for a terminal: styles as the usual marks, links with their
// address in angle brackets, tables aligned, code indented by four columns. Control characters and
// escapes are shown as pictures, and the marks that turn text around as their code points, so that no
// text can move the cursor, colour the screen or look like something else.
func Console(doc *Document) string {
	return strings.TrimRight(consoleBlocks(doc.Blocks, false), "\n")
}

// consoleBlocks ends with a line end unless it is empty. Tight ones have no empty lines between them.
func consoleBlocks(blocks []Block, tight bool) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 && !tight {
			b.WriteByte('\n')
		}
		switch block := block.(type) {
		case *Paragraph:
			b.WriteString(consoleInlines(block.Inlines) + "\n")
		case *Heading:
			b.WriteString(strings.Repeat("#", block.Level) + " " + consoleInlines(block.Inlines) + "\n")
		case *Rule:
			b.WriteString(strings.Repeat("-", 20) + "\n")
		case *Raw:
			b.WriteString(Harmless(block.Text) + "\n")
		case *Code:
			b.WriteString(prefixLines(Harmless(block.Text), "    ", "    "))
		case *Table:
			b.WriteString(Grid(block, func(cell Cell) string { return consoleInlines(cell) }))
		case *Quote:
			b.WriteString(prefixLines(consoleBlocks(block.Blocks, false), "> ", "> "))
		case *List:
			b.WriteString(consoleList(block))
		}
	}
	return b.String()
}

func consoleList(list *List) string {
	var b strings.Builder
	for i, item := range list.Items {
		marker := "- "
		if list.Ordered {
			marker = strconv.Itoa(list.Start+i) + ". "
		}
		indent := strings.Repeat(" ", len(marker))
		switch {
		case item.Continued:
			marker = indent
		case item.Task == TaskOpen:
			marker += "[ ] "
		case item.Task == TaskDone:
			marker += "[x] "
		}
		b.WriteString(prefixLines(consoleBlocks(item.Blocks, true), marker, indent))
	}
	return b.String()
}

func consoleInlines(inlines []Inline) string {
	var b strings.Builder
	for i, in := range inlines {
		text := Harmless(in.Text)
		switch {
		case in.Kind == Break:
			b.WriteByte('\n')
		case in.Kind == CodeSpan:
			b.WriteString("`" + text + "`")
		case strings.TrimSpace(text) == "" || in.Style == 0:
			b.WriteString(text)
		default:
			b.WriteString(consoleStyled(text, in.Style))
		}
		if in.Link == "" || (i+1 < len(inlines) && inlines[i+1].Link == in.Link) {
			continue
		}
		if label := linkLabel(inlines, i); label != in.Link && label != strings.TrimPrefix(in.Link, "mailto:") {
			b.WriteString(" <" + Harmless(in.Link) + ">")
		}
	}
	return b.String()
}

// linkLabel is the text of the link that ends with run i.
func linkLabel(inlines []Inline, i int) string {
	start := i
	for start > 0 && inlines[start-1].Link == inlines[i].Link {
		start--
	}
	return InlineText(inlines[start : i+1])
}

func consoleStyled(text string, style Style) string {
	core := strings.TrimSpace(text)
	lead, tail, _ := strings.Cut(text, core)
	for _, m := range []struct {
		style Style
		mark  string
	}{{Emphasis, "_"}, {Strong, "*"}, {Strike, "~"}} {
		if style&m.style != 0 {
			core = m.mark + core + m.mark
		}
	}
	return lead + core + tail
}

// Harmless makes text safe to print on a terminal. Line ends and tabs stay (a tab becomes four blanks);
// other control characters become their pictures (ESC is "␛") or, like the marks that change the
// direction of text or are not seen at all, "<U+202E>". Joiners stay: scripts and emoji need them.
func Harmless(text string) string {
	if !strings.ContainsFunc(text, harmful) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !harmful(r):
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7F:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

func harmful(r rune) bool {
	switch {
	case r == '\n' || r == 0x200C || r == 0x200D:
		return false
	case r >= 0xE0020 && r <= 0xE007F: // the tags that spell out flags
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
