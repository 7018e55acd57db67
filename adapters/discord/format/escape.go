package format

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape writes a text so that Discord shows it as it stands. It may begin a message or a line.
func Escape(text string) string {
	e := escaper{lineStart: true}
	e.text(text, "")
	return e.b.String()
}

// address is what Discord makes a link of by itself; nothing in it may be escaped.
var address = regexp.MustCompile(`^https?://[^\s<>]+`)

// known are tokens in angle brackets that are shown as something and call nobody: a custom emoji, a time
// (docs.discord.com/developers/reference, message formatting).
var known = regexp.MustCompile(`^<(?:a?:[A-Za-z0-9_]{2,32}:[0-9]{1,20}|t:-?[0-9]{1,13}(?::[tTdDfFR])?)>`)

// escaper writes text and remembers where in a line it is.
type escaper struct {
	b         strings.Builder
	lineStart bool // only blanks so far on this line
	digits    bool // a number began this line and goes on
}

// raw writes what is markup.
func (e *escaper) raw(text string) {
	if text == "" {
		return
	}
	e.b.WriteString(text)
	e.lineStart, e.digits = strings.HasSuffix(text, "\n"), false
}

// text writes text with a backslash before whatever could be read as markup where it stands; after is
// what follows the text, as far as it matters.
func (e *escaper) text(text, after string) {
	for i := 0; i < len(text); {
		if span := verbatim(text, i); span > 0 {
			e.raw(text[i : i+span])
			i += span
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if e.special(text, after, i, r) {
			e.b.WriteByte('\\')
		}
		e.b.WriteString(text[i : i+size])
		e.digits = (e.lineStart || e.digits) && r >= '0' && r <= '9'
		e.lineStart = r == '\n' || e.lineStart && (r == ' ' || r == '\t')
		i += size
	}
}

// verbatim is the length of what begins at i and is to be written as it is.
func verbatim(text string, i int) int {
	switch text[i] {
	case 'h':
		if before, _ := utf8.DecodeLastRuneInString(text[:i]); i == 0 || !unicode.IsLetter(before) {
			return len(address.FindString(text[i:]))
		}
	case '<':
		return len(known.FindString(text[i:]))
	}
	return 0
}

func (e *escaper) special(text, after string, i int, r rune) bool {
	switch r {
	case '\\', '`', '*', '[':
		return true
	case '_':
		return !insideWord(text, after, i)
	case '~', '|':
		return doubled(text, i)
	case '<':
		return i+1 < len(text) && strings.ContainsRune("@#:/", rune(text[i+1])) ||
			i+1 < len(text) && unicode.IsLetter(rune(text[i+1])) || i+1 == len(text)
	case '#', '>', '-':
		return e.lineStart
	case '.', ')':
		return e.digits
	}
	return false
}

// doubled says whether the mark at i stands beside another of its kind, or at an end, where one may follow.
func doubled(text string, i int) bool {
	return i == 0 || i+1 == len(text) || text[i-1] == text[i] || text[i+1] == text[i]
}

// insideWord says whether an underscore joins two parts of a word, as in snake_case, which Discord reads
// as text.
func insideWord(text, after string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	next, _ := utf8.DecodeRuneInString(text[i+1:] + after)
	return i > 0 && wordRune(before) && wordRune(next)
}

func wordRune(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
