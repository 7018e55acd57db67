package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

// units are the ways platforms count.
var units = map[string]func(string) int{"runes": render.Runes, "UTF-16": render.UTF16, "bytes": render.Bytes}

func markdownIn(unit func(string) int) render.Measure { return render.Measured(render.Markdown, unit) }

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkParts fails unless the parts are what Split promises of them.
func checkParts(t failer, doc *render.Document, parts []*render.Document, limit int, unit func(string) int) {
	t.Helper()
	var joined strings.Builder
	for i, part := range parts {
		out := render.Markdown(part)
		if n := unit(out); n > limit {
			t.Fatalf("part %d is %d long, limit %d: %q", i, n, limit, out)
		}
		if part.Empty() {
			t.Fatalf("part %d is empty", i)
		}
		if !utf8.ValidString(out) {
			t.Fatalf("part %d is not UTF-8: %q", i, out)
		}
		checkFences(t, part.Blocks)
		joined.WriteString(part.Text() + "\n")
	}
	want, got := render.Visible(doc.Text()), render.Visible(joined.String())
	if want != got && !hasLinks(doc.Blocks) {
		t.Fatalf("the parts read %q, want %q", got, want)
	}
	if !isSubsequence(want, got) {
		t.Fatalf("the parts read %q, which lost some of %q", got, want)
	}
}

func checkFences(t failer, blocks []render.Block) {
	t.Helper()
	for _, block := range blocks {
		if code, ok := block.(*render.Code); ok && render.Visible(code.Text) == "" {
			t.Fatalf("an empty fence")
		}
	}
}

// hasLinks says whether splitting may spell something out.
func hasLinks(blocks []render.Block) bool {
	return strings.Contains(render.Markdown(&render.Document{Blocks: blocks}), "](")
}

func isSubsequence(want, got string) bool {
	rest := []rune(got)
	for _, r := range want {
		for len(rest) > 0 && rest[0] != r {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return false
		}
		rest = rest[1:]
	}
	return true
}

func TestCodeAcrossLimitsStaysWithinThem(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 300 {
		fmt.Fprintf(&lines, "print(%d)  # line %d\n", i, i)
	}
	prose := strings.TrimSpace(strings.Repeat("prose and ", 199))
	tail := strings.Repeat("t", 1995)
	replies := map[string]string{
		"prose then code then a tail":  prose + "\n\n```python\n" + lines.String() + "``` " + tail,
		"a long info string":           "```" + strings.Repeat("x", 400) + "\n" + lines.String() + "```",
		"the closing fence on a limit": "```go\n" + strings.Repeat("x", 2000-len("```go\n")) + "\n```\nafter",
		"a line longer than any part":  "```go\n" + strings.Repeat("abcdefghi ", 1000) + "\n```",
		"nothing but line ends":        "a\n\n```\nx" + strings.Repeat("\n", 9000) + "y\n```",
	}
	for name, reply := range replies {
		for _, limit := range []int{2000, 4096, 4000} {
			for unit, count := range units {
				t.Run(fmt.Sprint(name, limit, unit), func(t *testing.T) {
					t.Parallel()
					doc := parse(reply)
					parts := render.Split(doc, limit, markdownIn(count))
					checkParts(t, doc, parts, limit, count)
					for _, part := range parts {
						if diff := cmp.Diff(part.Blocks, parse(render.Markdown(part)).Blocks); diff != "" {
							t.Errorf("the fences of a part do not close (-want +got):\n%s", diff)
						}
					}
				})
			}
		}
	}
}

func parts(source string, limit int) []string {
	var out []string
	for _, part := range render.Split(parse(source), limit, markdownIn(render.Runes)) {
		out = append(out, render.Markdown(part))
	}
	return out
}

func TestSplitCutsWhereAReaderWould(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in    string
		limit int
		want  []string
	}{
		"what fits is one part":    {"one\n\ntwo", 20, []string{"one\n\ntwo"}},
		"nothing has no parts":     {"", 20, nil},
		"between paragraphs":       {"one two three\n\nfour five six", 20, []string{"one two three", "four five six"}},
		"at a line":                {"one two three\nfour five six", 20, []string{"one two three", "four five six"}},
		"at a sentence":            {"One two. Three four. Five six.", 24, []string{"One two. Three four.", "Five six."}},
		"at a word":                {"one two three four five", 16, []string{"one two three", "four five"}},
		"a word stays whole":       {"ab 0123456789abcdef", 16, []string{"ab", "0123456789abcdef"}},
		"a long word is cut":       {strings.Repeat("x", 40), 16, []string{strings.Repeat("x", 16), strings.Repeat("x", 16), strings.Repeat("x", 8)}},
		"a heading goes with text": {"intro text here\n\n# Title\n\nbody of it", 28, []string{"intro text here", "# Title\n\nbody of it"}},
		"code keeps its language": {
			"```go\naaaa\nbbbb\ncccc\n```", 20,
			[]string{"```go\naaaa\nbbbb\n```", "```go\ncccc\n```"},
		},
		"code keeps its indent": {
			"```\nif x:\n    y()\n```", 18,
			[]string{"```\nif x:\n```", "```\n    y()\n```"},
		},
		"numbers go on":             {"7. aaaa\n8. bbbb\n9. cccc", 16, []string{"7. aaaa\n8. bbbb", "9. cccc"}},
		"lists in lists open again": {"- aaaa\n  - bbbb\n  - cccc", 18, []string{"- aaaa\n\n  - bbbb", "- - cccc"}},
		"quotes open again":         {"> aaaa bbbb cccc dddd", 16, []string{"> aaaa bbbb cccc", "> dddd"}},
		"styles open again":         {"**aaaa bbbb cccc dddd**", 16, []string{"**aaaa bbbb**", "**cccc dddd**"}},
		"tables repeat the header": {
			"|a|b|\n|-|-|\n|1111|2222|\n|3333|4444|", 50,
			[]string{"| a | b |\n| --- | --- |\n| 1111 | 2222 |", "| a | b |\n| --- | --- |\n| 3333 | 4444 |"},
		},
		"a link stays whole":   {"aaaa [bb cc](https://e.test) dd", 25, []string{"aaaa", "[bb cc](https://e.test)", "dd"}},
		"a link too long":      {"[bb](https://e.test/abcdefgh)", 20, []string{"bb (https://e.test/", "abcdefgh)"}},
		"a row too long":       {"|aaaa bbbb|c|\n|-|-|\n|dddd eeee|f|", 16, []string{"aaaa bbbb\nc", "dddd eeee\nf"}},
		"containers too deep":  {"> > > > > > > > aaaa bbbb cccc", 16, []string{"aaaa bbbb cccc"}},
		"a rule needs no text": {"---", 16, []string{"---"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := parts(tt.in, tt.limit)
			if strings.Join(got, "\n--8<--\n") != strings.Join(tt.want, "\n--8<--\n") {
				t.Errorf("Split(%q, %d):\n%q\nwant\n%q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func TestMentionsAndGraphemesStayWhole(t *testing.T) {
	t.Parallel()
	family := "👨‍👩‍👧‍👦"
	doc := render.Parse(strings.Repeat("é"+family+"🇩🇪", 50)+strings.Repeat(" x @dr.no", 20), render.Options{Mentions: roster})
	for _, count := range units {
		limit := 60
		parts := render.Split(doc, limit, markdownIn(count))
		checkParts(t, doc, parts, limit, count)
		named := 0
		for _, part := range parts {
			named += len(mentions(part.Blocks))
			whole := uniseg.GraphemeClusterCount(doc.Text())
			if whole == 0 || strings.HasPrefix(part.Text(), "\u200d") || strings.HasSuffix(part.Text(), "\u200d") {
				t.Errorf("a family was parted: %q", part.Text())
			}
		}
		if named != 20 {
			t.Errorf("%d of 20 mentions survived", named)
		}
	}
}

func TestAGraphemeLargerThanAPartIsCut(t *testing.T) {
	t.Parallel()
	doc := parse("a" + strings.Repeat("\u0301", 500))
	parts := render.Split(doc, 100, markdownIn(render.Runes))
	checkParts(t, doc, parts, 100, render.Runes)
	if len(parts) < 5 {
		t.Errorf("%d parts", len(parts))
	}
}

func TestAMeasureThatNothingFitsStillEnds(t *testing.T) {
	t.Parallel()
	doc := parse("# a\n\n- b\n\n```go\nc\n```\n\n|d|\n|-|\n|e|\n\n---")
	parts := render.Split(doc, 100, func(*render.Document) int { return 1000 })
	var joined strings.Builder
	for _, part := range parts {
		joined.WriteString(part.Text())
	}
	if got := render.Visible(joined.String()); got != "abcde" {
		t.Errorf("the parts read %q", got)
	}
}

func TestAnyTextSplitsWithinAnyLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, _ := drawMarkdown(t)
		limit := rapid.SampledFrom([]int{16, 17, 20, 31, 64, 200}).Draw(t, "limit")
		unit := units[rapid.SampledFrom([]string{"runes", "UTF-16", "bytes"}).Draw(t, "unit")]
		doc := parse(in)
		before := render.Markdown(doc)
		checkParts(t, doc, render.Split(doc, limit, markdownIn(unit)), limit, unit)
		if render.Markdown(doc) != before {
			t.Fatalf("Split changed the document it was given")
		}
	})
}

func TestPartsReadTheSameAfterAnotherReading(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in, _ := drawMarkdown(t)
		for _, part := range render.Split(parse(in), 80, markdownIn(render.Runes)) {
			out := render.Markdown(part)
			want, got := render.Visible(part.Text()), render.Visible(parse(out).Text())
			if part.Blocks != nil && want != got && !strings.Contains(out, "| ---") {
				t.Fatalf("part %q reads %q, want %q", out, got, want)
			}
		}
	})
}
