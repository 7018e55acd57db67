package render

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// What was shown of a text while it was written stays as it was when more has come.
func TestStableIsTheBeginningOfWhatComes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"words":         "The build is green. Nothing else is to be done, but one thing: sleep well!\n\nGood night.\n",
		"styles":        "It is **very important** that *nobody* reads `a * b` or ~~this~~, about ~5 minutes, snake_case_name and __all__ of it.\n\nEnd.\n",
		"links":         "See [the page](https://example.com/a_b?c=1) and https://example.com/x-y/z, ![a picture](p.png) or [1] here.\n\nEnd.\n",
		"a list":        "What to do:\n\n1. first **this**\n2. then that\n   - and below\n\n- [ ] a task\n- [x] done\n\nEnd.\n",
		"code":          "Run this:\n\n```go\nfunc main() {\n\tfmt.Println(\"a*b [c\")\n}\n```\n\nand `x` after that.\n\nEnd.\n",
		"tildes":        "~~~\na\n\n```\nb\n~~~\nand then\n\nEnd.\n",
		"a table":       "As follows:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | a|b |\n\nThat is all.\n",
		"headings":      "# A title\n\nwith text\n\nAnother one\n===========\n\nmore **text**\n\nEnd.\n",
		"quotes":        "> somebody said *so*\n> and more\n\nI say no <b>tags</b> and <https://example.com/a> 3 < 4.\n\nEnd.\n",
		"no blanks":     "请看一下这个问题，我们昨天讨论过的那个。https://example.com/路径 然后告诉我结果。\n\n好的。\n",
		"marks of more": "A\u0301 letter, a family 👨‍👩‍👧‍👦 and a flag 🇩🇪 in a row of words.\n\nEnd.\n",
		"escapes":       "A \\*star\\* and \\[no link\\](x) and a back\\\\slash.\n\nEnd.\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := Parse(text, Options{}).Text()
			before := ""
			for at := range text {
				got := Stable(text[:at])
				if !strings.HasPrefix(text[:at], got) {
					t.Fatalf("of %q it makes %q", text[:at], got)
				}
				if name != "headings" && !strings.HasPrefix(got, before) {
					t.Errorf("of %q it shows %q and had shown %q", text[:at], got, before)
				}
				shown := strings.TrimRight(Parse(got, Options{}).Text(), "\n\t ")
				if !strings.HasPrefix(whole, shown) {
					t.Errorf("of %q it shows\n%q\nand in the end that is\n%q", text[:at], shown, whole)
				}
				before = got
			}
			if got := Stable(text + "\n"); got != text+"\n" {
				t.Errorf("of the whole text it shows only %q", got)
			}
		})
	}
}

// It never waits for long, whatever is left open.
func TestStableGoesOnWhateverIsLeftOpen(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"*", "**", "`", "[", "[a](", "![", "<a", "~~", "_", "5 * 3 *"} {
		text := "Some words " + mark + "and many more " + strings.Repeat("words ", 200)
		if got := Stable(text); len(got) < len(text)-20 {
			t.Errorf("behind %q it shows %d of %d bytes", mark, len(got), len(text))
		}
		if got := Stable(text[:100]); len(got) > len("Some words 5 * 3 ") {
			t.Errorf("it does not wait for the end of %q: %q", mark, got)
		}
	}
}

// Any text has a beginning that ends between two characters.
func TestStableTakesAnyText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a *_`~[]()<>!\\|-\n#1.👨\u200d👩é请")), 0, 60, -1)).Draw(t, "text")
		got := Stable(text)
		if !strings.HasPrefix(text, got) {
			t.Fatalf("%q is no beginning", got)
		}
		if !strings.ContainsRune(text, '\uFFFD') && uniseg.GraphemeClusterCount(got)+uniseg.GraphemeClusterCount(text[len(got):]) < uniseg.GraphemeClusterCount(text) {
			t.Fatalf("it cuts a character: %q | %q", got, text[len(got):])
		}
		if again := Stable(text); again != got {
			t.Fatalf("%q and %q", got, again)
		}
	})
}
