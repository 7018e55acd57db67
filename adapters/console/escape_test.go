package console

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// unescape undoes what the package comment says of escaping.
func unescape(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '\\':
			b.WriteByte('\\')
		case 'x':
			v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			t.Fatalf("%q holds an escape that nobody wrote", s)
		}
	}
	return b.String()
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "a\nb\r\n\tc", `back\slash \n \x41`, "\x00\x1b[31m\x7f", "\u0085\u009b1m", "\u202Eevil\u2066",
		"\xff\xfe\xc3", "family 👨‍👩‍👧 flag 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u2028\u2029\ufeff", "日本語 العربية",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := escaped(text)
		if !utf8.ValidString(line) {
			t.Fatalf("%q becomes %q, which is no text", text, line)
		}
		if i := strings.IndexFunc(line, hidden); i >= 0 {
			t.Fatalf("%q becomes %q, which hides something at %d", text, line, i)
		}
		if got := unescape(t, line); got != text {
			t.Fatalf("%q became %q and came back as %q", text, line, got)
		}
	})
}

func TestEscapedNamesWhatAPersonWouldNotSee(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"two\nlines":       `two\nlines`,
		"tab\tand\rreturn": `tab\tand\rreturn`,
		`C:\new`:           `C:\\new`,
		"\x1b[31mred":      `\x1B[31mred`,
		"\u009b31m":        `\xC2\x9B31m`,
		"a\u202Eb":         `a\xE2\x80\xAEb`,
		"\xff":             `\xFF`,
		"é 日 👍🏽":           "é 日 👍🏽",
	} {
		if got := escaped(text); got != want {
			t.Errorf("escaped(%q) = %q, want %q", text, got, want)
		}
	}
}
