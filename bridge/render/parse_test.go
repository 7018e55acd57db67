package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func parse(text string) *render.Document { return render.Parse(text, render.Options{}) }

func text(s string) render.Inline { return render.Inline{Text: s} }

func styled(s string, style render.Style) render.Inline { return render.Inline{Text: s, Style: style} }

func code(s string) render.Inline { return render.Inline{Kind: render.CodeSpan, Text: s} }

func link(s, url string) render.Inline { return render.Inline{Text: s, Link: url} }

var lineEnd = render.Inline{Kind: render.Break, Text: "\n"}

func para(inlines ...render.Inline) *render.Paragraph { return &render.Paragraph{Inlines: inlines} }

func TestParseReadsWhatColleaguesWrite(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   string
		want []render.Block
	}{
		"styles": {
			"**b** *i* ~~s~~ ***bi***",
			[]render.Block{para(styled("b", render.Strong), text(" "), styled("i", render.Emphasis), text(" "),
				styled("s", render.Strike), text(" "), styled("bi", render.Strong|render.Emphasis))},
		},
		"link and a mark in mid-line": {
			"[t](https://e.test/a_b_c) # H",
			[]render.Block{para(link("t", "https://e.test/a_b_c"), text(" # H"))},
		},
		"code is untouched": {"`2 ** 3 * 4`", []render.Block{para(code("2 ** 3 * 4"))}},
		"bold around an address": {
			"**<https://e.test/1>**",
			[]render.Block{para(render.Inline{Text: "https://e.test/1", Style: render.Strong, Link: "https://e.test/1"})},
		},
		"bold in CJK":                  {"中**粗**文", []render.Block{para(text("中"), styled("粗", render.Strong), text("文"))}},
		"bold before CJK punctuation":  {"**注意：**请看", []render.Block{para(styled("注意：", render.Strong), text("请看"))}},
		"identifiers":                  {"snake_case_name", []render.Block{para(text("snake_case_name"))}},
		"a line end is a line end":     {"a\nb  \nc\\\nd", []render.Block{para(text("a"), lineEnd, text("b"), lineEnd, text("c"), lineEnd, text("d"))}},
		"character references stay":    {"&lt; &amp;lt; &#39; it's", []render.Block{para(text("&lt; &amp;lt; &#39; it's"))}},
		"escapes go":                   {`\*a\* C:\dir`, []render.Block{para(text(`*a* C:\dir`))}},
		"inline HTML is text":          {"a <b>c</b> d", []render.Block{para(text("a "), text("<b>"), text("c"), text("</b>"), text(" d"))}},
		"an HTML block is text":        {"<div>\n**x**\n</div>", []render.Block{&render.Raw{Text: "<div>\n**x**\n</div>"}}},
		"heading":                      {"## A *b* ##", []render.Block{&render.Heading{Level: 2, Inlines: []render.Inline{text("A "), styled("b", render.Emphasis)}}}},
		"rule":                         {"a\n\n---", []render.Block{para(text("a")), &render.Rule{}}},
		"fence":                        {"```go\n**x**\n\ty\n```", []render.Block{&render.Code{Info: "go", Text: "**x**\n\ty"}}},
		"a fence never closed":         {"```py\nx = 1", []render.Block{&render.Code{Info: "py", Text: "x = 1"}}},
		"an empty fence shows nothing": {"a\n\n```\n```", []render.Block{para(text("a"))}},
		"words behind a fence stay":    {"```see the tail\nx\n```", []render.Block{&render.Code{Text: "see the tail\nx"}}},
		"attributes are an info":       {"```go title=\"x.go\"\nx\n```", []render.Block{&render.Code{Info: `go title="x.go"`, Text: "x"}}},
		"quote":                        {"> a\n> b", []render.Block{&render.Quote{Blocks: []render.Block{para(text("a"), lineEnd, text("b"))}}}},
		"tasks": {
			"- [ ] a\n- [x] b\n- c",
			[]render.Block{&render.List{Items: []render.Item{
				{Task: render.TaskOpen, Blocks: []render.Block{para(text("a"))}},
				{Task: render.TaskDone, Blocks: []render.Block{para(text("b"))}},
				{Blocks: []render.Block{para(text("c"))}},
			}}},
		},
		"a list in a list": {
			"3. a\n   - b",
			[]render.Block{&render.List{Ordered: true, Start: 3, Items: []render.Item{{Blocks: []render.Block{
				para(text("a")), &render.List{Items: []render.Item{{Blocks: []render.Block{para(text("b"))}}}},
			}}}}},
		},
		"table": {
			"| a | b |\n|:--|--:|\n| **Speed** | `x\\|y` |\n| short |",
			[]render.Block{&render.Table{
				Align:  []render.Align{render.AlignLeft, render.AlignRight},
				Header: []render.Cell{{text("a")}, {text("b")}},
				Rows: [][]render.Cell{
					{{styled("Speed", render.Strong)}, {code("x|y")}},
					{{text("short")}, nil},
				},
			}},
		},
		"cells beyond the last column stay": {
			"|a|b|\n|-|-|\n|1|2 || 3|4|",
			[]render.Block{&render.Table{
				Align:  make([]render.Align, 2),
				Header: []render.Cell{{text("a")}, {text("b")}},
				Rows:   [][]render.Cell{{{text("1")}, {text("2 || 3|4")}}},
			}},
		},
		"a table right below text": {
			"see:  \n|a|\n|-|",
			[]render.Block{para(text("see:")), &render.Table{Align: make([]render.Align, 1), Header: []render.Cell{{text("a")}}}},
		},
		"a picture in a link": {
			"[![alt](https://e.test/p.png)](https://e.test/x)",
			[]render.Block{para(link("alt", "https://e.test/x"))},
		},
		"bare links": {
			"see https://e.test?a=1&b=2, www.e.test or kim@e.test.",
			[]render.Block{para(text("see "), link("https://e.test?a=1&b=2", "https://e.test?a=1&b=2"), text(", "),
				link("www.e.test", "http://www.e.test"), text(" or "), link("kim@e.test", "mailto:kim@e.test"), text("."))},
		},
		"hosts without a dot": {
			"at http://localhost:3000/x: (http://10.0.0.1:80) *https://e.test/y*",
			[]render.Block{para(text("at "), link("http://localhost:3000/x", "http://localhost:3000/x"), text(": ("),
				link("http://10.0.0.1:80", "http://10.0.0.1:80"), text(") "),
				render.Inline{Text: "https://e.test/y", Style: render.Emphasis, Link: "https://e.test/y"})},
		},
		"an address before CJK": {"看 https://e.test/x。好", []render.Block{para(text("看 "), link("https://e.test/x", "https://e.test/x"), text("。好"))}},
		"a definition given twice": {"[a]\n\n[a]: https://e.test/1\n[a]: https://e.test/2", []render.Block{
			para(link("a", "https://e.test/1")), &render.Raw{Text: "[a]: https://e.test/2"},
		}},
		"a picture is a link":             {"![alt](https://e.test/p.png)", []render.Block{para(link("alt", "https://e.test/p.png"))}},
		"a link without a label":          {"[](https://e.test/x)", []render.Block{para(link("https://e.test/x", "https://e.test/x"))}},
		"a path is spelled out":           {"[f](src/main.go)", []render.Block{para(text("f"), text(" (src/main.go)"))}},
		"a script is spelled out":         {"[x](javascript:alert(1))", []render.Block{para(text("x"), text(" (javascript:alert(1))"))}},
		"a reference":                     {"[t][1]\n\n[1]: https://e.test/1", []render.Block{para(link("t", "https://e.test/1"))}},
		"a definition nobody uses":        {"[note]: this", []render.Block{&render.Raw{Text: "[note]: this"}}},
		"marks alone are themselves":      {"#", []render.Block{para(text("#"))}},
		"a fence alone is itself":         {"```", []render.Block{para(text("```"))}},
		"nothing":                         {" \n\t", nil},
		"carriage returns":                {"a\r\nb\rc", []render.Block{para(text("a"), lineEnd, text("b"), lineEnd, text("c"))}},
		"what is no UTF-8 is marked":      {"a\xff\x00b", []render.Block{para(text("a\uFFFD\uFFFDb"))}},
		"an unknown notation":             {"<office:thing>", []render.Block{para(text("<office:thing>"))}},
		"a Slack broadcast is plain text": {"<!channel> hi", []render.Block{para(text("<!channel> hi"))}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := parse(tt.in)
			if diff := cmp.Diff(tt.want, got.Blocks); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestLanguageIsWhatAHighlighterKnows(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"go": "go", "c++": "c++", "objective-c": "objective-c", `go title="x.go"`: "go", "": "",
		"{.r}": "", "a=b": "", "go\ttitle=x": "go", strings.Repeat("x", 33): "", "日本": "",
	} {
		if got := (&render.Code{Info: info}).Language(); got != want {
			t.Errorf("the language of %q is %q, want %q", info, got, want)
		}
	}
}

// roster knows @alice, @张三, @dr.no and #dev.
func roster(token string) (render.Mention, bool) {
	switch token {
	case "@alice":
		return render.Mention{Kind: render.Colleague}, true
	case "@张三", "@dr.no":
		return render.Mention{Kind: render.Person, ID: "U1", Label: token}, true
	case "#dev":
		return render.Mention{Kind: render.Channel, ID: "C1"}, true
	}
	return render.Mention{}, false
}

func TestNamesAreMentionsWhereTheyAreAddresses(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"@alice":                             {"@alice"},
		"(@alice), hey,@alice: @alice's":     {"@alice", "@alice", "@alice"},
		"@alice. @alice-- @alice...":         {"@alice", "@alice", "@alice"},
		"请@张三，看一下 #dev":                      {"@张三", "#dev"},
		"＠alice ＃dev":                        {"＠alice", "＃dev"},
		"@dr.no.":                            {"@dr.no"},
		"**@alice** *#dev*":                  {"@alice", "#dev"},
		"- @alice\n\n| #dev |\n|---|\n| x |": {"@alice", "#dev"},
		"@alicex @bob $5 C#dev":              nil,
		"kim@alice.example git@alice:repo":   nil,
		"https://x.test/@alice":              nil,
		"@alice-x @alice.x @alice_":          nil,
		"@alice**bold**":                     nil,
		`\@alice \#dev`:                      nil,
		"`@alice` [@alice](https://x.test)":  nil,
		"```\n@alice\n```":                   nil,
		"> @alice said so":                   nil,
		"<b title='@alice'>":                 nil,
	}
	for in, want := range tests {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			doc := render.Parse(in, render.Options{Mentions: roster})
			if diff := cmp.Diff(want, mentions(doc.Blocks)); diff != "" {
				t.Errorf("mentions of %q (-want +got):\n%s", in, diff)
			}
			if plain := parse(in); plain.Text() != doc.Text() {
				t.Errorf("mentions changed the text: %q, want %q", doc.Text(), plain.Text())
			}
		})
	}
}

func mentions(blocks []render.Block) []string {
	var out []string
	add := func(inlines []render.Inline) {
		for _, in := range inlines {
			if in.Kind == render.MentionSpan {
				out = append(out, in.Text)
			}
		}
	}
	for _, block := range blocks {
		switch block := block.(type) {
		case *render.Paragraph:
			add(block.Inlines)
		case *render.Heading:
			add(block.Inlines)
		case *render.Quote:
			out = append(out, mentions(block.Blocks)...)
		case *render.List:
			for _, item := range block.Items {
				out = append(out, mentions(item.Blocks)...)
			}
		case *render.Table:
			for _, row := range append([][]render.Cell{block.Header}, block.Rows...) {
				for _, cell := range row {
					add(cell)
				}
			}
		}
	}
	return out
}

func TestLiteralTextIsNotReadAsMarkdown(t *testing.T) {
	t.Parallel()
	in := "*x* `y` # z\n\n    - a &lt; <b> @alice"
	doc := render.Literal(in, render.Options{Mentions: roster})
	if got := doc.Text(); got != in {
		t.Errorf("Literal reads %q, want %q", got, in)
	}
	if got := mentions(doc.Blocks); len(got) != 1 {
		t.Errorf("mentions %q, want @alice", got)
	}
}

// hostile texts of n characters or so, made to be slow, deep or large.
func hostile(n int) map[string]string {
	out := map[string]string{}
	for _, unit := range []string{
		">", "- ", "# ", "#", "1. ", "[", "[a](", "![", "*a ", "*a **a ", "_a_", "`", "<", "<a ", "~a ", "> - ", "]", "a]()",
		"<![CDATA[", "<!--", "www.a", "https://", "a@", "*", "_", `\`, "[a]: b\n", "[a]\n", "\t", ">\n", "-\n", "|",
		"|-", "👨‍👩‍👧‍👦", "e\u0301", "\u202e", "**中：**", `\@`, "@a ", "[*a* b](https://e.test) ", "a\u0300\u0300\u0300",
	} {
		out[unit] = strings.Repeat(unit, n/len(unit))
	}
	out["wide table"] = strings.Repeat("|a", 60) + "|\n" + strings.Repeat("|-", 60) + "|\n" + strings.Repeat("a\n", n/3)
	out["wider table"] = strings.Repeat("|a", n/8) + "|\n" + strings.Repeat("|-", n/8) + "|\n" + strings.Repeat("a\n", n/4)
	out["styles in a link"] = "[" + strings.Repeat("*a* b ", n/6) + "](https://e.test)"
	var deep, ticks strings.Builder
	for i := 0; deep.Len() < n; i++ {
		deep.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	for i := 1; ticks.Len() < n; i++ {
		ticks.WriteString(strings.Repeat("`", i) + " ")
	}
	out["deep list"], out["growing ticks"] = deep.String(), ticks.String()
	return out
}

func TestHostileTextsAreReadInTime(t *testing.T) {
	t.Parallel()
	for name, in := range hostile(40_000) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			doc := parse(in)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
			if doc.Empty() && render.Visible(in) != "" {
				t.Error("nothing is left of a visible text")
			}
			if depth := depthOf(doc.Blocks); depth > 17 {
				t.Errorf("%d blocks deep", depth)
			}
		})
	}
}

func TestHostileTextsSplit(t *testing.T) {
	t.Parallel()
	for name, in := range hostile(5000) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := parse(in)
			checkParts(t, doc, render.Split(doc, 1000, markdownIn(render.UTF16)), 1000, render.UTF16)
		})
	}
}

func depthOf(blocks []render.Block) int {
	most := 0
	for _, block := range blocks {
		switch block := block.(type) {
		case *render.Quote:
			most = max(most, depthOf(block.Blocks))
		case *render.List:
			for _, item := range block.Items {
				most = max(most, depthOf(item.Blocks))
			}
		}
	}
	return most + 1
}

// drawMarkdown makes a text of fragments with a word of its own each, and returns the words.
func drawMarkdown(t *rapid.T) (string, []string) {
	fragments := []string{
		"%s ", "%s\n", "\n\n%s\n", "**%s** ", "*%s* ", "~~%s~~ ", "`%s` ", "[%s](https://e.test/x) ", "<b>%s</b> ",
		"\n\n# %s\n\n", "\n- %s\n", "\n1. %s\n", "\n   - [x] %s\n", "\n> %s\n", "\n```go\n%s\n```\n", "\n```\n%s\n",
		"\n\n| %s | b |\n|---|---|\n| c | d | e |\n", "\n<div>%s</div>\n\n", "&lt;%s&gt; ", "**%s：**请", "@alice %s ",
		"\n\n---\n\n%s", "\n    %s\n", "\\*%s\\_ ", "***%s** ", "[%s] ", "|%s|", "👨‍👩‍👧‍👦%s ", "\n\n[%s]: x y\n\n", "_%s",
	}
	var b strings.Builder
	var words []string
	for i := range rapid.IntRange(1, 40).Draw(t, "n") {
		word := fmt.Sprintf("word%dq", i)
		words = append(words, word)
		fmt.Fprintf(&b, rapid.SampledFrom(fragments).Draw(t, "fragment"), word)
	}
	return b.String(), words
}

func TestNoWordIsLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, words := drawMarkdown(t)
		got := parse(in).Text()
		for _, word := range words {
			at := strings.Index(got, word)
			if at < 0 {
				t.Fatalf("%q is missing from %q, read from %q", word, got, in)
			}
		}
	})
}
