package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the stories hold a platform short of is what people are told of it, in the
// table of docs/platforms.md; and nothing is short of what no table says.
func TestTheTableOfPlatformsIsTrue(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "platforms.md"))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	rows := map[string]map[string]string{}
	for l := range strings.Lines(string(data)) {
		if !strings.HasPrefix(l, "|") || strings.HasPrefix(l, "| ---") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(l), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if columns == nil {
			columns = cells
			continue
		}
		row := map[string]string{}
		for i, c := range cells[1:] {
			row[strings.ToLower(columns[i+1])] = c
		}
		rows[cells[0]] = row
	}
	for name := range stages {
		if _, ok := lacks[name]; !ok {
			t.Errorf("nothing says what %s lacks", name)
		}
		for what, says := range lacks[name] {
			if cell := rows[says.row][name]; !strings.Contains(cell, says.cell) {
				t.Errorf("%s has %s, and the table says of its %q: %q; it should say %q", name, what, says.row, cell, says.cell)
			}
		}
	}
	// Whoever is not short of something must not be said to be.
	for name := range stages {
		for other := range stages {
			for what, says := range lacks[other] {
				if _, short := lacks[name][what]; !short && strings.Contains(rows[says.row][name], says.cell) {
					t.Errorf("%s is said to have %s: %q", name, what, rows[says.row][name])
				}
			}
		}
	}
}
