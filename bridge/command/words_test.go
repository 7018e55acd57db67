package command

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                            nil,
		" \t\n ":                      nil,
		"a  b\tc":                     {"a", "b", "c"},
		`dm "Ann Lee" hello`:          {"dm", "Ann Lee", "hello"},
		`dm 'Ann Lee' hello`:          {"dm", "Ann Lee", "hello"},
		"dm “Ann Lee” hello":          {"dm", "Ann Lee", "hello"},
		"dm „Ann Lee“ hello":          {"dm", "Ann Lee", "hello"},
		"dm «Ann Lee» hello":          {"dm", "Ann Lee", "hello"},
		"post it's done":              {"post", "it's", "done"},
		"post 'tis done":              {"post", "'tis", "done"},
		`say "it's" "un closed`:       {"say", "it's", `"un`, "closed"},
		`5" 6"`:                       {`5"`, `6"`},
		`"a"b c"`:                     {`a"b c`},
		`role=member x="a b" y=“c d”`: {"role=member", "x=a b", "y=c d"},
		"=x a=":                       {"=x", "a="},
		"who \u2068נועה\u2069 👩🏽‍💻":      {"who", "נועה", "👩🏽‍💻"},
		"who \u200fمريم\u200f":           {"who", "مريم"},
		"a\u00a0b\u3000c":                {"a", "b", "c"},
		`""`:                             {""},
		"\xff\xfe \"\xff":                {"\xff\xfe", "\"\xff"},
		strings.Repeat("é", 5000) + " x": {strings.Repeat("é", 5000), "x"},
	} {
		var got []string
		for _, w := range split(line) {
			got = append(got, w.whole())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q is %.200q, want %.200q", line, got, want)
		}
	}
}

// No line is wrong, and its words stand in it, in order.
func TestWordsOfAnyLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOf(rapid.RuneFrom([]rune("ab= \"'“”„«»\n\u2068é👩🏽‍💻"))).Draw(t, "line")
		at := 0
		for _, w := range split(line) {
			if w.start < at || w.end <= w.start || w.end > len(line) || !strings.Contains(line[w.start:w.end], w.text) {
				t.Fatalf("%q: %+v after %d", line, w, at)
			}
			at = w.end
		}
		if strings.TrimFunc(line[at:], space) != "" {
			t.Fatalf("%q: %q is in no word", line, line[at:])
		}
	})
}
