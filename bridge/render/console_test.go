package render_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func TestConsoleShowsWhatWasMeant(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"styles":  {"**b** *i* ~~s~~ `c**d`", "*b* _i_ ~s~ `c**d`"},
		"links":   {"[t](https://e.test/1) and https://e.test/2 and kim@e.test", "t <https://e.test/1> and https://e.test/2 and kim@e.test"},
		"heading": {"## Title", "## Title"},
		"code":    {"a\n\n```go\nif x {\n\ty\n\n}\n```", "a\n\n    if x {\n        y\n\n    }"},
		"lists":   {"- a\n- [x] b\n  1. c\n\n     d\n- [ ] e", "- a\n- [x] b\n  1. c\n     d\n- [ ] e"},
		"quote":   {"> a\n>\n> b", "> a\n>\n> b"},
		"table": {
			"| name | n |\n|---|--:|\n| 東京 | 1 |\n| x | 200 |",
			"name |   n\n-----+----\n東京 |   1\nx    | 200",
		},
		"an empty cell":   {"|a|b|\n|-|-|\n||c|", "a | b\n--+--\n  | c"},
		"HTML":            {"a <b>c</b> &lt;", "a <b>c</b> &lt;"},
		"escapes":         {"\x1b[31mred\x1b[0m \x07\x7f", "␛[31mred␛[0m ␇␡"},
		"C1 and bidi":     {"a\u009b1mb \u202egnp.exe\u2069", "a<U+009B>1mb <U+202E>gnp.exe<U+2069>"},
		"escapes in code": {"`\x1b]0;x`\n\n```\n\x1b[2J\n```", "`␛]0;x`\n\n    ␛[2J"},
		"emoji stay":      {"👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := render.Console(parse(tt.in)); got != tt.want {
				t.Errorf("Console:\n%s\nwant\n%s\n(%q)", got, tt.want, got)
			}
		})
	}
}

func TestAContinuedItemHasNoMarkerOnTheConsole(t *testing.T) {
	t.Parallel()
	parts := render.Split(parse("3. aaaa bbbb cccc dddd"), 16, render.Measured(render.Console, render.Runes))
	var got []string
	for _, part := range parts {
		got = append(got, render.Console(part))
	}
	if want := "3. aaaa bbbb|   cccc dddd"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNothingReachesTheTerminalUnseen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "text")
		for _, r := range render.Console(render.Literal(in, render.Options{})) {
			if unicode.IsControl(r) && r != '\n' {
				t.Fatalf("%U came through", r)
			}
		}
	})
}

func TestALongCellDoesNotMultiplyATable(t *testing.T) {
	t.Parallel()
	in := "|a|b|\n|-|-|\n|" + strings.Repeat("x", 10_000) + "|y|\n" + strings.Repeat("|1|2|\n", 1000)
	if got := len(render.Console(parse(in))); got > 100_000 {
		t.Errorf("%d bytes", got)
	}
}
