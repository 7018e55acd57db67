package command

import (
	"context"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

var _ = add(Command{
	Name: "org",
	Help: "Show who reports to whom.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		tops, below := reports(v)
		if len(tops) == 0 {
			return Answer{Text: "There is no colleague in this office yet.", Data: []any{}}, nil
		}
		var b strings.Builder
		writeReports(&b, tops, below, 0)
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: reportData(tops, below)}, nil
	},
})

// reports finds out who is on top, and who is below each, by folded name. Those
// whose manager is not on the roster, or below themselves, are on top.
func reports(v office.View) (tops []office.ColleagueView, below map[string][]office.ColleagueView) {
	below = map[string][]office.ColleagueView{}
	manager := map[string]string{}
	for _, m := range v.Colleagues {
		manager[wake.Fold(m.Name)] = wake.Fold(m.ReportsTo)
	}
	for _, m := range v.Colleagues {
		self := wake.Fold(m.Name)
		boss := manager[self]
		_, known := manager[boss]
		for up, n := boss, 0; known && up != "" && n <= len(manager); up, n = manager[up], n+1 {
			if up == self {
				known = false
			}
		}
		if boss == "" || !known {
			tops = append(tops, m)
			continue
		}
		below[boss] = append(below[boss], m)
	}
	return tops, below
}

func writeReports(b *strings.Builder, of []office.ColleagueView, below map[string][]office.ColleagueView, depth int) {
	for _, m := range of {
		b.WriteString(strings.Repeat("  ", depth) + "- " + m.Name + " (" + string(m.Role) + ")\n")
		writeReports(b, below[wake.Fold(m.Name)], below, depth+1)
	}
}

// reportNode is a colleague with those below it, as programs read it.
type reportNode struct {
	Name    string       `json:"name"`
	Role    string       `json:"role"`
	Reports []reportNode `json:"reports,omitempty"`
}

func reportData(of []office.ColleagueView, below map[string][]office.ColleagueView) []reportNode {
	var out []reportNode
	for _, m := range of {
		out = append(out, reportNode{m.Name, string(m.Role), reportData(below[wake.Fold(m.Name)], below)})
	}
	return out
}
