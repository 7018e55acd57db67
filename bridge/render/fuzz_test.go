package render_test

import (
	"strings"
	"testing"

	"bullpen/bridge/render"
)

func seed(f *testing.F) {
	for _, in := range []string{
		"", "**b** *i* ~~s~~ [t](https://e.test/a_b_c) # H", "`2 ** 3 * 4`", "**<https://e.test/1>**",
		"| a | b |\n|--|:-:|\n| **Speed** | x || y |\n|`a\\|b`|", "中**粗**文 **注意：**请", "a\xff\x00\r\nb",
		"```py foo bar\nx\n", "> - a\n>   b\n>\n>   c", "- [X] \n  1) 00", "***a** b* _c_d", "![x](http://a.b)",
		"[u]: done\n[v][u]", "<div>\n<!channel> &amp;lt;", "@alice \\@alice ＠alice", "# #\n\n***\n\n+", "1) a\n2) b\n\n- x",
		"👨‍👩‍👧‍👦e\u0301\u202e", "https://e.test/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	} {
		f.Add(in)
	}
}

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in string) {
		doc := render.Parse(in, render.Options{Mentions: roster})
		visible := render.Visible(strings.ReplaceAll(in, "\x00", "\uFFFD"))
		if doc.Empty() != (visible == "") {
			t.Fatalf("%q: empty is %v", in, doc.Empty())
		}
		render.Console(doc)
		plain := parse(in)
		out := render.Markdown(plain)
		if want, got := render.Visible(plain.Text()), render.Visible(parse(out).Text()); want != got {
			t.Fatalf("%q, written as %q, reads %q, want %q", in, out, got, want)
		}
	})
}

func FuzzSplit(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in string) {
		doc := render.Parse(in, render.Options{Mentions: roster})
		for _, limit := range []int{16, 40, 200} {
			for _, unit := range units {
				checkParts(t, doc, render.Split(doc, limit, markdownIn(unit)), limit, unit)
			}
		}
	})
}
