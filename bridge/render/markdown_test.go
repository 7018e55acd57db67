package render_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func TestMarkdownReadsBackAsTheSameDocument(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"**b** *i* ~~s~~ `c` [t](https://e.test/a_b_c)",
		"# One\n\n###### Six *x*",
		"- a\n- b\n  - c\n\n    d\n- [ ] e\n- [x] f",
		"1. a\n2. b\n\n   ```go\n   x\n\n   y\n   ```\n3. c",
		"- a\n\n* b",
		"> a\n>\n> > b\n>\n> - c",
		"````\n```\nx\n```\n````",
		"| a | b |\n| :-- | --: |\n| `x\\|y` | [t](https://e.test/?a=1&b=2) |\n| | \\| |",
		"---",
		"\\# not a title\n\\- nor a list\n1\\. nor this\n\\> nor that",
		"snake_case \\_x\\_ \\*y\\* 2 \\* 3 a\\<b\\> \\`c\\` \\[d\\](e) \\&amp;",
		"``a`b`` `` ` ``",
		"https://e.test/x <https://e.test/(y> kim@e.test",
		"中**粗**文",
		"a\nb\n\nc",
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			want := parse(in)
			out := render.Markdown(want)
			if diff := cmp.Diff(want, parse(out)); diff != "" {
				t.Errorf("%q was written as %q (-want +got):\n%s", in, out, diff)
			}
		})
	}
}

func TestMarkdownKeepsTheTextOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, _ := drawMarkdown(t)
		doc := parse(in)
		out := render.Markdown(doc)
		if want, got := render.Visible(doc.Text()), render.Visible(parse(out).Text()); want != got {
			t.Fatalf("%q, written as %q, reads %q, want %q", in, out, got, want)
		}
	})
}

func TestHTMLIsNeverWrittenAsHTML(t *testing.T) {
	t.Parallel()
	got := render.Markdown(parse("<div onclick=x>\n\na <b>c</b>"))
	want := "\\<div onclick=x>\n\na \\<b>c\\</b>"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
