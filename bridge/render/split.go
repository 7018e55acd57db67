package render

import "unicode/utf8"

// MinLimit is the least limit that [Split] and the adapters' measures work with: room for one character
// in its longest escaped form. Smaller limits are taken as this one.
const MinLimit = 16

// Measure says how long a document is on a platform, in the platform's unit, with everything that the
// platform's writer adds. It should grow with the text, and count at least one unit for every four code
// points.
type Measure func(*Document) int

// Measured is the measure of a writer's text in a unit such as [Runes] or [UTF16].
func Measured(write func(*Document) string, unit func(string) int) Measure {
	return func(doc *Document) int { return unit(write(doc)) }
}

// Split cuts a document into parts of at most limit each. A document that fits is its only part; an
// empty one has none.
//
// It cuts between blocks where that leaves a part reasonably full, else at a line, a sentence, a word,
// and at last between graphemes; never inside a link or a mention. Lists and quotes are closed and opened
// again, numbers go on, code keeps its language, tables repeat their header. What does not fit any part
// by itself loses, in this order, its form (a link is spelled out, code loses its info, a row becomes
// lines), its containers, and its grapheme boundaries; a single code point that is still too long by the
// measure goes out as it is, so that there is always progress.
func Split(doc *Document, limit int, measure Measure) []*Document {
	s := splitter{limit: max(limit, MinLimit), measure: measure, leaves: flatten(doc)}
	var parts []*Document
	for len(s.leaves) > 0 {
		if part := s.next(); part != nil && !part.Empty() {
			parts = append(parts, part)
		}
	}
	return parts
}

// Cut is [Split] for a Markdown text that stays Markdown. A text that fits is its only part, unchanged.
func Cut(text string, limit int, measure Measure) []string {
	docs := Split(Parse(text, Options{}), limit, measure)
	if len(docs) <= 1 {
		return []string{text}
	}
	parts := make([]string, len(docs))
	for i, doc := range docs {
		parts[i] = Markdown(doc)
	}
	return parts
}

type splitter struct {
	limit   int
	measure Measure
	leaves  []*leaf // what is not yet in a part
}

// next takes one part off the leaves. It returns nil if it only changed their form.
func (s *splitter) next() *Document {
	if s.leaves[0].blank() {
		s.leaves = s.leaves[1:]
		return nil
	}
	whole := s.wholeLeaves()
	if whole == len(s.leaves) {
		return s.take(whole, nil)
	}
	cuts, last := s.interior(whole)
	switch {
	case whole == 0 && last < 0:
		return s.yield()
	case last < 0 || s.endsWell(whole, cuts[last]):
		return s.take(s.keepHeading(whole), nil)
	}
	at := s.best(whole, cuts, last)
	if at < 0 {
		return s.take(s.keepHeading(whole), nil)
	}
	if at != last && !s.fits(whole, &cuts[at]) {
		at = last
	}
	return s.take(whole, &cuts[at])
}

// fits measures the first n leaves and the next one up to the cut.
func (s *splitter) fits(n int, at *cut) bool {
	return s.measure(s.part(n, at)) <= s.limit
}

func (s *splitter) part(n int, at *cut) *Document {
	leaves := s.leaves[:n:n]
	if at != nil {
		leaves = append(leaves, s.leaves[n].upTo(at.pos))
	}
	return build(leaves)
}

// take makes a part of the first n leaves and the next one up to the cut, and removes them.
func (s *splitter) take(n int, at *cut) *Document {
	part := s.part(n, at)
	if at != nil {
		s.leaves[n].dropTo(at.pos)
	}
	s.leaves = s.leaves[n:]
	return part
}

// bound is the number of code points beyond which nothing can fit; see Measure.
func (s *splitter) bound() int { return 4 * s.limit }

// wholeLeaves finds how many leaves fit into a part.
func (s *splitter) wholeLeaves() int {
	most, size := 0, 0
	for most < len(s.leaves) {
		size += s.leaves[most].size()
		if size > s.bound() {
			break
		}
		most++
	}
	low, step := 0, 1
	for low < most {
		n := min(low+step, most)
		if !s.fits(n, nil) {
			most = n - 1
			break
		}
		low, step = n, step*2
	}
	for low < most {
		n := (low + most + 1) / 2
		if s.fits(n, nil) {
			low = n
		} else {
			most = n - 1
		}
	}
	return low
}

// interior finds the last cut inside leaf n that fits behind the n leaves before it, or -1.
func (s *splitter) interior(n int) ([]cut, int) {
	l := s.leaves[n]
	// Twice the limit is enough for any unit that counts code points, and for the word at the end.
	cuts := l.cuts(2 * s.limit)
	if len(cuts) > 0 && s.fits(n, &cuts[len(cuts)-1]) {
		l.known = nil
		cuts = l.cuts(s.bound())
	}
	low, high := -1, len(cuts)-1
	for low < high {
		mid := (low + high + 1) / 2
		if s.fits(n, &cuts[mid]) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return cuts, low
}

// endsWell says whether a part that ends before leaf n is full enough, given how much more would fit.
func (s *splitter) endsWell(n int, furthest cut) bool {
	if n == 0 {
		return false
	}
	filled := 0
	for _, l := range s.leaves[:n] {
		filled += l.size()
	}
	if 3*filled >= filled+furthest.size {
		return true
	}
	// A short beginning is left alone if that keeps what follows in one piece.
	next := s.leaves[n]
	return 8*filled >= filled+furthest.size && next.size() <= s.bound() && s.measure(build([]*leaf{next})) <= s.limit
}

// keepHeading moves a part's end before the headings that it would end with.
func (s *splitter) keepHeading(n int) int {
	for k := n; k > 0; k-- {
		if _, ok := s.leaves[k-1].block.(*Heading); !ok {
			if k == n || !s.fits(k, nil) {
				return n
			}
			return k
		}
	}
	return n
}

// best picks the cut in leaf n to take, no later than last. It returns -1 if the part should rather end
// before the leaf.
func (s *splitter) best(n int, cuts []cut, last int) int {
	filled := 0
	for _, l := range s.leaves[:n] {
		filled += l.size()
	}
	full := filled + cuts[last].size
	for class := atLine; class <= atWord; class++ {
		for i := last; i >= 0 && 2*(filled+cuts[i].size) >= full; i-- {
			if cuts[i].class <= class {
				return i
			}
		}
	}
	if cuts[last].class <= atWord {
		return last
	}
	// The text at the end is one long word. If it fits into the next part whole, cut before it.
	start := last
	for start >= 0 && cuts[start].class > atWord {
		start--
	}
	end := last
	for end < len(cuts) && cuts[end].class > atWord && cuts[end].size-sizeAt(cuts, start) <= full {
		end++
	}
	length := s.leaves[n].runes
	if end < len(cuts) {
		length = cuts[end].size
	}
	if length-sizeAt(cuts, start) <= full && (start >= 0 || n > 0) {
		return start
	}
	return last
}

func sizeAt(cuts []cut, i int) int {
	if i < 0 {
		return 0
	}
	return cuts[i].size
}

// yield gives up some of the form of the first leaf, of which not even the smallest piece fits.
func (s *splitter) yield() *Document {
	l := s.leaves[0]
	l.rung++
	switch l.rung {
	case 1:
		s.leaves = append(l.simplify(s.bound()), s.leaves[1:]...)
	case 2:
		l.path = nil
	case 3:
		l.plain()
	case 4:
		l.fine = true
		l.known = nil
	default:
		return s.force()
	}
	return nil
}

// force takes one code point, which the measure finds too long for any part.
func (s *splitter) force() *Document {
	cuts := s.leaves[0].cuts(s.bound())
	if len(cuts) == 0 {
		return s.take(1, nil)
	}
	return s.take(0, &cuts[0])
}

func runeCount(text string) int { return utf8.RuneCountInString(text) }
