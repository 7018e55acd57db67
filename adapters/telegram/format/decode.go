package format

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"bullpen/bridge/render"
)

// MentionKind says what a mention in a received text is.
type MentionKind string

// The kinds of mention.
const (
	Username MentionKind = "username" // @name, which may be nobody's
	Account  MentionKind = "account"  // somebody without a name, by id
	Command  MentionKind = "command"  // /verb or /verb@bot
)

// Mention is a range of bytes in a decoded text.
type Mention struct {
	Start, End int
	Kind       MentionKind
	// Word is what stands there.
	Word string
	// ID is an account's.
	ID int64
}

// Decode makes plain text of a message's text and entities, and finds what it mentions. A link under
// other words is spelled out behind them. Entities that lie outside of the text, or end inside a
// character, are as good as absent.
func Decode(text string, entities []Entity) (string, []Mention) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	entities = slices.Clone(entities)
	slices.SortStableFunc(entities, func(a, b Entity) int { return cmp.Compare(a.Offset, b.Offset) })
	at := newPositions(text)
	type insert struct {
		at   int
		text string
	}
	var inserts []insert
	var out []Mention
	for _, e := range entities {
		start, end, ok := at.span(e)
		if !ok {
			continue
		}
		word := text[start:end]
		switch {
		case e.Type == "mention":
			out = append(out, Mention{Start: start, End: end, Kind: Username, Word: word})
		case e.Type == "bot_command":
			out = append(out, Mention{Start: start, End: end, Kind: Command, Word: word})
		case e.Type == "text_mention" && e.User != nil:
			out = append(out, Mention{Start: start, End: end, Kind: Account, Word: word, ID: e.User.ID})
		case e.Type == "text_link" && e.URL != "" && e.URL != word:
			inserts = append(inserts, insert{end, " (" + e.URL + ")"})
		}
	}
	for i := len(inserts) - 1; i >= 0; i-- {
		in := inserts[i]
		text = text[:in.at] + in.text + text[in.at:]
		for k := range out {
			if out[k].Start >= in.at {
				out[k].Start += len(in.text)
				out[k].End += len(in.text)
			}
		}
	}
	return text, out
}

// positions turns offsets in UTF-16 units into offsets in bytes; -1 is inside a character.
type positions []int

func newPositions(text string) positions {
	out := make(positions, 0, len(text)+1)
	for i, r := range text {
		out = append(out, i)
		if render.UTF16(string(r)) == 2 {
			out = append(out, -1)
		}
	}
	return append(out, len(text))
}

func (p positions) span(e Entity) (start, end int, ok bool) {
	if e.Offset < 0 || e.Length <= 0 || e.Length >= len(p) || e.Offset > len(p)-1-e.Length {
		return 0, 0, false
	}
	start, end = p[e.Offset], p[e.Offset+e.Length]
	return start, end, start >= 0 && end >= 0
}

// CutCommand takes "/verb@bot" apart.
func CutCommand(word string) (verb, bot string) {
	verb, bot, _ = strings.Cut(strings.TrimPrefix(word, "/"), "@")
	return verb, bot
}

// Clip shortens a text to a limit in UTF-16 units, for what may not be split.
func Clip(text string, limit int) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return render.Truncate(text, limit, render.UTF16)
}
