package command

import "bullpen/office/wake"

// nearest is which of several names a mistyped one most likely meant; empty if
// none is like it.
func nearest(name string, among []string) string {
	typed := []rune(wake.Fold(clip(name)))
	best, least := "", len(typed)/2+2
	for _, x := range among {
		if d := distance(typed, []rune(wake.Fold(x))); d < least {
			best, least = x, d
		}
	}
	return best
}

// distance is the number of single-letter edits between two names.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
