package console

import (
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// appendEscaped writes text as part of one line that no terminal can mistake
// for a command to it. unescape in the tests is its exact reverse.
func appendEscaped(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || hidden(r) {
			for _, b := range []byte(text[i : i+n]) {
				dst = append(dst, '\\', 'x', hexDigits[b>>4], hexDigits[b&15])
			}
		} else {
			dst = append(dst, text[i:i+n]...)
		}
		i += n
	}
	return dst
}

func appendASCII(dst []byte, c byte) []byte {
	switch {
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\t':
		return append(dst, '\\', 't')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\\':
		return append(dst, '\\', '\\')
	case c < ' ' || c == 0x7F:
		return append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
	default:
		return append(dst, c)
	}
}

// hidden says whether a character steers the terminal, turns text around, ends
// a line, or is not seen at all. Joiners and the tags of flags are needed by
// scripts and emoji and do none of it.
func hidden(r rune) bool {
	if r == 0x200C || r == 0x200D || r >= 0xE0020 && r <= 0xE007F {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escaped is appendEscaped as a string.
func escaped(text string) string { return string(appendEscaped(nil, text)) }
