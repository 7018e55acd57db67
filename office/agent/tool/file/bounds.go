package file

import (
	"strconv"
	"strings"
)

// The bounds of the tools, all in one place. Sizes are in bytes.
const (
	maxOutput  = 50 << 10  // text that one call returns, notes not counted
	maxLines   = 2000      // lines that one read returns
	maxLine    = 2000      // of one line that read shows
	maxScan    = 128 << 20 // that one read passes over to reach its offset
	maxCount   = 8 << 20   // that read looks ahead to say how many lines follow
	maxWrite   = 4 << 20   // content of one write
	maxEdit    = 8 << 20   // a file that edit changes, before and after
	maxSniff   = 8 << 10   // looked at to tell text from binary
	maxImage   = 256 << 10 // looked at to find an image's dimensions
	maxPath    = 4096      // a path
	maxPattern = 1000      // a glob or a regular expression

	maxEntries = 1000    // entries that ls or find returns
	maxFolder  = 10_000  // entries that are read of one folder
	maxVisited = 200_000 // entries that one walk visits
	maxDepth   = 64      // folders within folders that a walk enters

	maxMatches   = 1000      // matches that grep returns
	maxGrepLine  = 64 << 10  // of one line that grep searches
	maxGrepShown = 400       // of one line that grep shows
	maxGrepped   = 256 << 20 // that one grep reads in all
)

// count writes n with a comma between thousands, as in 12,345.
func count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted is count with a noun, which is put into the plural unless n is one.
func counted[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return count(n) + " " + stem + "ies"
	}
	return count(n) + " " + noun + "s"
}
