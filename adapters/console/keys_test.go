package console

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/term"
)

// edited gives what was typed to a line editor and collects its lines.
func edited(t *testing.T, in io.Reader) []string {
	t.Helper()
	k := &keys{in: in}
	ed := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{k, io.Discard}, "> ")
	var lines []string
	for {
		l, err := ed.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return lines
		}
		lines = append(lines, k.plain(l))
	}
}

func TestPastesAreWholeHoweverTheyArrive(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"\x1b[200~a\rb\x1b[201~\r":                 "a\nb",
		"\x1b[200~a\r\nb\nc\x1b[201~\r":            "a\nb\nc",
		"\x1b[200~\x1b[20\x1b[201~\r":              "\x1b[20",
		"\x1b[200~\x1b\x1b[201~\r":                 "\x1b",
		"\x1b[200~\x7f\x00\x03\x1b[201~\r":         "\x7f\x00\x03",
		"a\x1b[200~b\r\x1b[201~c\r":                "ab\nc",
		"\x1b[200~x\r\r\x1b[201~\r":                "x",
		"\x1b[D\x1b[200~é日\x1b[201~\r":             "é日",
		"typed ␊ stays\r":                          "typed ␊ stays",
		"\x1b[200~1\x1b[201~\x1b[200~\x1b[201~2\r": "12",
	} {
		for how, in := range map[string]io.Reader{
			"at once":      strings.NewReader(typed),
			"byte by byte": iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(typed, "\x03", "\x02"))),
		} {
			want := want
			if how == "byte by byte" {
				want = strings.ReplaceAll(want, "\x03", "\x02") // Ctrl-C alone is a key, see below
			}
			if got := edited(t, in); len(got) != 1 || got[0] != want {
				t.Errorf("%q, %s: got %q, want %q", typed, how, got, want)
			}
		}
	}
}

func FuzzKeysDoNotDependOnHowTheyArrive(f *testing.F) {
	f.Add("hello\rworld\r")
	f.Add("\x1b[200~a\r\nb\x1b[201~\r\x1b[A\x1b[1;3D")
	f.Add("\x1b[" + strings.Repeat("9", 300) + "\r\x1b[200~\x1b[200~\x1b[201\xff~")
	f.Fuzz(func(t *testing.T, typed string) {
		typed = strings.ReplaceAll(typed, "\x03", "")
		read := func(in io.Reader) string {
			all, err := io.ReadAll(&keys{in: in})
			if err != nil {
				t.Fatal(err)
			}
			return string(all)
		}
		once := read(strings.NewReader(typed))
		if slow := read(iotest.OneByteReader(strings.NewReader(typed))); slow != once {
			t.Fatalf("%q at once gives %q, byte by byte %q", typed, once, slow)
		}
		edited(t, strings.NewReader(typed)) // ends, and does not panic
	})
}
