package render

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// openMost is how many bytes a mark (an asterisk, a bracket) may wait for its end before
// it is taken for what it looks like.
const openMost = 500

var (
	fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
	tableLine = regexp.MustCompile(`(?m)^\s*\||^.*\n\s*:?-+:?\s*\|[-:|\s]*$`)
	// bareMarks is a line that may yet become a heading's underline, a list or a rule.
	bareMarks = regexp.MustCompile(`^[-\s=*_+#>|~\x60.()\[\]xX0-9]*$`)
)

// Stable is the longest beginning of a Markdown text that is still being written which
// can be shown now and will look the same, or nearly so, when more has come: it ends
// behind a word, with no link, style or code span left open, in a fenced block behind a
// line, and never within a table. It is empty while there is no such place.
func Stable(text string) string {
	start, fence := lastBlock(text)
	if fence {
		if end := strings.LastIndexByte(text[start:], '\n'); end >= 0 {
			return text[:start+end]
		}
		return text[:strings.LastIndexByte(text[:start-1], '\n')+1]
	}
	block := text[start:]
	if at := tableLine.FindStringIndex(block); at != nil {
		block = block[:at[0]]
	}
	block = strings.TrimRight(block[:wordEnd(block)], `\`)
	for {
		line := strings.LastIndexByte(block, '\n') + 1
		if !bareMarks.MatchString(block[line:]) {
			break
		}
		if line == 0 {
			return text[:start]
		}
		block = block[:line-1]
	}
	return text[:start+openMark(block)]
}

// lastBlock is where the last block begins that more text may still change: behind the
// last empty line, or, with fence, behind the line that opened a fence.
func lastBlock(text string) (start int, fence bool) {
	mark := ""
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		whole := end >= 0
		if !whole {
			end = len(text) - at
		}
		line := strings.TrimRight(text[at:at+end], "\r")
		next := min(at+end+1, len(text))
		found := fenceLine.FindStringSubmatch(line)
		switch {
		case !whole:
		case mark == "" && found != nil && !(found[1][0] == '`' && strings.Contains(found[2], "`")):
			mark, start, fence = found[1], next, true
		case mark != "" && found != nil && found[1][0] == mark[0] && len(found[1]) >= len(mark) && strings.TrimSpace(found[2]) == "":
			mark, start, fence = "", next, false
		case mark == "" && strings.TrimSpace(line) == "":
			start = next
		}
		if !whole && mark == "" && found != nil {
			return at, false // whatever it opens begins with the next line
		}
		at = next
	}
	return start, fence
}

// wordEnd is the end of the last word that nothing can be added to. An address is one
// word, whatever is in it.
func wordEnd(block string) int {
	from := strings.LastIndexFunc(block, unicode.IsSpace)
	tail := block[from+1:]
	most := from + 1 + addressIn(tail)
	end, at, state := max(from, 0), from+1, -1
	for tail != "" && at < most {
		var cluster string
		var bounds int
		cluster, tail, bounds, state = uniseg.StepString(tail, state)
		at += len(cluster)
		if tail != "" && bounds&uniseg.MaskLine != uniseg.LineDontBreak {
			end = at
		}
	}
	return min(end, max(most, 0))
}

// addressIn is where an address begins that may still grow, else the length.
func addressIn(tail string) int {
	at := strings.LastIndex(tail, "://")
	if at < 0 {
		if at = strings.LastIndex(tail, "www."); at < 0 {
			return len(tail)
		}
	}
	if strings.ContainsFunc(tail[at:], func(r rune) bool { return r >= utf8.RuneSelf }) {
		return len(tail)
	}
	for at > 0 && tail[at-1] < utf8.RuneSelf && word(rune(tail[at-1])) {
		at--
	}
	return at
}

// openMark is where the first mark stands that waits for its end, or the block's length.
func openMark(block string) int {
	var open []mark
	for at := 0; at < len(block); {
		rest := block[at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch r {
		case '\\':
			if size < len(rest) {
				_, after := utf8.DecodeRuneInString(rest[size:])
				size += after
			}
		case '`':
			size = runOf(rest, '`')
			end := closingRun(rest[size:], size)
			if end < 0 {
				if len(rest) < openMost {
					return first(open, at, len(block))
				}
				break
			}
			size += end
		case '[', '!', '<':
			end := bracketEnd(rest)
			if end < 0 && len(rest) < openMost {
				return first(open, at, len(block))
			}
			size = max(size, end)
		case '*', '_', '~':
			if size = runOf(rest, byte(r)); r != '~' || size == 2 {
				open = take(open, mark{byte(r), at}, block, size)
			}
		}
		at += size
	}
	return first(open, len(block), len(block))
}

// mark is a run of asterisks, underlines or tildes that opens a style.
type mark struct {
	sign byte
	at   int
}

// first is the place of the first open mark that is young enough, else at.
func first(open []mark, at, end int) int {
	for _, m := range open {
		if end-m.at < openMost {
			return min(m.at, at)
		}
	}
	return at
}

// take lets a run close the last one of its kind, or open a style.
func take(open []mark, m mark, block string, size int) []mark {
	before, _ := utf8.DecodeLastRuneInString(block[:m.at])
	after, _ := utf8.DecodeRuneInString(block[m.at+size:])
	opens := m.at+size < len(block) && !unicode.IsSpace(after)
	closes := m.at > 0 && !unicode.IsSpace(before)
	if m.sign == '_' && closes && opens && word(before) && word(after) {
		return open // within a name
	}
	if closes {
		for i := len(open) - 1; i >= 0; i-- {
			if open[i].sign == m.sign {
				return open[:i]
			}
		}
	}
	if opens || m.at+size == len(block) && !closes {
		open = append(open, m)
	}
	return open
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// runOf is how many of a sign a text begins with.
func runOf(text string, sign byte) int {
	n := 0
	for n < len(text) && text[n] == sign {
		n++
	}
	return n
}

// closingRun is the end of the first run of exactly n backticks, or -1.
func closingRun(text string, n int) int {
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1
		}
		run := runOf(text[at+i:], '`')
		if at += i + run; run == n {
			return at
		}
	}
	return -1
}

// bracketEnd is the end of a link, a picture or an address in angle brackets that a text
// begins with; 0 if it begins with none of them, -1 while that cannot be told.
func bracketEnd(text string) int {
	switch {
	case text[0] == '<':
		if len(text) == 1 {
			return -1
		}
		if r, _ := utf8.DecodeRuneInString(text[1:]); !unicode.IsLetter(r) && r != '/' && r != '!' {
			return 0
		}
		return upTo(text, ">")
	case text[0] == '!' && len(text) == 1:
		return -1
	case text[0] == '!' && text[1] != '[':
		return 0
	case text[0] == '!':
		if end := bracketEnd(text[1:]); end != 0 {
			return end + min(end, 1)
		}
		return 0
	}
	end := upTo(text, "]")
	switch {
	case end < 0 || end == len(text):
		return -1
	case text[end] != '(' && text[end] != '[':
		return end
	}
	to := upTo(text[end:], map[byte]string{'(': ")", '[': "]"}[text[end]])
	if to < 0 {
		return -1
	}
	return end + to
}

// upTo is the end of the first sign in a text, or -1.
func upTo(text, sign string) int {
	if i := strings.Index(text, sign); i >= 0 {
		return i + len(sign)
	}
	return -1
}
