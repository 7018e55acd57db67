package console

import (
	"strconv"
	"strings"
	"testing"
)

// rows are what a terminal of a width shows after it was sent raw, as far as
// the console uses one: lines, the cursor, and clearing (ECMA-48). Anything else
// fails the test.
func rows(t *testing.T, raw string, width int) []string {
	t.Helper()
	v := &vt{width: width}
	text := []rune(raw)
	for i := 0; i < len(text); i++ {
		if text[i] != escape {
			v.put(text[i])
			continue
		}
		end := i + 2
		for end < len(text) && (text[end] < '@' || text[end] > '~') {
			end++
		}
		if end >= len(text) {
			break // the rest of a sequence is on its way
		}
		if text[i+1] != '[' || !v.control(string(text[i+2:end]), text[end]) {
			t.Fatalf("an escape sequence that no console should send: %q", string(text[i:end+1]))
		}
		i = end
	}
	out := make([]string, len(v.cells))
	for i, row := range v.cells {
		out[i] = strings.TrimRight(string(row), " ")
	}
	return out
}

type vt struct {
	cells [][]rune
	x, y  int
	width int
}

// row makes sure that the cursor's row exists.
func (v *vt) row() *[]rune {
	for len(v.cells) <= v.y {
		v.cells = append(v.cells, nil)
	}
	return &v.cells[v.y]
}

func (v *vt) put(r rune) {
	switch r {
	case '\r':
		v.x = 0
	case '\n':
		v.y++
	default:
		if v.x == v.width { // a full row wraps with the next character
			v.x = 0
			v.y++
		}
		row := v.row()
		for len(*row) <= v.x {
			*row = append(*row, ' ')
		}
		(*row)[v.x] = r
		v.x++
	}
	v.row()
}

func (v *vt) control(args string, final rune) bool {
	n, err := strconv.Atoi(args)
	if err != nil {
		n = 1
	}
	switch final {
	case 'A':
		v.y = max(0, v.y-n)
	case 'B':
		v.y += n
	case 'C':
		v.x = min(v.width-1, v.x+n)
	case 'D':
		v.x = max(0, v.x-n)
	case 'K':
		if row := v.row(); len(*row) > v.x {
			*row = (*row)[:v.x]
		}
	case 'm':
	case 'h', 'l':
		return args == "?2004"
	default:
		return false
	}
	v.row()
	return true
}
