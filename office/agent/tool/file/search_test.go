package file

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLsSaysKindAndSize(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"b.txt": "12345", "a/x.go": "1", "a/deep/y": "", ".hidden": "", "odd\nname": ""})
	w.link("../elsewhere", "up")
	if got, want := w.says("ls", obj{}), ".hidden  0 bytes\na/\nb.txt  5 bytes\nodd?name  0 bytes\nup -> ../elsewhere (link)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := w.says("ls", obj{"path": "a", "depth": 3}), "deep/\ndeep/y  0 bytes\nx.go  1 byte\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	w.refuses("ls", obj{"path": "b.txt"}, "b.txt is a file, not a folder")
	if err := os.Mkdir(filepath.Join(w.dir, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.says("ls", obj{"path": "none"}, "[none is empty]")
}

func TestListsAreBounded(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxEntries + 50 {
		files[fmt.Sprintf("f%05d", i)] = "x\n"
	}
	w := newWorkspace(t, files)
	got := w.says("ls", obj{}, "the first 1,000 entries are shown and there are more")
	if n := strings.Count(got, "\n"); n != maxEntries {
		t.Errorf("%d lines", n)
	}
	w.says("find", obj{"pattern": "f*"}, "the first 1,000 are shown and there are more")
	w.says("find", obj{"pattern": "f*", "limit": 3}, "f00000\nf00001\nf00002\n[the first 3")
	w.says("grep", obj{"pattern": "x", "limit": 2}, "f00000:1:x\nf00001:1:x\n[the first 2 matching lines")
}

func TestFindMatchesGlobs(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{
		"main.go": "", "src/a.ts": "", "src/deep/b.tsx": "", "src/deep/c.go": "", ".git/config.go": "", "src/[x].md": "", "src/ü.md": "", ".bullpen/output/o.txt": "kept",
	})
	for pattern, want := range map[string]string{
		"*.go":             "main.go src/deep/c.go",
		"src/*.ts":         "src/a.ts",
		"src/**/*.{ts,go}": "src/a.ts src/deep/c.go",
		"**/deep":          "src/deep/",
		"**":               "main.go src/ src/[x].md src/a.ts src/deep/ src/deep/b.tsx src/deep/c.go src/ü.md",
		"src/?.md":         "src/ü.md",
		`\[x\].md`:         "src/[x].md",
		"[!m]*.go":         "src/deep/c.go",
		"[a-b].*":          "src/a.ts src/deep/b.tsx",
	} {
		got := strings.Join(strings.Fields(w.says("find", obj{"pattern": pattern})), " ")
		if got != want {
			t.Errorf("%s finds %s, want %s", pattern, got, want)
		}
	}
	w.says("find", obj{"pattern": "deep/*.go", "path": "src"}, "src/deep/c.go\n")
	w.says("grep", obj{"pattern": "kept", "path": ".bullpen"}, ".bullpen/output/o.txt:1:kept")
	w.says("find", obj{"pattern": "*.rs"}, "[nothing below . matches *.rs]")
	w.refuses("find", obj{"pattern": "*.{go"}, "without its }")
	w.refuses("find", obj{"pattern": "[z-a]"}, "not a glob")
	w.refuses("find", obj{"pattern": ""}, "pattern is empty")
}

func TestGrepShowsMatchingLines(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{
		"a.go":        "one\nTwo\nthree\nfour\nfive\nsix two\n",
		"b/c.md":      "two\r\n",
		"bin":         "two\x00",
		".git/x":      "two",
		"long":        strings.Repeat("x", 5000) + "two" + strings.Repeat("y", 5000) + "\n",
		"b/latin.txt": "tw\xf6 two\n",
	})
	got := w.says("grep", obj{"pattern": "two", "path": "a.go", "ignore_case": true, "context": 1})
	if want := "a.go-1-one\na.go:2:Two\na.go-3-three\n--\na.go-5-five\na.go:6:six two\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	got = w.says("grep", obj{"pattern": "two"}, "a.go:6:six two\n", "b/c.md:1:two\n", "tw\uFFFD two", "xtwoy", "[1 binary file passed over]")
	if strings.Contains(got, ".git") || len(got) > 2000 {
		t.Errorf("got %s", got)
	}
	w.says("grep", obj{"pattern": "two$", "path": "b", "glob": "*.md"}, "b/c.md:1:two")
	w.says("grep", obj{"pattern": "nowhere", "glob": "*.go"}, "[no line of 1 file in . matches nowhere]")
	w.refuses("grep", obj{"pattern": "("}, `pattern "("`, "missing closing )")
	w.refuses("grep", obj{"pattern": "(?=x)"}, "look-around")
	w.refuses("grep", obj{"pattern": "x", "path": "nope"}, "there is no nope")
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/*.{ts,tsx}", "src/a/b.ts")
	f.Add(`[!a-]\`, "x")
	f.Fuzz(func(t *testing.T, pattern, p string) {
		g, err := compileGlob("pattern", pattern)
		if err == nil {
			g.match(p)
		}
		// A name quoted byte for byte matches itself.
		if p == "" || len(p) > 200 || !utf8.ValidString(p) || strings.HasPrefix(p, "./") {
			return
		}
		quoted := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `,`, `\,`).Replace(p)
		if g, err := compileGlob("pattern", quoted); err != nil || !g.match(p) {
			t.Fatalf("%q as %q: %v", p, quoted, err)
		}
	})
}
