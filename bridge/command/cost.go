package command

import (
	"context"
	"fmt"
	"strings"
)

var _ = add(Command{
	Name: "cost",
	Help: "Show the tokens that models have read and written today.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		cost, err := c.Office.Cost(ctx)
		if err != nil {
			return Answer{}, err
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s tokens today (%s)%s\n", grouped(cost.Tokens), cost.Day, of(cost.Limit))
		t := &Table{Head: []string{"name", "tokens", "limit"}}
		for _, m := range cost.Colleagues {
			if m.Tokens > 0 || m.Limit > 0 {
				fmt.Fprintf(&b, "- %s: %s%s\n", m.Name, grouped(m.Tokens), of(m.Limit))
			}
			limit := ""
			if m.Limit > 0 {
				limit = grouped(m.Limit)
			}
			t.Rows = append(t.Rows, []string{m.Name, grouped(m.Tokens), limit})
		}
		limit := ""
		if cost.Limit > 0 {
			limit = grouped(cost.Limit)
		}
		t.Rows = append(t.Rows, []string{"all of " + cost.Day, grouped(cost.Tokens), limit})
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: cost}, nil
	},
})

func of(limit int64) string {
	if limit == 0 {
		return ""
	}
	return " of " + grouped(limit)
}

// grouped writes a number that people can read: 12,345,678.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
