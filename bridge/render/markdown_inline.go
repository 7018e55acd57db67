package render

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// styleMarks are the delimiters, outermost first.
var styleMarks = []struct {
	style Style
	mark  string
}{{Strike, "~~"}, {Strong, "**"}, {Emphasis, "*"}}

// markdownInlines writes runs. A style whose delimiters would not be read as such at that place (inside a
// word, next to white space) is left out: its text is what counts.
func markdownInlines(inlines []Inline, inCell bool) string {
	w := inlineWriter{inCell: inCell, lineStart: true}
	for i := 0; i < len(inlines); {
		end := i + 1
		for end < len(inlines) && inlines[end].Link == inlines[i].Link && inlines[i].Link != "" {
			end++
		}
		if inlines[i].Link == "" {
			w.styled(inlines, i)
		} else {
			w.link(inlines[i:end])
		}
		i = end
	}
	return w.b.String()
}

type inlineWriter struct {
	b         strings.Builder
	inCell    bool
	lineStart bool
	digits    bool // only digits so far on this line
}

func (w *inlineWriter) raw(text string) {
	if text != "" {
		w.b.WriteString(text)
		w.lineStart, w.digits = false, false
	}
}

// styled writes one run with its delimiters, if they work between the runs around it.
func (w *inlineWriter) styled(inlines []Inline, i int) {
	in := inlines[i]
	if in.Kind == Break {
		w.b.WriteByte('\n')
		w.lineStart, w.digits = true, false
		return
	}
	core := strings.TrimSpace(in.Text)
	if in.Style == 0 || core == "" || !w.delimits(in, core, inlines, i) {
		w.run(in.Kind, in.Text)
		return
	}
	lead := in.Text[:strings.Index(in.Text, core)]
	tail := in.Text[len(lead)+len(core):]
	if in.Kind == CodeSpan {
		lead, core, tail = "", in.Text, ""
	}
	w.text(lead)
	open, closing := "", ""
	for _, m := range styleMarks {
		if in.Style&m.style != 0 {
			open, closing = open+m.mark, m.mark+closing
		}
	}
	w.raw(open)
	w.run(in.Kind, core)
	w.raw(closing)
	w.text(tail)
}

// delimits reports whether delimiters around core are read as opening and closing ones: they touch the
// text inside and a blank or the line's end outside, or a plain letter inside and no delimiter outside.
func (w *inlineWriter) delimits(in Inline, core string, inlines []Inline, i int) bool {
	before, after := outside(w.b.String(), in, core, inlines, i)
	if isMark(before) || isMark(after) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(core)
	last, _ := utf8.DecodeLastRuneInString(core)
	switch {
	case in.Kind == CodeSpan:
		first, last = '`', '`'
	case in.Style&Strike != 0 && in.Style != Strike:
		first, last = '*', '*' // the outer delimiter stands next to the inner one
	}
	opens := !unicode.IsSpace(first) && (!isPunct(first) || unicode.IsSpace(before) || isPunct(before))
	closes := !unicode.IsSpace(last) && (!isPunct(last) || unicode.IsSpace(after) || isPunct(after))
	return opens && closes
}

// outside finds the runes around a run's core.
func outside(written string, in Inline, core string, inlines []Inline, i int) (before, after rune) {
	before, after = ' ', ' '
	if r, size := utf8.DecodeLastRuneInString(written); size > 0 {
		before = r
	}
	if i+1 < len(inlines) {
		next := inlines[i+1]
		after, _ = utf8.DecodeRuneInString(next.Text)
		switch {
		case next.Link != "":
			after = '['
		case next.Kind == CodeSpan:
			after = '`'
		}
		if next.Style != 0 && !unicode.IsSpace(after) {
			after = '*'
		}
	}
	if in.Kind != CodeSpan {
		if strings.IndexFunc(in.Text, unicode.IsSpace) == 0 {
			before = ' '
		}
		if !strings.HasSuffix(in.Text, core) {
			after = ' '
		}
	}
	return before, after
}

func isMark(r rune) bool { return r == '*' || r == '~' || r == '_' || r == '\\' }

func isPunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

func (w *inlineWriter) run(kind InlineKind, text string) {
	if kind == CodeSpan {
		w.code(text)
		return
	}
	w.text(text)
}

// code writes a code span with more backticks than any run inside it.
func (w *inlineWriter) code(text string) {
	ticks, run := 1, 0
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		ticks = max(ticks, run+1)
	}
	text = strings.ReplaceAll(text, "\n", " ")
	if w.inCell {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	pad := ""
	blank := strings.Trim(text, " ") == ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") ||
		(!blank && strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ")) {
		pad = " "
	}
	marks := strings.Repeat("`", ticks)
	w.raw(marks + pad + text + pad + marks)
}

func (w *inlineWriter) link(runs []Inline) {
	url, label := runs[0].Link, InlineText(runs)
	if label == url && !strings.ContainsAny(url, "<>\\") && len(runs) == 1 && runs[0].Kind == Text {
		w.raw("<" + url + ">")
		return
	}
	if label == strings.TrimPrefix(url, "mailto:") && util.FindEmailIndex([]byte(label)) == len(label) {
		w.raw("<" + label + ">")
		return
	}
	inner := inlineWriter{inCell: w.inCell}
	plain := oneLine(slices.Clone(runs))
	for i := range plain {
		plain[i].Link = ""
	}
	for i := range plain {
		inner.styled(plain, i)
	}
	w.raw("[" + inner.b.String() + "](" + markdownURL(url, w.inCell) + ")")
}

var urlEscapes = strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C", "&", "&amp;")

func markdownURL(url string, inCell bool) string {
	url = urlEscapes.Replace(url)
	if inCell {
		url = strings.ReplaceAll(url, "|", "%7C")
	}
	if strings.ContainsAny(url, "()") {
		return "<" + url + ">"
	}
	return url
}

// text writes text with a backslash before whatever could be read as Markdown where it stands.
func (w *inlineWriter) text(text string) {
	closing := len(strings.TrimRight(text, "# ")) // what could close a heading
	for i, r := range text {
		if w.special(text, i, r) || (r == '#' && i >= closing) {
			w.b.WriteByte('\\')
		}
		w.b.WriteRune(r)
		w.digits = (w.lineStart || w.digits) && r >= '0' && r <= '9'
		w.lineStart = false
	}
}

func (w *inlineWriter) special(text string, i int, r rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '~':
		return true
	case '_':
		return !insideWord(text, i)
	case '|':
		return true
	case '#', '>', '+', '-', '=':
		return w.lineStart
	case '.', ')':
		return w.digits
	case '&':
		return i+1 < len(text) && (text[i+1] == '#' || isASCIILetter(text[i+1]))
	case '!':
		return i+1 == len(text)
	case ':':
		return w.lineStart
	}
	return false
}

func insideWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return isNameRune(before) && isNameRune(after) && before != '_' && after != '_' && i > 0 && i+1 < len(text)
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
