package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEditReplacesExactlyOnePlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, old, new string
		all            bool
		want           string
		refused        string
	}{
		"one line":          {text: "a\nb\nc\n", old: "b", new: "B", want: "a\nB\nc\n"},
		"removal":           {text: "a\nb\nc\n", old: "b\n", new: "", want: "a\nc\n"},
		"unicode":           {text: "grüße 👋", old: "ße 👋", new: "ss", want: "grüss"},
		"twice":             {text: "x\ny\nx\n", old: "x", new: "z", refused: "old occurs 2 times in f, at lines 1 and 3"},
		"all":               {text: "x\ny\nx\n", old: "x", new: "xx", all: true, want: "xx\ny\nxx\n"},
		"overlap":           {text: "aaa", old: "aa", new: "b", refused: "2 times"},
		"overlap all":       {text: "aaaa", old: "aa", new: "b", all: true, want: "bb"},
		"many":              {text: strings.Repeat("x\n", 500), old: "x", new: "y", refused: "100 or more times"},
		"absent":            {text: "func main() {\n\treturn\n}\n", old: "func mian() {", new: "x", refused: `0 times in f; the nearest is line 1: "func main() {"`},
		"other white space": {text: "\tif x {\n", old: "  if x {", new: "x", refused: "which begins like old"},
		"nothing like it":   {text: "abc\n", old: "zzz", new: "x", refused: "0 times in f; use read"},
		"empty old":         {text: "abc", old: "", new: "x", refused: "old is empty"},
		"same":              {text: "abc", old: "a", new: "a", refused: "old and new are the same"},
		"crlf":              {text: "a\r\nb\r\nc\r\n", old: "a\nb", new: "x\ny\nz", want: "x\r\ny\r\nz\r\nc\r\n"},
		"crlf within":       {text: "a\r\nb\r\n", old: "b", new: "x\ny", want: "a\r\nx\r\ny\r\n"},
		"crlf in old":       {text: "a\r\nb\r\n", old: "a\r\nb", new: "a\nb", want: "a\nb\r\n"},
		"crlf for lf":       {text: "a\nb\n", old: "a\r\nb", new: "x\r\ny", want: "x\ny\n"},
		"crlf mixed":        {text: "a\r\nb\nc\n", old: "b\nc", new: "x\ny", want: "a\r\nx\ny\n"},
		"crlf all":          {text: "a\r\nb\r\na\r\nb\r\n", old: "a\nb\n", new: "c\n", all: true, want: "c\r\nc\r\n"},
		"latin-1 kept":      {text: "gr\xfcn\nb\n", old: "b", new: "c", want: "gr\xfcn\nc\n"},
		"bom kept":          {text: "\ufeffa\n", old: "a", new: "b", want: "\ufeffb\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, map[string]string{"f": c.text})
			args := obj{"path": "f", "old": c.old, "new": c.new, "all": c.all}
			if c.refused != "" {
				w.refuses("edit", args, c.refused)
				w.has("f", c.text)
				return
			}
			w.says("edit", args, "replaced")
			w.has("f", c.want)
		})
	}
}

func TestEditIsBoundedAndKeepsTheMode(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"f": strings.Repeat("x", 5<<20), "s": "a"})
	w.refuses("edit", obj{"path": "f", "old": strings.Repeat("x", 1024), "new": strings.Repeat("y", 4096), "all": true}, "split the file")
	if err := os.Chmod(filepath.Join(w.dir, "s"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.says("edit", obj{"path": "s", "old": "a", "new": "b"}, "at line 1")
	if info, err := os.Stat(filepath.Join(w.dir, "s")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	w.refuses("edit", obj{"path": "none", "old": "a", "new": "b"}, "there is no none")
}

// A text without carriage returns is changed as strings.Replace would.
func TestEditAgreesWithStringsReplace(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab\n]{0,12}`)
		text := rapid.StringMatching(`[ab\n]{0,60}`).Draw(t, "text")
		c := change{path: "f", old: rapid.StringMatching(`[ab\n]{1,4}`).Draw(t, "old"), new: word.Draw(t, "new"), all: true}
		after, _, err := c.apply(text)
		if !strings.Contains(text, c.old) {
			if err == nil {
				t.Fatal("nothing to replace, and no error")
			}
			return
		}
		if want := strings.ReplaceAll(text, c.old, c.new); err != nil || after != want {
			t.Fatalf("got %q, %v; want %q", after, err, want)
		}
		// The same text with CRLF gives the same with CRLF.
		dos := strings.ReplaceAll(text, "\n", "\r\n")
		after, _, err = c.apply(dos)
		want := strings.ReplaceAll(text, c.old, c.new)
		if strings.Contains(text, "\n") {
			want = strings.ReplaceAll(want, "\n", "\r\n")
		}
		if err != nil || after != want {
			t.Fatalf("CRLF: got %q, %v; want %q", after, err, want)
		}
	})
}

func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb", "a\nb", "c", false)
	f.Add("aaa", "aa", "\r", true)
	f.Add("\r\r\n\n", "\r\n", "\n", true)
	f.Fuzz(func(t *testing.T, text, old, replacement string, all bool) {
		c := change{path: "f", old: old, new: replacement, all: all}
		if c.check() != nil {
			return
		}
		after, lines, err := c.apply(text)
		if err != nil {
			if strings.Count(text, old) == 1 && !all && !strings.Contains(text[strings.Index(text, old)+1:], old) && !strings.Contains(text, "\r") {
				t.Fatalf("one place, and %v", err)
			}
			return
		}
		if len(lines) == 0 || (!all && len(lines) != 1) {
			t.Fatalf("%d places", len(lines))
		}
		if !all && unix(after) == unix(text) && unix(old) != unix(replacement) && !strings.Contains(text+old+replacement, "\r") {
			t.Fatal("nothing changed")
		}
	})
}

func FuzzArguments(f *testing.F) {
	f.Add([]byte(`{"path":"a","offset":"1","limit":2.0}`))
	f.Add([]byte(`{"path":"a","offset":1e400,"all":"TRUE"}`))
	f.Add([]byte(`{"path":{}}`))
	f.Add([]byte(` `))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a := parse("read", raw, "path", "offset", "limit", "all")
		a.required("path")
		a.flag("all")
		if n := a.number("limit", 5, 10); n < 1 || n > 10 {
			t.Fatalf("limit %d", n)
		}
		if a.err != nil && a.err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}
