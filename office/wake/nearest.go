package wake

import (
	"cmp"
	"slices"
)

const (
	nearWord  = 256  // bytes: a longer word was not meant to be a name
	nearNames = 1000 // where there are more names, looking takes too long

	nearestNames = 3 // how many existing names a refusal suggests
)

// Nearest is the name that was probably meant by word: the one with the fewest
// edits, whatever the case, if those are few for its length. Empty if none is near.
func Nearest(word string, names []string) string {
	if len(word) > nearWord || len(names) > nearNames {
		return ""
	}
	w := []rune(Fold(word))
	best, least := "", len(w)/3+2
	for _, name := range names {
		n := []rune(Fold(name))
		limit := max(len(w), len(n))/3 + 1
		if d := edits(w, n); d < least && d <= limit && d < len(n) {
			best, least = name, d
		}
	}
	return best
}

// nearest returns the tokens of the names after sign that are fewest edits away
// from key, nearest first.
func (d *Directory) nearest(sign byte, key string) []string {
	type near struct {
		edits int
		key   string
		first target
	}
	want := []rune(shorten(key))
	x := d.index(sign)
	all := make([]near, len(x.keys))
	for i, k := range x.keys {
		all[i] = near{edits(want, []rune(shorten(k))), k, x.targets[i][0]}
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.key, b.key))
	})
	var tokens []string
	for _, n := range all[:min(nearestNames, len(all))] {
		tokens = append(tokens, d.token(n.first.class, n.first.id))
	}
	return slices.Compact(tokens)
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
