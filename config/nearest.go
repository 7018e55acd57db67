package config

import "bullpen/office/wake"

// Nearest is the name that was probably meant by word; empty if none is near.
func Nearest(word string, names []string) string { return nearest(word, names) }

// nearest is the name that was probably meant by word: the one with the fewest
// edits, if those are few for its length. Empty if none is near.
func nearest(word string, names []string) string {
	const manyNames = 1000 // where there are more, looking takes too long
	if len(word) > 4*maxShown || len(names) > manyNames {
		return ""
	}
	w := []rune(wake.Fold(word))
	best, least := "", len(w)/3+2
	for _, name := range names {
		n := []rune(wake.Fold(name))
		limit := max(len(w), len(n))/3 + 1
		if d := edits(w, n); d < least && d <= limit && d < len(n) {
			best, least = name, d
		}
	}
	return best
}

// edits is how many characters must be put in, taken out, replaced or swapped
// with their neighbour to make b of a.
func edits(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, row, before
	}
	return rows[1][len(b)]
}
