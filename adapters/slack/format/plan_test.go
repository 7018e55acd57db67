package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"pgregory.net/rapid"

	"bullpen/adapters/slack/format"
	"bullpen/bridge/render"
)

// people knows one person, one colleague and one channel, and two impostors.
func people(token string) (render.Mention, bool) {
	switch token {
	case "@kim":
		return render.Mention{Kind: render.Person, ID: "U0KIM"}, true
	case "@alice":
		return render.Mention{Kind: render.Colleague}, true
	case "#dev":
		return render.Mention{Kind: render.Channel, ID: "C0DEV"}, true
	case "@mallory":
		return render.Mention{Kind: render.Person, ID: "U1> <!channel"}, true
	case "#mallory":
		return render.Mention{Kind: render.Channel, ID: "!here"}, true
	}
	return render.Mention{}, false
}

func one(t *testing.T, markdown string) format.Part {
	t.Helper()
	parts := format.Plan(markdown, people)
	if len(parts) != 1 {
		t.Fatalf("Plan(%q) has %d parts, want 1", markdown, len(parts))
	}
	return parts[0]
}

func TestTextReadsAsMrkdwn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"styles":                   {"**b** *i* ~~s~~", "*b* _i_ ~s~"},
		"link and mid-line mark":   {"[t](https://e.test/a_b_c) # H", "<https://e.test/a_b_c|t> # H"},
		"code span":                {"`2 ** 3 * 4`", "`2 ** 3 * 4`"},
		"fence":                    {"```py\n**x**\n```", "```\n**x**\n```"},
		"fence in a fence":         {"````\n```\n````", "```\n``\u200B`\n```"},
		"bold around an address":   {"**<https://e.test/1>**", "<https://e.test/1>"},
		"bold in CJK loses marks":  {"中**粗**文", "中粗文"},
		"identifiers":              {"snake_case_name", "snake_case_name"},
		"nested styles":            {"**a *b* c**", "*a* *_b_* *c*"},
		"a style inside a word":    {"un**frigging**believable", "unfriggingbelievable"},
		"heading":                  {"# Ti *tle*", "*Ti* *_tle_*"},
		"the three characters":     {"a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"},
		"nothing else is encoded":  {"it's \"x\"", "it's \"x\""},
		"references are not read":  {"&lt;", "&amp;lt;"},
		"an address with &":        {"<https://e.test?a=1&b=2>", "<https://e.test?a=1&amp;b=2>"},
		"a bar in an address":      {"[t](https://e.test/a|b>c)", "<https://e.test/a%7Cb%3Ec|t>"},
		"mail":                     {"kim@e.test", "<mailto:kim@e.test|kim@e.test>"},
		"lists":                    {"- a\n- [x] b\n\n  3. c\n- [ ] d", "• a\n• ☑ b\n    3. c\n• ☐ d"},
		"quote":                    {"> a\n> b", "> a\n> b"},
		"rule":                     {"a\n\n---", "a\n\n———"},
		"table":                    {"|a|b|\n|-|-|\n|**Speed**|1|", "```\na     | b\n------+--\nSpeed | 1\n```"},
		"a person":                 {"@kim: hi", "<@U0KIM>: hi"},
		"a colleague is its name":  {"@alice: hi", "@alice: hi"},
		"a channel":                {"in #dev", "in <#C0DEV>"},
		"an id not of Slack's":     {"@mallory #mallory", "@mallory #mallory"},
		"code holds no mention":    {"`@kim`", "`@kim`"},
		"HTML":                     {"<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"},
		"a label cannot break out": {"[<!here>|x](https://e.test)", "<https://e.test|&lt;!here&gt;|x>"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := one(t, tt.in).Text; got != tt.want {
				t.Errorf("Plan(%q) reads\n%s\nwant\n%s", tt.in, got, tt.want)
			}
		})
	}
}

// shown is what a reader sees of blocks, in a notation of its own: styles as letters in braces, every
// element on a line.
func shown(blocks []slack.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		switch block := block.(type) {
		case *slack.RichTextBlock:
			for _, e := range block.Elements {
				fmt.Fprintln(&b, shownElement(e))
			}
		case *slack.DividerBlock:
			fmt.Fprintln(&b, "divider")
		case *slack.TableBlock:
			for _, row := range block.Rows {
				var cells []string
				for _, cell := range row {
					cells = append(cells, shownElement(cell.(*slack.TableRichTextCell).Elements[0]))
				}
				fmt.Fprintln(&b, "row "+strings.Join(cells, " / "))
			}
		default:
			fmt.Fprintf(&b, "%T\n", block)
		}
	}
	return strings.TrimSpace(b.String())
}

func shownElement(e slack.RichTextElement) string {
	switch e := e.(type) {
	case *slack.RichTextSection:
		return shownInlines(e.Elements)
	case *slack.RichTextQuote:
		return "quote " + shownInlines(e.Elements)
	case *slack.RichTextPreformatted:
		return strings.TrimSpace("pre"+strings.Repeat("|", e.Border)+" "+e.Language) + " " + shownInlines(e.Elements)
	case *slack.RichTextList:
		var items []string
		for _, item := range e.Elements {
			items = append(items, shownElement(item))
		}
		return fmt.Sprintf("%s%s %d+%d: %s", e.Style, strings.Repeat("|", e.Border), e.Indent, e.Offset, strings.Join(items, "; "))
	}
	return fmt.Sprintf("%T", e)
}

func shownInlines(inlines []slack.RichTextSectionElement) string {
	var b strings.Builder
	for _, in := range inlines {
		switch in := in.(type) {
		case *slack.RichTextSectionTextElement:
			b.WriteString(shownStyle(in.Text, in.Style))
		case *slack.RichTextSectionLinkElement:
			b.WriteString(shownStyle("<"+in.URL+"|"+in.Text+">", in.Style))
		case *slack.RichTextSectionUserElement:
			b.WriteString("<user " + in.UserID + ">")
		case *slack.RichTextSectionChannelElement:
			b.WriteString("<channel " + in.ChannelID + ">")
		default:
			fmt.Fprintf(&b, "%T", in)
		}
	}
	return strings.ReplaceAll(b.String(), "\n", "⏎")
}

func shownStyle(text string, style *slack.RichTextSectionTextStyle) string {
	if style == nil {
		return text
	}
	marks := ""
	for _, m := range []struct {
		on   bool
		mark string
	}{{style.Bold, "b"}, {style.Italic, "i"}, {style.Strike, "s"}, {style.Code, "c"}} {
		if m.on {
			marks += m.mark
		}
	}
	return "{" + marks + " " + text + "}"
}

func TestBlocksShowWhatWasMeant(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"styles":                 {"**b** *i* ~~s~~ ***x***", "{b b} {i i} {s s} {bi x}"},
		"link and mid-line mark": {"[t](https://e.test/a_b_c) # H", "<https://e.test/a_b_c|t> # H"},
		"code span":              {"`2 ** 3 * 4`", "{c 2 ** 3 * 4}"},
		"fence":                  {"```Python\n**x**\n```", "pre python **x**"},
		"bold around an address": {"**<https://e.test/1>**", "{b <https://e.test/1|>}"},
		"bold in CJK":            {"中**粗**文", "中{b 粗}文"},
		"identifiers":            {"snake_case_name", "snake_case_name"},
		"paragraphs":             {"a\nb\n\nc", "a⏎b⏎⏎c"},
		"heading":                {"# A *b*\n\nc", "{b A }{bi b}⏎⏎c"},
		"nothing is encoded":     {"a < b && &lt; <b>", "a < b && &lt; <b>"},
		"mentions":               {"@kim @alice #dev @mallory", "<user U0KIM> @alice <channel C0DEV> @mallory"},
		"lists": {
			"a\n\n- b\n\n  7. c\n  8. [x] d\n- e",
			"a\nbullet 0+0: b\nordered 1+6: c; ☑ d\nbullet 0+0: e",
		},
		"code in a list": {
			"1. a\n   ```\n   x\n   ```\n2. b",
			"ordered 0+0: a\npre x\nordered 0+1: b",
		},
		"an empty item": {"- a\n-\n- b", "bullet 0+0: a; ; b"},
		"quote":         {"> **a**\n> b\n>\n> - c\n>\n> ```\n> d\n> ```", "quote {b a}⏎b\nbullet| 0+0: c\npre| d"},
		"rule":          {"a\n\n---\n\nb", "a\ndivider\nb"},
		"table": {
			"|a|b|\n|-|:-:|\n|**Speed**||\n|`x`|@kim|",
			"row {b a} / {b b}\nrow {b Speed} /\nrow {c x} / <user U0KIM>",
		},
		"a second table is text": {
			"|a|\n|-|\n|b|\n\n|c|\n|-|\n|d|",
			"row {b a}\nrow b\npre c⏎-⏎d",
		},
		"a table too wide is text": {
			strings.Repeat("|a", 21) + "|\n" + strings.Repeat("|-", 21) + "|",
			"pre a" + strings.Repeat(" | a", 20) + "⏎-" + strings.Repeat("-+--", 20),
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shown(one(t, tt.in).Blocks); strings.NewReplacer("/  \n", "/\n", ";  ;", "; ;").Replace(got) != tt.want {
				t.Errorf("Plan(%q) shows\n%s\nwant\n%s", tt.in, got, tt.want)
			}
		})
	}
}

func TestAListGoesOnInTheNextMessage(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 900)
	parts := format.Plan("4. first\n5. "+long+"\n   - inner\n6. last", nil)
	if len(parts) != 2 {
		t.Fatalf("%d parts, want 2", len(parts))
	}
	first, second := shown(parts[0].Blocks), shown(parts[1].Blocks)
	if !strings.HasPrefix(first, "ordered 0+3: first; word word") {
		t.Errorf("the first message shows %.80q", first)
	}
	if !strings.HasPrefix(second, "word ") || !strings.HasSuffix(second, "word\nbullet 1+0: inner\nordered 0+5: last") {
		t.Errorf("the second message shows %q", second)
	}
}

func TestATableBlockHasAnAlignmentForEveryColumn(t *testing.T) {
	t.Parallel()
	table := one(t, "|a|b|c|\n|-|:-:|--:|\n|1|2|3|").Blocks[0].(*slack.TableBlock)
	want := []slack.ColumnAlignment{slack.ColumnAlignmentLeft, slack.ColumnAlignmentCenter, slack.ColumnAlignmentRight}
	for i, setting := range table.ColumnSettings {
		if setting.Align != want[i] {
			t.Errorf("column %d is set %q, want %q", i, setting.Align, want[i])
		}
	}
}

func TestNothingWrittenCanPing(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"say @everyone, @here, <@&123> and <!channel>", "<!here>", "<!subteam^S1>", "<!subteam^S1|@eng>", "<@U123>",
		"**<!channel>**", "`<!channel>`", "```\n<!channel>\n```", "> <!channel>", "- <!channel>", "|<!channel>|\n|-|\n|<@U1>|",
		"[<!channel>](https://e.test)", "[x](<https://e.test/><!channel>)", "<https://e.test/|<!channel>>", "\\<!channel>",
		"&lt;!channel&gt;", "<\n!channel>", "<!CHANNEL>", "<#C1|x>", "[x](https://e.test/|<!channel>)", "@mallory",
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			for _, part := range format.Plan(in, people) {
				plain, mentions := format.Decode(part.Text)
				if len(mentions) != 0 {
					t.Errorf("%q mentions %+v", part.Text, mentions)
				}
				if strings.Contains(in, "channel") && !strings.Contains(plain, "channel") {
					t.Errorf("the words are gone: %q", plain)
				}
				raw, err := json.Marshal(part.Blocks)
				if err != nil {
					t.Fatal(err)
				}
				for _, kind := range []string{`"type":"user"`, `"type":"usergroup"`, `"type":"broadcast"`, `"type":"channel"`, `"mrkdwn"`} {
					if strings.Contains(string(raw), kind) {
						t.Errorf("%s in %s", kind, raw)
					}
				}
			}
		})
	}
}

func TestARelayedTextComesBackUnchanged(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		"if a &lt; b &amp;&amp; c &gt; d":   "if a < b && c > d",
		"&amp;lt;":                          "&lt;",
		"it's":                              "it's",
		"<https://e.test?a=1&amp;b=2>":      "https://e.test?a=1&b=2",
		"say &lt;!channel&gt; &amp;amp; go": "say <!channel> &amp; go",
	} {
		plain, _ := format.Decode(wire)
		if plain != want {
			t.Errorf("Decode(%q) = %q, want %q", wire, plain, want)
		}
		// A colleague echoes it, and Slack tells us of the echo.
		echo := one(t, plain).Text
		if again, _ := format.Decode(echo); again != want {
			t.Errorf("%q came back as %q", want, again)
		}
	}
}

// checkPart fails unless Slack would take the part.
func checkPart(t interface{ Fatalf(string, ...any) }, part format.Part) {
	if n := render.UTF16(part.Text); n > format.MaxText || strings.TrimSpace(part.Text) == "" {
		t.Fatalf("text of %d characters: %q", n, part.Text)
	}
	if len(part.Blocks) == 0 || len(part.Blocks) > format.MaxBlocks {
		t.Fatalf("%d blocks", len(part.Blocks))
	}
	raw, err := json.Marshal(part.Blocks)
	if err != nil {
		t.Fatalf("blocks are no JSON: %v", err)
	}
	for _, bad := range []string{`"text":""`, `"elements":[]`, `"elements":null`, `"url":""`} {
		if strings.Contains(string(raw), bad) {
			t.Fatalf("%s in %s, for %q", bad, raw, part.Text)
		}
	}
	if strings.Count(string(raw), `"type":"table"`) > format.MaxTables {
		t.Fatalf("more than one table")
	}
}

func TestLongRepliesFitSlack(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("| a cell | & another |\n", 400)
	code := strings.Repeat("print('<&>')\n", 600)
	for name, in := range map[string]string{
		"prose, code and a tail": strings.Repeat("a ", 995) + "\n\n```python\n" + code + "``` " + strings.Repeat("t", 1995),
		"a long info":            "```" + strings.Repeat("i", 400) + "\n" + code + "```",
		"a long table":           "| h | i |\n|---|---|\n" + rows,
		"many rules":             strings.Repeat("x\n\n---\n\n", 200),
		"many tables":            strings.Repeat("|a|\n|-|\n|b|\n\n", 100),
		"only ampersands":        strings.Repeat("&", 40_000),
		"only emoji":             strings.Repeat("👨‍👩‍👧‍👦", 2000),
		"a link too long":        "[t](https://e.test/" + strings.Repeat("a", 9000) + ")",
		"a deep list":            strings.Repeat("- ", 60) + strings.Repeat("word ", 2000),
		"backticks":              "~~~\n" + strings.Repeat("`", 8000) + "\n~~~",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := render.Parse(in, render.Options{})
			var texts strings.Builder
			for _, part := range format.Plan(in, nil) {
				checkPart(t, part)
				texts.WriteString(part.Text)
				if strings.Count(part.Text, "```")%2 != 0 {
					t.Errorf("unbalanced fences in %q", part.Text)
				}
			}
			// Every letter of the reply is there; numbers and marks are Slack's own.
			want, got := strings.Count(doc.Text(), "t"), strings.Count(texts.String(), "t")
			if got < want {
				t.Errorf("%d of %d letters arrived", got, want)
			}
		})
	}
}

func TestAnyReplyFitsSlack(t *testing.T) {
	t.Parallel()
	fragments := []string{
		"word ", "**b** ", "_i_", "`c` ", "[t](https://e.test/x) ", "<b>", "&", "\n", "\n\n", "\n- ", "\n1. ", "\n   - [ ] ",
		"\n> ", "\n```go\n", "\n```\n", "\n\n| a | |\n|---|---|\n| | c |\n", "\n\n---\n\n", "@kim ", "#dev ", "\n# ", "<!here>", "👍🏽", "\t", "*", "``",
	}
	rapid.Check(t, func(t *rapid.T) {
		var in strings.Builder
		for range rapid.IntRange(0, 60).Draw(t, "n") {
			in.WriteString(rapid.SampledFrom(fragments).Draw(t, "fragment"))
		}
		text := strings.Repeat(in.String(), rapid.IntRange(1, 40).Draw(t, "times"))
		parts := format.Plan(text, people)
		if len(parts) == 0 && render.Visible(text) != "" {
			t.Fatalf("nothing is left of %q", text)
		}
		for _, part := range parts {
			checkPart(t, part)
		}
	})
}
