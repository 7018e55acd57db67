package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"bullpen/bridge/render"
)

func TestTruncate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in    string
		limit int
		unit  func(string) int
		want  string
	}{
		"what fits":           {"short", 5, render.Runes, "short"},
		"at a word":           {"one two three", 10, render.Runes, "one two…"},
		"in a long word":      {"a " + strings.Repeat("x", 20), 10, render.Runes, "a xxxxxxx…"},
		"a family stays":      {"ab👨‍👩‍👧‍👦cd", 6, render.Runes, "ab…"},
		"counted in UTF-16":   {"😀😀😀", 5, render.UTF16, "😀😀…"},
		"counted in bytes":    {"ééé", 5, render.Bytes, "é…"},
		"only the mark fits":  {"abc", 1, render.Runes, "…"},
		"the mark is too big": {"abc", 2, render.Bytes, "ab"},
		"no room":             {"abc", 0, render.Runes, ""},
		"negative":            {"abc", -1, render.Runes, ""},
		"no UTF-8":            {"\xff\xff", 5, render.Runes, "\uFFFD"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := render.Truncate(tt.in, tt.limit, tt.unit); got != tt.want {
				t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}

func TestTruncateStaysWithinAnyLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "text")
		limit := rapid.IntRange(0, 40).Draw(t, "limit")
		for name, unit := range units {
			got := render.Truncate(in, limit, unit)
			if unit(got) > limit && unit(in) > limit {
				t.Fatalf("%q is longer than %d %s", got, limit, name)
			}
			if !utf8.ValidString(got) {
				t.Fatalf("%q is not UTF-8", got)
			}
			if !strings.HasPrefix(in, strings.TrimSuffix(got, "…")) {
				t.Fatalf("%q is not a beginning of %q", got, in)
			}
		}
	})
}
