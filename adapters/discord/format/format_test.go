package format

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func names(token string) (render.Mention, bool) {
	switch token {
	case "@kim":
		return render.Mention{Kind: render.Person, ID: "42"}, true
	case "#dev":
		return render.Mention{Kind: render.Channel, ID: "77"}, true
	}
	return render.Mention{}, false
}

func TestWhatColleaguesWriteIsShownNatively(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ in, out string }{
		"plain":        {"hi", "hi"},
		"styles":       {"🎉 **b** *i* ~~s~~ `c`", "🎉 **b** *i* ~~s~~ `c`"},
		"nested":       {"**bold *both* bold**", "**bold *both* bold**"},
		"side by side": {"**a***b*", "**a**\u200B*b*"},
		"CJK":          {"中**粗**文", "中**粗**文"},
		"code keeps":   {"`2 ** 3 * 4`", "`2 ** 3 * 4`"},
		"ticks":        {"`` a`b ``", "``a`b``"},
		"heading":      {"# One\n\ntwo", "# One\ntwo"},
		"deep heading": {"##### One\n\ntwo", "**One**\n\ntwo"},
		"list":         {"- a\n- b\n  1. c\n  2. d\n\nend", "- a\n- b\n  1. c\n  2. d\n\nend"},
		"tasks":        {"- [ ] a\n- [x] b", "- ☐ a\n- ☑ b"},
		"code in list": {"- a\n  ```go\n  x\n    y\n  ```", "- a\n```go\nx\n  y\n```"},
		"quote":        {"> a\n> > b\n\nc", "> a\n> \n> b\n\nc"},
		"fence":        {"```go\nx := 1\n```\n\nend", "```go\nx := 1\n```\n\nend"},
		"fence within": {"````\n```\nx\n```\n````", "```\n``\u200B`\nx\n``\u200B`\u200B\n```"},
		"table":        {"|a|b|\n|-|-|\n|1|**22**|", "```\na | b\n--+---\n1 | 22\n```"},
		"rule":         {"a\n\n---\n\nb", "a\n\n———\n\nb"},
		"link":         {"[site](https://x.test/a_b(c)) and https://y.test/p_q", "[site](<https://x.test/a_b%28c%29>) and <https://y.test/p_q>"},
		"bold link":    {"**<https://e.test/1>**", "**<https://e.test/1>**"},
		"masked":       {"[https://good.test](https://evil.test)", "https://good.test (<https://evil.test>)"},
		"mention":      {"ask @kim or @alice in #dev", "ask <@42> or @alice in <#77>"},
		"foreign":      {"say @everyone, @here, <@&123>, <@9>, <#1> and <!channel>", `say @everyone, @here, \<@&123>, \<@9>, \<#1> and <!channel>`},
		"names":        {"snake_case_name and _this_ and __init__.py", `snake_case_name and *this* and **init**.py`},
		"emoji":        {"<:party:123456789012345678> <a:dance:1> <t:1700000000:R>", "<:party:123456789012345678> <a:dance:1> <t:1700000000:R>"},
		"literals":     {`a\*b \# c ||no|| 3 < 5 <b>`, `a\*b # c \|\|no\|\| 3 < 5 \<b>`},
		"line starts":  {"\\# a\n\\- b\n\\-# c\n2024\\. d", "\\# a\n\\- b\n\\-# c\n2024\\. d"},
		"path":         {`C:\new\*x`, `C:\\new\*x`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Write(render.Parse(tc.in, render.Options{Mentions: names})); got != tc.out {
				t.Errorf("%q is shown as\n%q, want\n%q", tc.in, got, tc.out)
			}
		})
	}
}

// Whatever is written, no mention comes out that the office did not resolve.
func TestNothingWrittenFormsAMention(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOfN(rapid.SampledFrom([]rune("<@&!#:>19a \n`*_~|\\[]()-e中🎉")), 0, 60, -1).Draw(t, "text")
		out := Write(render.Parse(in, render.Options{}))
		shown, found := Decode(strings.ReplaceAll(out, "`", "'"), Known{Everyone: false, Users: map[string]string{"1": "x", "9": "y", "19": "z", "91": "v", "11": "w", "99": "u"}})
		for _, m := range found {
			before := shown[:m.Start]
			slashes := len(before) - len(strings.TrimRight(before, `\`))
			if slashes%2 == 0 && !strings.Contains(out, "`") {
				t.Fatalf("%q is shown as %q, which mentions %+v", in, out, m)
			}
		}
	})
}

// Parts of whatever text are within the limit after all additions, and hold all of it.
func TestPartsAreWithinTheLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"word ", "*x*", "**b** ", "```go\n", "```\n", "\n\n", "> q\n", "- item\n", "1. one\n", "🎉", "中文", "`c`", "[l](https://e.test)", "|a|b|\n|-|-|\n|1|2|\n",
			strings.Repeat("long", 40), "# H\n",
		}), 1, 80).Draw(t, "pieces"), "")
		doc := render.Parse(text, render.Options{})
		for _, part := range render.Split(doc, 300, Length) {
			out := Write(part)
			if n := render.UTF16(out); n > 300 {
				t.Fatalf("a part has %d characters: %q", n, out)
			}
			if !sound(out) {
				t.Fatalf("a fence is left open or empty: %q", out)
			}
		}
	})
}

// sound says whether every fence is closed and has something in it.
func sound(out string) bool {
	open, held := false, ""
	for line := range strings.Lines(out) {
		switch line = strings.TrimPrefix(strings.TrimSpace(line), "> "); {
		case !strings.HasPrefix(line, "```"):
			held += line
		case open && strings.TrimSpace(held) == "":
			return false
		default:
			open, held = !open, ""
		}
	}
	return !open
}

func TestWhatComesInMentionsWhomDiscordSays(t *testing.T) {
	t.Parallel()
	known := Known{
		Users:   map[string]string{"1": "Kim", "2": ""},
		Role:    func(id string) string { return map[string]string{"7": "alice"}[id] },
		Channel: func(id string) string { return map[string]string{"8": "dev"}[id] },
	}
	for name, tc := range map[string]struct {
		in, out string
		found   []string
	}{
		"plain":         {"a_b *c* \\* & <b>", "a_b *c* \\* & <b>", nil},
		"account":       {"🎉🎉 <@1> and <@!2>, hi", "🎉🎉 @Kim and @2, hi", []string{"@Kim", "@2"}},
		"not mentioned": {"<@3>", "<@3>", nil},
		"role":          {"hey<@&7>!", "hey@alice!", []string{"@alice"}},
		"unknown role":  {"<@&9>", "@9", []string{"@9"}},
		"channel":       {"see <#8> and <#9>", "see #dev and #9", []string{"#dev", "#9"}},
		"code":          {"`<@1>` ```\n<#8>``` <@1>", "`<@1>` ```\n<#8>``` @Kim", []string{"@Kim"}},
		"open tick":     {"a ` <@1>", "a ` @Kim", []string{"@Kim"}},
		"nobody called": {"@everyone look", "@everyone look", nil},
		"broken":        {"<@1 <@> <#> <@&x> \xff<@1>", "<@1 <@> <#> <@&x> \uFFFD@Kim", []string{"@Kim"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, mentions := Decode(tc.in, known)
			var found []string
			for _, m := range mentions {
				found = append(found, out[m.Start:m.End])
			}
			if out != tc.out || !slices.Equal(found, tc.found) {
				t.Errorf("%q, %q", out, found)
			}
		})
	}
}

func TestEverybodyIsCalledWhenDiscordSaysSo(t *testing.T) {
	t.Parallel()
	known := Known{Everyone: true}
	if out, found := Decode("@here now", known); out != "@here now" || len(found) != 1 || found[0].Kind != Broadcast || found[0].ID != "here" {
		t.Errorf("%q, %+v", out, found)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("`<@1>` <@&2> @here")
	f.Fuzz(func(t *testing.T, in string) {
		out, found := Decode(in, Known{Everyone: true, Users: map[string]string{"1": "Kim"}})
		last := 0
		for _, m := range found {
			if m.Start < last || m.End <= m.Start || m.End > len(out) {
				t.Fatalf("%q: %+v", out, found)
			}
			last = m.End
		}
	})
}
