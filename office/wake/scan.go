package wake

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SpanKind says what a native mention was resolved to.
type SpanKind string

// The kinds of span.
const (
	SpanColleague SpanKind = "colleague" // a colleague's persona or own account; ID is the colleague's
	SpanPerson    SpanKind = "person"    // ID is the person's
	SpanChannel   SpanKind = "channel"   // a channel, or the one that @here stands in; ID is the channel's
	SpanLevel     SpanKind = "level"     // a role of the platform that is a level; ID is the level's name
	SpanNobody    SpanKind = "nobody"    // a stranger, a command, anything that addresses no one here
)

// Span is a native mention of a platform, resolved by whoever knows the
// platform. Start and End are byte offsets of the text, End exclusive.
type Span struct {
	Start, End int
	Kind       SpanKind
	ID         string
}

// hit is something addressed at a place of the text.
type hit struct {
	at     int
	target target
}

// Read returns the wake that a person wrote in a text. Tokens in code, quoted
// lines, URLs and link targets are not read. Spans are taken as they are,
// wherever they stand, and nothing is read inside one; a span that is out of
// range, cuts a character, or overlaps an earlier one is ignored.
//
// A level or a channel beside anything but people is refused with a [*Conflict],
// a name that is not unique with an [*Ambiguous]; both say what to write
// instead. The text may hold anything, also invalid UTF-8; the time taken is
// linear in its length.
func Read(text string, spans []Span, d *Directory) (Wake, error) {
	spans = usable(text, spans)
	hits, err := tokens(text, spans, d)
	if err != nil {
		return Wake{}, err
	}
	for _, s := range spans {
		if t, ok := s.target(); ok {
			hits = append(hits, hit{s.Start, t})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.at, b.at) })
	targets := make([]target, len(hits))
	for i, h := range hits {
		targets[i] = h.target
	}
	return combine(targets, d)
}

// usable returns the spans that lie in text, sorted and without overlaps.
func usable(text string, spans []Span) []Span {
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	kept, end := sorted[:0], 0
	for _, s := range sorted {
		if s.Start < end || s.End <= s.Start || s.End > len(text) || cuts(text, s.Start) || cuts(text, s.End) {
			continue
		}
		kept, end = append(kept, s), s.End
	}
	return kept
}

// cuts reports whether an offset lies inside a character.
func cuts(text string, at int) bool {
	return at < len(text) && !utf8.RuneStart(text[at])
}

// target returns what a span addresses, if anything.
func (s Span) target() (target, bool) {
	if s.ID == "" {
		return target{}, false
	}
	switch s.Kind {
	case SpanColleague:
		return target{colleague, s.ID}, true
	case SpanPerson:
		return target{person, s.ID}, true
	case SpanChannel:
		return target{channel, s.ID}, true
	case SpanLevel:
		rank, ok := Rank(s.ID)
		return target{level, levels[rank]}, ok
	default:
		return target{}, false
	}
}

// tokens returns what the plain text addresses outside the spans and the parts
// that are not read.
func tokens(text string, spans []Span, d *Directory) ([]hit, error) {
	if !strings.ContainsAny(text, "@$#＠＄＃") {
		return nil, nil
	}
	s := scanner{text: text, directory: d}
	from, left := 0, 0
	for _, skip := range closed(text, spans) {
		right := len(text)
		if skip.span {
			right = skip.start
		}
		if err := s.gap(from, skip.start, left, right); err != nil {
			return nil, err
		}
		if skip.end <= from {
			continue
		}
		from, left = skip.end, 0
		if skip.span {
			left = from
		}
	}
	if err := s.gap(from, len(text), left, len(text)); err != nil {
		return nil, err
	}
	return s.hits, nil
}

// scanner collects the tokens of one text.
type scanner struct {
	text      string
	directory *Directory
	hits      []hit
}

// gap reads the tokens of text[from:to]. What stands around a token is looked at
// in text[left:right] only: a span is opaque, so what it is made of neither ends
// in a word nor starts one.
func (s *scanner) gap(from, to, left, right int) error {
	for i := from; i < to; {
		sign, width := signAt(s.text[:to], i)
		if width == 0 {
			i++
			continue
		}
		start := i + width
		if !mayPrecede(s.text[left:i]) {
			i = start
			continue
		}
		found, n := s.directory.index(sign).longest(s.text[start:to], func(n int) bool {
			return mayFollow(s.text[start+n : right])
		})
		if len(found) > 1 {
			return ambiguous(sign, s.text[start:start+n], found)
		}
		if len(found) == 1 {
			s.hits = append(s.hits, hit{i, found[0]})
		}
		i = start + n
	}
	return nil
}

// signAt returns the sign that starts at offset i of text, as its ASCII form,
// and its width in bytes; the width is 0 where there is none.
func signAt(text string, i int) (sign byte, width int) {
	switch c := text[i]; c {
	case '@', '$', '#':
		return c, 1
	case 0xEF: // U+FF20 ＠, U+FF04 ＄ and U+FF03 ＃ start with this byte
		r, width := utf8.DecodeRuneInString(text[i:])
		switch r {
		case '＠':
			return '@', width
		case '＄':
			return '$', width
		case '＃':
			return '#', width
		}
	}
	return 0, 0
}

// mayPrecede reports whether a sign may stand after text: what comes before it
// must not be part of a word, an e-mail address, a path or a URL, and no
// backslash. Letters of scripts that write no spaces are no obstacle.
func mayPrecede(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	if n == 0 {
		return true
	}
	if !isWord(r) {
		return !strings.ContainsRune(`.-+/@＠:\`, r)
	}
	// A decomposed kana or a Thai syllable ends in a mark: its letter decides.
	for unicode.IsMark(r) && !writesNoSpaces(r) {
		text = text[:len(text)-n]
		r, n = utf8.DecodeLastRuneInString(text)
	}
	return writesNoSpaces(r)
}

// unspaced are the scripts whose words stand side by side.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
}

// writesNoSpaces reports whether r is a letter or a mark of a script that
// writes no spaces. The two signs that lengthen a kana are common to several
// scripts and in none of the tables.
func writesNoSpaces(r rune) bool {
	const long, longHalfwidth = 'ー', 'ｰ'
	return r == long || r == longHalfwidth || (!unicode.IsDigit(r) && unicode.In(r, unspaced...))
}

// mayFollow reports whether a name may end before text: no word goes on there,
// also not over a hyphen or a dot as in a host name.
func mayFollow(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return true
	}
	if r == '-' || r == '.' {
		r, _ = utf8.DecodeRuneInString(text[n:])
	}
	return !isWord(r)
}
