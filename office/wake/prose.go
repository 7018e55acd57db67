package wake

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParens bounds how deep the parentheses of a link target may be nested. It
// keeps the search for the closing one linear over many that never close.
const maxParens = 32

// region is a part of a text in which no token is read.
type region struct {
	start, end int
	span       bool // it is a native mention, which is opaque
}

// closed returns the regions of text that are not read, sorted by their start:
// the spans, and what [Read] lists as unread. Only spans that are [usable] may
// be given.
//
// The rules are those of CommonMark, widened by what chat platforms show as
// code: a fence of three backticks may also open at the end of a line of text,
// and one of backticks may close behind the last word of the code, with text
// after it.
func closed(text string, spans []Span) []region {
	p := prose{text: text, spans: spans, ticks: make(map[int][]int)}
	p.findTicks()
	p.walk()
	for _, s := range spans {
		p.out = append(p.out, region{s.Start, s.End, true})
	}
	slices.SortStableFunc(p.out, func(a, b region) int { return cmp.Compare(a.start, b.start) })
	return p.out
}

// prose is one walk over a text, in which every step moves at forward.
type prose struct {
	text      string
	spans     []Span        // those not passed yet
	ticks     map[int][]int // where runs of backticks not passed yet start, by their length
	unclosed  bool          // no fence of three backticks closes after at
	at        int
	paragraph int // where the paragraph of the newest run of backticks ends
	out       []region
}

// findTicks notes the runs of backticks outside the spans.
func (p *prose) findTicks() {
	spans := p.spans
	for i := 0; i < len(p.text); {
		if len(spans) > 0 && i >= spans[0].Start {
			i, spans = max(i, spans[0].End), spans[1:]
			continue
		}
		n := run(p.text[i:], '`')
		if n > 0 {
			p.ticks[n] = append(p.ticks[n], i)
		}
		i += max(n, 1)
	}
}

// nextTicks returns where the next run of exactly n backticks starts, from an
// offset that never decreases between calls; -1 if there is none.
func (p *prose) nextTicks(n, from int) int {
	runs := p.ticks[n]
	for len(runs) > 0 && runs[0] < from {
		runs = runs[1:]
	}
	p.ticks[n] = runs
	if len(runs) == 0 {
		return -1
	}
	return runs[0]
}

func (p *prose) walk() {
	for p.at < len(p.text) {
		for len(p.spans) > 0 && p.spans[0].Start < p.at {
			p.spans = p.spans[1:] // a region has swallowed it
		}
		switch {
		case len(p.spans) > 0 && p.spans[0].Start == p.at:
			p.at = p.spans[0].End
		case p.startsLine() && p.block():
		default:
			p.inline()
		}
	}
}

// skip closes the text from start to end and goes on behind it.
func (p *prose) skip(start, end int) {
	p.out = append(p.out, region{start: start, end: end})
	p.at = end
}

func (p *prose) startsLine() bool {
	if p.at == 0 {
		return true
	}
	last := p.text[p.at-1]
	return last == '\n' || (last == '\r' && p.text[p.at] != '\n')
}

// block skips the quoted line or the fenced block that starts at a line, and
// reports whether there was one.
func (p *prose) block() bool {
	line, next := cutLine(p.text, p.at)
	if c, n := fence(line); n > 0 {
		end, ok := p.fenceEnd(next, c, n)
		if !ok {
			end = len(p.text)
		}
		p.skip(p.at, end)
		return true
	}
	if quoted(line) {
		p.skip(p.at, next)
		return true
	}
	return false
}

// inline takes one step inside a line.
func (p *prose) inline() {
	rest := p.text[p.at:]
	switch c := rest[0]; {
	case c == '\\' && len(rest) > 1 && isASCIIPunct(rest[1]):
		p.at += 2
	case c == '`':
		p.code()
	case strings.HasPrefix(rest, "]("):
		p.skipFound(p.at+1, targetLength(rest[1:]))
	case c == '<':
		p.skipFound(p.at, autolinkLength(rest))
	case strings.HasPrefix(rest, "://") && p.at > 0 && isASCIIAlnum(p.text[p.at-1]):
		p.skip(p.at, p.at+3+p.urlLength(p.at+3))
	case (c == 'w' || c == 'W') && p.startsWord() && len(rest) >= 4 && strings.EqualFold(rest[:4], "www."):
		p.skip(p.at, p.at+4+p.urlLength(p.at+4))
	default:
		p.at++
	}
}

// skipFound skips n bytes from start, or one step if there are none.
func (p *prose) skipFound(start, n int) {
	if n == 0 {
		p.at++
		return
	}
	p.skip(start, start+n)
}

func (p *prose) startsWord() bool {
	r, n := utf8.DecodeLastRuneInString(p.text[:p.at])
	return n == 0 || !isWord(r)
}

// code skips the code span, or the block, that a run of backticks opens. A run
// that nothing matches is text.
func (p *prose) code() {
	n := run(p.text[p.at:], '`')
	body := p.at + n
	if p.at >= p.paragraph {
		p.paragraph = paragraphEnd(p.text, p.at)
	}
	if end := p.nextTicks(n, body); end >= 0 && end < p.paragraph {
		p.skip(p.at, end+n)
		return
	}
	line, next := cutLine(p.text, body)
	if n == 3 && !p.unclosed && !strings.ContainsAny(line, " \t`") {
		end, ok := p.fenceEnd(next, '`', n)
		if ok {
			p.skip(p.at, end)
			return
		}
		p.unclosed = true
	}
	p.at = body
}

// fenceEnd returns the end of the run of at least n characters c that closes a
// fence whose content starts at from, and whether there is one.
func (p *prose) fenceEnd(from int, c byte, n int) (int, bool) {
	for from < len(p.text) {
		line, next := cutLine(p.text, from)
		if end := closingFence(line, c, n); end > 0 {
			return from + end, true
		}
		from = next
	}
	return 0, false
}

// closingFence returns where in line a closing fence ends, or 0. Tildes close
// only on a line of their own. Backticks close at the start of a line or right
// behind code, if white space or the end of the line follows.
func closingFence(line string, c byte, n int) int {
	if c == '~' {
		trimmed := strings.TrimRight(line, " \t")
		if indent, ok := indentation(line); ok && len(trimmed)-indent >= n && run(trimmed[indent:], c) == len(trimmed)-indent {
			return len(line)
		}
		return 0
	}
	code := false // the character before i is not white space
	lead := true  // nothing but white space stands before i
	for i := 0; i < len(line); {
		k := run(line[i:], c)
		if end := i + k; k >= n && (lead || code) && (end == len(line) || isBlank(line[end])) {
			return end
		}
		code = !isBlank(line[i])
		lead = lead && !code
		i += max(k, 1)
	}
	return 0
}

// fence returns the character and the length of the fence that line opens; the
// length is 0 if it opens none. Backticks later in the line make it a code span.
func fence(line string) (c byte, n int) {
	indent, ok := indentation(line)
	if !ok || indent == len(line) {
		return 0, 0
	}
	c = line[indent]
	if c != '`' && c != '~' {
		return 0, 0
	}
	n = run(line[indent:], c)
	if n < 3 || (c == '`' && strings.IndexByte(line[indent+n:], '`') >= 0) {
		return 0, 0
	}
	return c, n
}

// quoted reports whether line is a quotation.
func quoted(line string) bool {
	indent, ok := indentation(line)
	return ok && strings.HasPrefix(line[indent:], ">")
}

// indentation counts the spaces before a line; more than three make no block.
func indentation(line string) (n int, ok bool) {
	n = run(line, ' ')
	return n, n <= 3
}

// paragraphEnd returns where the paragraph around an offset ends: before a blank
// or quoted line, or a fence.
func paragraphEnd(text string, from int) int {
	line, next := cutLine(text, from)
	for strings.TrimSpace(line) != "" && next < len(text) {
		from = next
		line, next = cutLine(text, from)
		if _, n := fence(line); n > 0 || quoted(line) {
			return from
		}
	}
	return next
}

// cutLine returns the line from an offset without its ending, and where the
// next one starts.
func cutLine(text string, from int) (line string, next int) {
	i := from
	for i < len(text) && text[i] != '\n' && text[i] != '\r' {
		i++
	}
	next = min(i+1, len(text))
	if strings.HasPrefix(text[i:], "\r\n") {
		next = i + 2
	}
	return text[from:i], next
}

// targetLength returns the length of the parenthesis with a link target that
// text starts with, or 0 if it does not close on its line.
func targetLength(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
		case '\n', '\r':
			return 0
		}
		switch {
		case depth == 0:
			return i + 1
		case depth > maxParens:
			return 0
		}
	}
	return 0
}

// autolinkLength returns the length of the <scheme:…> that text starts with, or 0.
func autolinkLength(text string) int {
	i := 1
	for i < len(text) && i <= maxParens && (isASCIIAlnum(text[i]) || strings.IndexByte("+.-", text[i]) >= 0) {
		i++
	}
	if i < 3 || i == len(text) || text[i] != ':' {
		return 0
	}
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '>':
			return i + 1
		case c == '<' || c <= ' ':
			return 0
		}
	}
	return 0
}

// urlLength returns how far the URL goes on from an offset: to white space, to
// a character that no URL holds, to a bracket that it did not open, or to a
// span. Punctuation beyond ASCII ends it too, because the scripts that use it
// put no space behind a URL.
func (p *prose) urlLength(from int) int {
	text := p.text[from:]
	for _, s := range p.spans {
		if s.Start >= from {
			text = p.text[from:s.Start]
			break
		}
	}
	round, square := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			round++
		case ')':
			round--
		case '[':
			square++
		case ']':
			square--
		}
		if round < 0 || square < 0 || endsURL(r) {
			return i
		}
	}
	return len(text)
}

func endsURL(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F || strings.ContainsRune("<>\"`", r)
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r)
}

// run returns how many bytes c text starts with.
func run(text string, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isASCIIAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isASCIIPunct(c byte) bool {
	return '!' <= c && c <= '~' && !isASCIIAlnum(c)
}
