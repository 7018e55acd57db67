package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a line: without its quotation marks, if it had any.
type word struct {
	text   string
	key    string // of key=value; text is the value then
	quoted bool
	start  int // where it begins in the line, in bytes
	end    int
}

// quotes are the marks that keep words together, each with those that end it.
// “Phones” write the curly ones, and German ones begin „below“.
var quotes = map[rune]string{'"': `"`, '\'': `'`, '“': "”“", '„': "“”", '‘': "’", '«': "»"}

// split cuts a line into words. A quotation mark counts at the beginning of a
// word, or after the = of key=, and only if another ends the word; any other
// stands for itself, so that no line is wrong.
func split(line string) []word {
	var out []word
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		if space(r) {
			i += n
			continue
		}
		w := word{start: i}
		if w.text, w.end, w.quoted = quotedAt(line, i); !w.quoted {
			w.end = bareEnd(line, i)
			w.text = line[i:w.end]
			if key, _, ok := strings.Cut(w.text, "="); ok && isName(key) {
				w.key = key
				at := i + len(key) + 1
				if text, end, ok := quotedAt(line, at); ok {
					w.text, w.end = text, end
				} else {
					w.text = line[at:w.end]
				}
			}
		}
		out = append(out, w)
		i = w.end
	}
	return out
}

// quotedAt reads a quoted word that begins at i.
func quotedAt(line string, i int) (text string, end int, ok bool) {
	open, n := utf8.DecodeRuneInString(line[i:])
	closers := quotes[open]
	if closers == "" {
		return "", 0, false
	}
	for j := i + n; j < len(line); {
		r, m := utf8.DecodeRuneInString(line[j:])
		next, _ := utf8.DecodeRuneInString(line[j+m:])
		if strings.ContainsRune(closers, r) && (j+m == len(line) || space(next)) {
			return line[i+n : j], j + m, true
		}
		j += m
	}
	return "", 0, false
}

func bareEnd(line string, i int) int {
	if n := strings.IndexFunc(line[i:], space); n >= 0 {
		return i + n
	}
	return len(line)
}

// space is what parts words: blanks of all kinds, and the marks that only say
// in which direction a text runs, which phones put around names.
func space(r rune) bool {
	return unicode.IsSpace(r) || r >= '\u200e' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// isName says whether s could be the name of an argument or a command.
func isName(s string) bool {
	if s == "" || len(s) > 32 {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return false
		}
	}
	return true
}

// input is what stands behind a command's name.
type input struct {
	words []word
	line  string // empty where the words came apart, from a shell
}

// rest is everything from word i on, as it was written. Quotation marks around
// all of it only hold it together.
func (in input) rest(i int) string {
	if i == len(in.words)-1 && in.words[i].quoted {
		return in.words[i].text
	}
	if in.line != "" {
		return strings.TrimFunc(in.line[in.words[i].start:], unicode.IsSpace)
	}
	return in.join(i, len(in.words))
}

// join is some words with single blanks between them.
func (in input) join(from, to int) string {
	texts := make([]string, 0, to-from)
	for _, w := range in.words[from:to] {
		texts = append(texts, w.whole())
	}
	return strings.Join(texts, " ")
}

// whole is a word with its key.
func (w word) whole() string {
	if w.key == "" {
		return w.text
	}
	return w.key + "=" + w.text
}

// apart makes an input of words that a shell has cut already.
func apart(args []string) input {
	in := input{words: make([]word, len(args))}
	for i, a := range args {
		in.words[i] = word{text: a}
		if key, value, ok := strings.Cut(a, "="); ok && isName(key) {
			in.words[i] = word{key: key, text: value}
		}
	}
	return in
}
