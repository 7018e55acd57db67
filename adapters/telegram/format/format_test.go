package format

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func people(token string) (render.Mention, bool) {
	if token == "@kim" {
		return render.Mention{Kind: render.Person, ID: "42", Label: "@Kim"}, true
	}
	return render.Mention{}, false
}

// shown lists the entities as "bold: text".
func shown(text string, entities []Entity) []string {
	u := utf16.Encode([]rune(text))
	var out []string
	for _, e := range entities {
		out = append(out, e.Type+": "+string(utf16.Decode(u[e.Offset:e.Offset+e.Length])))
	}
	return out
}

func TestWhatColleaguesWriteIsShownNatively(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in, text string
		marks    []string
	}{
		"plain":    {"hi", "hi", nil},
		"tags":     {"From: Kim <kim@e.test> & <b>not closed </a> 3 < 5", "From: Kim kim@e.test & <b>not closed </a> 3 < 5", nil},
		"styles":   {"🎉 **b** *i* ~~s~~ `c`", "🎉 b i s c", []string{"bold: b", "italic: i", "strikethrough: s", "code: c"}},
		"heading":  {"# One\n\ntwo", "One\n\ntwo", []string{"bold: One"}},
		"list":     {"- a\n- b\n  1. c\n  2. d", "• a\n• b\n  1. c\n  2. d", nil},
		"tasks":    {"- [ ] a\n- [x] b", "• ☐ a\n• ☑ b", nil},
		"quote":    {"> a\n> > b\n\nc", "a\n\nb\n\nc", []string{"blockquote: a\n\nb"}},
		"code":     {"```go\nx := 1\n```\n\nend", "x := 1\n\nend", []string{"pre: x := 1"}},
		"table":    {"|a|b|\n|-|-|\n|1|22|", "a | b\n--+---\n1 | 22", []string{"pre: a | b\n--+---\n1 | 22"}},
		"link":     {"[site](https://x.test) and https://y.test", "site and https://y.test", []string{"text_link: site"}},
		"mention":  {"ask @kim or @alice", "ask @Kim or @alice", []string{"text_mention: @Kim"}},
		"brackets": {"a_b*c [x] (y) .!", "a_b*c [x] (y) .!", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, entities := Write(render.Parse(tc.in, render.Options{Mentions: people}))
			if text != tc.text || !slices.Equal(shown(text, entities), tc.marks) {
				t.Errorf("%q, %q", text, shown(text, entities))
			}
		})
	}
}

// Whatever is written: entities lie within the text, end at characters, and nest.
func TestEntitiesAreAlwaysGood(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"🎉", "**", "*", "_", "~~", "`", "\n", "\n\n", "> ", "- ", "1. ", "[x](https://a.test)", "```\n", "|a|b|\n|-|-|\n", "word ", "𠀀", "@kim", "# ", " "})
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		doc := render.Parse(in, render.Options{Mentions: people})
		for _, part := range render.Split(doc, 60, Length) {
			text, entities := Write(part)
			at := newPositions(text)
			if n := len(at) - 1; n > 60 {
				t.Fatalf("%d units", n)
			}
			for i, e := range entities {
				if _, _, ok := at.span(e); !ok {
					t.Fatalf("%+v lies outside of %q", e, text)
				}
				for _, o := range entities[:i] {
					a, b, c, d := o.Offset, o.Offset+o.Length, e.Offset, e.Offset+e.Length
					if c < b && a < d && (c < a || d > b) && (a < c || b > d) {
						t.Fatalf("%+v and %+v overlap in %q", o, e, text)
					}
				}
			}
		}
	})
}

// Offsets count UTF-16 units (B13).
func TestMentionsAreFoundBehindEmoji(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text     string
		entities []Entity
		want     string
		found    []string
	}{
		"emoji":           {"🎉🎉 @office_bot @ada go", []Entity{{Type: "mention", Offset: 5, Length: 11}, {Type: "mention", Offset: 17, Length: 4}}, "", []string{"@office_bot", "@ada"}},
		"extension B":     {"𠀀 @office_bot", []Entity{{Type: "mention", Offset: 3, Length: 11}}, "", []string{"@office_bot"}},
		"command":         {"🚀 /tasks@office_bot", []Entity{{Type: "bot_command", Offset: 3, Length: 17}}, "", []string{"/tasks@office_bot"}},
		"text mention":    {"🎉 Kim", []Entity{{Type: "text_mention", Offset: 3, Length: 3, User: &User{ID: 5}}}, "", []string{"Kim"}},
		"beyond the text": {"ab", []Entity{{Type: "mention", Offset: 1, Length: 9}, {Type: "mention", Offset: 9, Length: 1}, {Type: "mention", Offset: -1, Length: 2}, {Type: "mention", Offset: 1, Length: 1 << 62}}, "", nil},
		"in a character":  {"🎉", []Entity{{Type: "mention", Offset: 1, Length: 1}}, "", nil},
		"link":            {"see this @ada", []Entity{{Type: "text_link", Offset: 4, Length: 4, URL: "https://x.test"}, {Type: "mention", Offset: 9, Length: 4}}, "see this (https://x.test) @ada", []string{"@ada"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, mentions := Decode(tc.text, tc.entities)
			if tc.want == "" {
				tc.want = tc.text
			}
			var found []string
			for _, m := range mentions {
				found = append(found, text[m.Start:m.End])
			}
			if text != tc.want || !slices.Equal(found, tc.found) {
				t.Errorf("%q, %q", text, found)
			}
		})
	}
}
