package format

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"bullpen/bridge/render"
)

// Mrkdwn writes a document in Slack's own markup: the text beside the blocks, which notifications and
// screen readers use. Marks are set only where Slack reads them as such (not inside a word, not around
// links and code), so that no stray ones show. Fences within code are broken up with a zero-width space.
func Mrkdwn(doc *render.Document) string {
	return strings.TrimRight(mrkdwnBlocks(doc.Blocks, false), "\n")
}

// mrkdwnBlocks ends with a line end unless it is empty.
func mrkdwnBlocks(blocks []render.Block, tight bool) string {
	var b strings.Builder
	for i, block := range blocks {
		if i > 0 && !tight {
			b.WriteByte('\n')
		}
		switch block := block.(type) {
		case *render.Paragraph:
			b.WriteString(mrkdwnInlines(block.Inlines) + "\n")
		case *render.Heading:
			b.WriteString(mrkdwnInlines(bold(block.Inlines)) + "\n")
		case *render.Raw:
			b.WriteString(Escape(block.Text) + "\n")
		case *render.Rule:
			b.WriteString("———\n")
		case *render.Code:
			b.WriteString(mrkdwnFence(block.Text))
		case *render.Table:
			b.WriteString(mrkdwnFence(tableText(block)))
		case *render.Quote:
			b.WriteString(prefix(mrkdwnBlocks(block.Blocks, false), "> ", "> "))
		case *render.List:
			b.WriteString(mrkdwnList(block))
		}
	}
	return b.String()
}

func mrkdwnFence(code string) string {
	code = strings.TrimSuffix(code, "\n")
	for strings.Contains(code, "```") {
		code = strings.ReplaceAll(code, "```", "``\u200B`")
	}
	return "```\n" + Escape(code) + "\n```\n"
}

func mrkdwnList(list *render.List) string {
	var b strings.Builder
	for i, item := range list.Items {
		marker := "• "
		if list.Ordered {
			marker = strconv.Itoa(list.Start+i) + ". "
		}
		indent := strings.Repeat(" ", 4)
		if item.Continued {
			marker = indent
		}
		body := taskMark(item.Task) + mrkdwnBlocks(item.Blocks, true)
		b.WriteString(prefix(body, marker, indent))
	}
	return b.String()
}

func taskMark(task render.Task) string {
	switch task {
	case render.TaskOpen:
		return "☐ "
	case render.TaskDone:
		return "☑ "
	}
	return ""
}

// prefix puts first before the first line and then before the others. Empty lines get no blanks.
func prefix(text, first, then string) string {
	var b strings.Builder
	mark := first
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			mark = strings.TrimRight(mark, " ")
		}
		b.WriteString(mark + line + "\n")
		mark = then
	}
	return b.String()
}

func mrkdwnInlines(inlines []render.Inline) string {
	var b strings.Builder
	for i := 0; i < len(inlines); i++ {
		in := inlines[i]
		switch {
		case in.Link != "":
			end := linkEnd(inlines, i)
			b.WriteString(mrkdwnLink(in.Link, render.InlineText(inlines[i:end])))
			i = end - 1
		case in.Kind == render.MentionSpan:
			b.WriteString(mrkdwnMention(in))
		case in.Kind == render.CodeSpan:
			b.WriteString(mrkdwnCode(in.Text))
		default:
			b.WriteString(mrkdwnStyled(in, b.String(), inlines[i+1:]))
		}
	}
	return b.String()
}

// linkEnd is the index behind the runs of the link that begins at i.
func linkEnd(inlines []render.Inline, i int) int {
	end := i + 1
	for end < len(inlines) && inlines[end].Link == inlines[i].Link {
		end++
	}
	return end
}

var urlEscapes = strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C")

func mrkdwnLink(url, label string) string {
	if label == url {
		return "<" + urlEscapes.Replace(url) + ">"
	}
	return "<" + urlEscapes.Replace(url) + "|" + Escape(strings.ReplaceAll(label, "\n", " ")) + ">"
}

func mrkdwnMention(in render.Inline) string {
	switch user, channel := target(in.Mention); {
	case user:
		return "<@" + in.Mention.ID + ">"
	case channel:
		return "<#" + in.Mention.ID + ">"
	}
	return Escape(in.Text)
}

// mrkdwnCode leaves the marks out where the code has some itself: Slack has no longer ones.
func mrkdwnCode(code string) string {
	if strings.Contains(code, "`") || strings.TrimSpace(code) == "" {
		return Escape(code)
	}
	return "`" + Escape(code) + "`"
}

func mrkdwnStyled(in render.Inline, before string, after []render.Inline) string {
	core := strings.TrimSpace(in.Text)
	if in.Style == 0 || core == "" || in.Kind == render.Break {
		return Escape(in.Text)
	}
	lead, tail, _ := strings.Cut(in.Text, core)
	if lead != "" {
		before = lead
	}
	if wordRight(before) || wordLeft(tail, after) || strings.Contains(core, "\n") {
		return Escape(in.Text)
	}
	core = Escape(core)
	for _, m := range []struct {
		style render.Style
		mark  string
	}{{render.Emphasis, "_"}, {render.Strong, "*"}, {render.Strike, "~"}} {
		if in.Style&m.style != 0 {
			core = m.mark + core + m.mark
		}
	}
	return lead + core + tail
}

// wordRight reports whether text ends in something that keeps a mark after it from being one.
func wordRight(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size > 0 && joins(r)
}

// wordLeft is the same for what follows.
func wordLeft(tail string, after []render.Inline) bool {
	if tail == "" && len(after) > 0 {
		tail = after[0].Text
	}
	r, size := utf8.DecodeRuneInString(tail)
	return size > 0 && joins(r)
}

func joins(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("*_~`", r)
}

// bold makes a heading's runs strong: Slack has no headings in text.
func bold(inlines []render.Inline) []render.Inline {
	out := make([]render.Inline, len(inlines))
	for i, in := range inlines {
		in.Style |= render.Strong
		out[i] = in
	}
	return out
}
