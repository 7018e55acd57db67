package format

import (
	"strconv"
	"strings"

	"bullpen/bridge/render"
)

const (
	// MaxText is the length of a message's text in UTF-16 units
	// (core.telegram.org/bots/api#sendmessage).
	MaxText = 4096
	// maxEntities is how many entities of one message Telegram shows; it ignores more. Nobody documents
	// the number, so nothing but the look depends on it.
	maxEntities = 100
	// maxIndent bounds how far lists within lists are indented.
	maxIndent = 6
)

// Entity is a piece of a text that is shown in some way
// (core.telegram.org/bots/api#messageentity). Offset and Length are in UTF-16 units.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
	User     *User  `json:"user,omitempty"`
}

// User is whom a text_mention names.
type User struct {
	ID int64 `json:"id"`
	// IsBot and FirstName are fields that every User has; Telegram reads only the id.
	IsBot     bool   `json:"is_bot"`
	FirstName string `json:"first_name"`
}

// Length is the measure of a message for render.Split, against MaxText.
func Length(doc *render.Document) int {
	text, _ := Write(doc)
	return render.UTF16(text)
}

// Write writes a document as a text and its entities, which never overlap without one holding the other
// and never end inside a character.
func Write(doc *render.Document) (string, []Entity) {
	var w writer
	w.blocks(doc.Blocks, 0, false)
	return w.finish()
}

// Builder puts a message together from pieces. The zero value is empty.
type Builder struct{ w writer }

// Plain adds text as it stands, Styled text under one entity.
func (b *Builder) Plain(text string) { b.w.put(text) }

// Styled adds text that is one entity of this type.
func (b *Builder) Styled(kind, text string) {
	from := b.w.at
	b.w.put(text)
	b.w.mark(Entity{Type: kind, Offset: from})
}

// Document adds a document.
func (b *Builder) Document(doc *render.Document) {
	text, entities := Write(doc)
	for _, e := range entities {
		e.Offset += b.w.at
		b.w.entities = append(b.w.entities, e)
	}
	b.w.put(text)
}

// Message is what was put together.
func (b *Builder) Message() (string, []Entity) { return b.w.finish() }

// writer writes text and remembers where it is in it, in UTF-16 units.
type writer struct {
	b        strings.Builder
	at       int
	entities []Entity
	lines    int // line ends at the end of the text
}

func (w *writer) put(text string) {
	if text == "" {
		return
	}
	w.b.WriteString(text)
	w.at += render.UTF16(text)
	kept := strings.TrimRight(text, "\n")
	if kept != "" {
		w.lines = 0
	}
	w.lines += len(text) - len(kept)
}

// mark ends an entity where the text ends.
func (w *writer) mark(e Entity) {
	if e.Length = w.at - e.Offset; e.Length > 0 {
		w.entities = append(w.entities, e)
	}
}

// gap sees to it that n line ends stand before what comes next.
func (w *writer) gap(n int) {
	if w.at > 0 && w.lines < n {
		w.put(strings.Repeat("\n", n-w.lines))
	}
}

// finish cuts what Telegram would cut, the white space at the end, off the text and its entities.
func (w *writer) finish() (string, []Entity) {
	text := strings.TrimRight(w.b.String(), " \t\n")
	end := render.UTF16(text)
	var kept []Entity
	for _, e := range w.entities {
		e.Length = min(e.Length, end-e.Offset)
		if e.Length > 0 && len(kept) < maxEntities {
			kept = append(kept, e)
		}
	}
	return text, kept
}

// blocks writes blocks with an empty line between them, or none where they are tight.
func (w *writer) blocks(blocks []render.Block, depth int, tight bool) {
	for i, block := range blocks {
		switch {
		case i == 0:
		case tight:
			w.gap(1)
		default:
			w.gap(2)
		}
		w.block(block, depth)
	}
}

func (w *writer) block(block render.Block, depth int) {
	switch block := block.(type) {
	case *render.Paragraph:
		w.inlines(block.Inlines, 0)
	case *render.Heading:
		w.inlines(block.Inlines, render.Strong)
	case *render.Raw:
		w.put(block.Text)
	case *render.Rule:
		w.put("———")
	case *render.Code:
		w.pre(block.Text, block.Language())
	case *render.Table:
		w.pre(strings.TrimSuffix(render.Grid(block, func(c render.Cell) string { return render.InlineText(c) }), "\n"), "")
	case *render.Quote:
		w.quote(block, depth)
	case *render.List:
		w.list(block, depth)
	}
}

func (w *writer) pre(text, language string) {
	from := w.at
	w.put(text)
	w.mark(Entity{Type: "pre", Offset: from, Language: language})
}

// quote is one entity; quotes within it are part of it, since Telegram nests none.
func (w *writer) quote(q *render.Quote, depth int) {
	from := w.at
	w.blocks(render.Unquoted(q.Blocks), depth, false)
	w.mark(Entity{Type: "blockquote", Offset: from})
}

func (w *writer) list(list *render.List, depth int) {
	for i, item := range list.Items {
		w.gap(min(i, 1))
		w.put(strings.Repeat("  ", min(depth, maxIndent)))
		switch {
		case item.Continued:
			w.put("  ")
		case list.Ordered:
			w.put(strconv.Itoa(list.Start+i) + ". ")
		default:
			w.put("• ")
		}
		switch item.Task {
		case render.TaskOpen:
			w.put("☐ ")
		case render.TaskDone:
			w.put("☑ ")
		}
		if len(item.Blocks) > 0 {
			if _, nested := item.Blocks[0].(*render.List); nested {
				w.gap(1)
			}
		}
		w.blocks(item.Blocks, depth+1, true)
	}
}

var styles = []struct {
	style render.Style
	kind  string
}{{render.Strong, "bold"}, {render.Emphasis, "italic"}, {render.Strike, "strikethrough"}}

func (w *writer) inlines(inlines []render.Inline, style render.Style) {
	link := 0 // where the link of the runs before began
	for i, in := range inlines {
		if in.Link != "" && (i == 0 || inlines[i-1].Link != in.Link) {
			link = w.at
		}
		from := w.at
		w.put(in.Text)
		switch {
		case in.Kind == render.CodeSpan && in.Link == "":
			w.mark(Entity{Type: "code", Offset: from})
		case in.Kind != render.CodeSpan:
			w.mention(in, from)
			w.styled(in.Text, in.Style|style, from)
		}
		if in.Link != "" && (i+1 == len(inlines) || inlines[i+1].Link != in.Link) {
			w.link(in.Link, link)
		}
	}
}

// mention is the native mention of a person.
func (w *writer) mention(in render.Inline, from int) {
	if in.Kind != render.MentionSpan || in.Mention.Kind != render.Person || in.Link != "" {
		return
	}
	if id, err := strconv.ParseInt(in.Mention.ID, 10, 64); err == nil && id > 0 {
		w.mark(Entity{Type: "text_mention", Offset: from, User: &User{ID: id, FirstName: strings.TrimPrefix(in.Text, "@")}})
	}
}

// styled marks a run without the white space at its ends, which carries no style.
func (w *writer) styled(text string, style render.Style, from int) {
	core := strings.TrimSpace(text)
	if style == 0 || core == "" {
		return
	}
	lead, _, _ := strings.Cut(text, core)
	for _, s := range styles {
		if style&s.style != 0 {
			w.entities = append(w.entities, Entity{Type: s.kind, Offset: from + render.UTF16(lead), Length: render.UTF16(core)})
		}
	}
}

// link is a link under the text since from; one that is its own label Telegram finds by itself.
func (w *writer) link(url string, from int) {
	label := strings.TrimPrefix(url, "mailto:")
	if strings.HasSuffix(w.b.String(), label) && w.at-from == render.UTF16(label) {
		return
	}
	w.mark(Entity{Type: "text_link", Offset: from, URL: url})
}
