package office

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNamesInTheInboxAreSafe(t *testing.T) {
	t.Parallel()
	at := Anchor{Channel: "dev", Seq: 3}
	for given, want := range map[string]string{
		"a.txt":                         "inbox/dev-3-1-a.txt",
		"../../etc/passwd":              "inbox/dev-3-1-passwd",
		`C:\x\résumé final.pdf`:         "inbox/dev-3-1-résumé_final.pdf",
		".bashrc":                       "inbox/dev-3-1-bashrc",
		"-rf":                           "inbox/dev-3-1-rf",
		"..":                            "inbox/dev-3-1-file",
		"":                              "inbox/dev-3-1-file",
		"a\x00b\nc\u202e.txt":           "inbox/dev-3-1-a_b_c_.txt",
		strings.Repeat("ä", 90) + ".md": "inbox/dev-3-1-" + strings.Repeat("ä", 48) + ".md",
	} {
		if got := InboxFile(at, 0, given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := safeName(rapid.String().Draw(t, "name"))
		if len(name) == 0 || len(name) > 120 || strings.ContainsAny(name, "/\\ \n\x00") || name[0] == '.' || !utf8.ValidString(name) {
			t.Fatalf("%q", name)
		}
	})
}
