package format

import (
	"strings"

	"bullpen/bridge/render"
)

// piece is a run of text in one style, without white space at its ends, or white space alone.
type piece struct {
	text  string // what Discord is sent, escaped later if plain
	plain bool
	style render.Style
}

// writeInlines writes runs; more is a style that all of them have.
func writeInlines(inlines []render.Inline, more render.Style) string {
	pieces := cutPieces(inlines, more)
	w := inlineWriter{escaper: escaper{lineStart: true}}
	for i, p := range pieces {
		w.turn(p.style, p.text)
		if !p.plain {
			if strings.HasPrefix(p.text, "`") && strings.HasSuffix(w.b.String(), "`") {
				w.b.WriteString("\u200B") // else the marks of two codes would be read as one
			}
			w.raw(p.text)
			continue
		}
		after := ""
		if i+1 < len(pieces) {
			after = pieces[i+1].text
		}
		w.text(p.text, after)
	}
	w.turn(0, "")
	return w.b.String()
}

func cutPieces(inlines []render.Inline, more render.Style) []piece {
	var out []piece
	for i := 0; i < len(inlines); i++ {
		in := inlines[i]
		style := in.Style | more
		switch {
		case in.Link != "":
			end := i + 1
			for end < len(inlines) && inlines[end].Link == in.Link {
				style &= inlines[end].Style | more
				end++
			}
			out = append(out, piece{text: link(in.Link, render.InlineText(inlines[i:end])), style: style})
			i = end - 1
		case in.Kind == render.Break:
			out = append(out, piece{text: "\n"})
		case in.Kind == render.CodeSpan:
			out = append(out, codePiece(in.Text, style))
		case in.Kind == render.MentionSpan && target(in.Mention) != "":
			out = append(out, piece{text: target(in.Mention), style: style})
		default:
			out = append(out, textPieces(in.Text, style)...)
		}
	}
	// White space has the style that both its neighbours have.
	for i := range out {
		if !out[i].plain || strings.TrimSpace(out[i].text) != "" {
			continue
		}
		before, after := render.Style(0), render.Style(0)
		if i > 0 {
			before = out[i-1].style
		}
		if i+1 < len(out) {
			after = out[i+1].style
		}
		out[i].style = before & after
	}
	return out
}

// textPieces cuts the white space off a run's ends.
func textPieces(text string, style render.Style) []piece {
	core := strings.TrimSpace(text)
	if core == "" || style == 0 {
		return []piece{{text: text, plain: true, style: style}}
	}
	lead, tail, _ := strings.Cut(text, core)
	var out []piece
	for _, p := range []piece{{text: lead, plain: true}, {text: core, plain: true, style: style}, {text: tail, plain: true}} {
		if p.text != "" {
			out = append(out, p)
		}
	}
	return out
}

// codePiece is code within a line: marks longer than any in it, where it can be marked at all.
func codePiece(code string, style render.Style) piece {
	code = strings.ReplaceAll(code, "\n", " ")
	if strings.TrimSpace(code) == "" {
		return piece{text: code, plain: true, style: style}
	}
	ticks, run := 1, 0
	for i := 0; i < len(code); i++ {
		if code[i] != '`' {
			run = 0
			continue
		}
		run++
		ticks = max(ticks, run+1)
	}
	if ticks > 2 { // three would be a fence
		return piece{text: code, plain: true, style: style}
	}
	pad := ""
	if strings.HasPrefix(code, "`") || strings.HasSuffix(code, "`") {
		pad = " "
	}
	marks := strings.Repeat("`", ticks)
	return piece{text: marks + pad + code + pad + marks, style: style}
}

// target is how a mention is written; empty where there is none.
func target(m render.Mention) string {
	if !isID(m.ID) {
		return ""
	}
	switch m.Kind {
	case render.Person:
		return "<@" + m.ID + ">"
	case render.Channel:
		return "<#" + m.ID + ">"
	}
	return ""
}

func isID(id string) bool {
	return id != "" && len(id) <= 20 && strings.Trim(id, "0123456789") == ""
}

var (
	urlEscapes  = strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20")
	maskEscapes = strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "(", "%28", ")", "%29")
)

// link writes a link, without a preview of what it leads to. A label that looks like an address is not
// taken as a label by Discord, so it stands before the address.
func link(url, label string) string {
	label = strings.Join(strings.Fields(label), " ")
	bare := strings.TrimPrefix(url, "mailto:")
	web := strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
	switch {
	case !web && (label == bare || label == ""):
		return Escape(bare)
	case !web:
		return Escape(label + " (" + bare + ")")
	case label == url || label == "":
		return "<" + urlEscapes.Replace(url) + ">"
	case strings.Contains(label, "://"):
		return Escape(label) + " (<" + urlEscapes.Replace(url) + ">)"
	default:
		text := strings.ReplaceAll(Escape(label), "]", `\]`)
		return "[" + text + "](<" + maskEscapes.Replace(url) + ">)"
	}
}

// inlineWriter writes pieces with the marks of their styles around them.
type inlineWriter struct {
	escaper
	open   []styleMark
	closed bool // the last thing written is a mark that closed a style
}

type styleMark struct {
	style render.Style
	mark  string
}

// turn closes and opens styles until exactly these are on. next is what follows.
func (w *inlineWriter) turn(style render.Style, next string) {
	keep := 0
	for keep < len(w.open) && style&w.open[keep].style != 0 {
		keep++
	}
	for i := len(w.open) - 1; i >= keep; i-- {
		w.mark(w.open[i].mark)
		w.closed = true
	}
	w.open = w.open[:keep]
	for _, s := range []styleMark{{render.Strike, "~~"}, {render.Strong, "**"}, {render.Emphasis, "*"}} {
		if style&s.style == 0 || w.on(s.style) {
			continue
		}
		if w.closed && strings.HasSuffix(w.b.String(), s.mark[:1]) {
			w.b.WriteString("\u200B") // else the two marks would be read as one
		}
		w.closed = false
		w.mark(s.mark)
		w.open = append(w.open, s)
	}
	w.closed = w.closed && next == ""
}

// mark writes markup, which changes nothing about where in the line the text is: Discord looks for what
// begins a line before it looks for styles.
func (w *inlineWriter) mark(m string) {
	w.b.WriteString(m)
	w.lineStart, w.digits = false, false
}

func (w *inlineWriter) on(style render.Style) bool {
	for _, s := range w.open {
		if s.style == style {
			return true
		}
	}
	return false
}
