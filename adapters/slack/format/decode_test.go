package format_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bullpen/adapters/slack/format"
	"bullpen/bridge/render"
)

func TestDecodeReadsSlackText(t *testing.T) {
	t.Parallel()
	type span struct {
		Text string
		Kind format.Kind
		ID   string
	}
	tests := map[string]struct {
		in, want string
		spans    []span
	}{
		"the three characters":          {"a &lt; b &amp;&amp; c &gt; d", "a < b && c > d", nil},
		"once":                          {"&amp;lt; &#39; &quot;", "&lt; &#39; &quot;", nil},
		"a user":                        {"hi <@U0KIM>, look", "hi @U0KIM, look", []span{{"@U0KIM", format.User, "U0KIM"}}},
		"a user of another workspace":   {"<@W12>", "@W12", []span{{"@W12", format.User, "W12"}}},
		"a user with a label":           {"<@U1|kim &amp; co>", "@kim & co", []span{{"@kim & co", format.User, "U1"}}},
		"a channel":                     {"<#C0DEV|dev> <#C1|>", "#dev #C1", []span{{"#dev", format.Channel, "C0DEV"}, {"#C1", format.Channel, "C1"}}},
		"a user group":                  {"<!subteam^S1|@eng> <!subteam^S2>", "@eng @S2", []span{{"@eng", format.UserGroup, "S1"}, {"@S2", format.UserGroup, "S2"}}},
		"broadcasts":                    {"<!here> <!channel> <!everyone|all>", "@here @channel @everyone", []span{{"@here", format.Broadcast, "here"}, {"@channel", format.Broadcast, "channel"}, {"@everyone", format.Broadcast, "everyone"}}},
		"after other scripts":           {"请<@U1>看", "请@U1看", []span{{"@U1", format.User, "U1"}}},
		"a date":                        {"on <!date^1392734382^{date}|Feb 18 &amp; later>", "on Feb 18 & later", nil},
		"a date without a fallback":     {"<!date^1^{date}>", "<!date^1^{date}>", nil},
		"a link with a label":           {"<https://e.test?a=1&amp;b=2|the &lt;page&gt;>", "the <page> (https://e.test?a=1&b=2)", nil},
		"a link":                        {"<https://e.test?a=1&amp;b=2>", "https://e.test?a=1&b=2", nil},
		"a link that Slack made":        {"<http://e.test|e.test> <mailto:kim@e.test|kim@e.test>", "e.test kim@e.test", nil},
		"a shown mention mentions none": {"&lt;@U1&gt; &lt;!channel&gt;", "<@U1> <!channel>", nil},
		"not a token":                   {"<> <x> <@> <@kim> <!> <#|> 3 < 5 > 4", "<> <x> <@> <@kim> <!> <#|> 3 < 5 > 4", nil},
		"half a token":                  {"<@U1", "<@U1", nil},
		"a token in a token":            {"<<@U1>> <a|<@U2>", "<@U1> <a|@U2", []span{{"@U1", format.User, "U1"}, {"@U2", format.User, "U2"}}},
		"over a line end":               {"<@U1\n>", "<@U1\n>", nil},
		"no UTF-8":                      {"\xff<@U1>\xfe", "\xff@U1\xfe", []span{{"@U1", format.User, "U1"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain, mentions := format.Decode(tt.in)
			if plain != tt.want {
				t.Errorf("Decode(%q) = %q, want %q", tt.in, plain, tt.want)
			}
			var spans []span
			for _, m := range mentions {
				spans = append(spans, span{plain[m.Start:m.End], m.Kind, m.ID})
			}
			if diff := cmp.Diff(tt.spans, spans); diff != "" {
				t.Errorf("mentions of %q (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestHostileNestingDecodesInTime(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"<", "<@U1", "<@U1|", "<!subteam^", "<a|", "&", "&lt;", ">", "<<>>", "<http://"} {
		in := strings.Repeat(unit, 40_000/len(unit))
		plain, mentions := format.Decode(in)
		if len(mentions) != 0 || plain != format.Unescape(in) {
			t.Errorf("a run of %q was read as something", unit)
		}
	}
}

func TestEscapeAndDecodeAreInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.RuneFrom([]rune("&<>;!@#|^ampltgUC1\n*_~`"))).Draw(t, "text")
		if got := format.Unescape(format.Escape(in)); got != in {
			t.Fatalf("%q came back as %q", in, got)
		}
		if got, mentions := format.Decode(format.Escape(in)); got != in || mentions != nil {
			t.Fatalf("%q came back as %q with %v", in, got, mentions)
		}
		// A person's text, relayed as it is.
		doc := render.Literal(in, render.Options{})
		if got, _ := format.Decode(format.Mrkdwn(doc)); strings.Trim(got, "\n") != strings.Trim(in, "\n") {
			t.Fatalf("%q was relayed as %q", in, got)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, in := range []string{"<@U1>", "&amp;lt;", "<!subteam^S1|@x>", "<https://e.test|x>", "<<@U1>>", "<!date^1^x|y>", "\xff<"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		plain, mentions := format.Decode(in)
		end := 0
		for _, m := range mentions {
			if m.Start < end || m.End <= m.Start || m.End > len(plain) || m.ID == "" {
				t.Fatalf("%q: mention %+v in %q", in, m, plain)
			}
			end = m.End
		}
		if got, mentions := format.Decode(format.Escape(in)); got != in || mentions != nil {
			t.Fatalf("%q came back as %q with %v", in, got, mentions)
		}
	})
}

func FuzzPlan(f *testing.F) {
	for _, in := range []string{"**b** <!channel>", "|a||\n|-|-|\n|b|", "- \n  ```\nx", "> 1. a\n> ---", "[t](https://e.test/|<>)"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, part := range format.Plan(in, nil) {
			checkPart(t, part)
			if _, mentions := format.Decode(part.Text); mentions != nil {
				t.Fatalf("%q mentions %v", in, mentions)
			}
		}
	})
}
