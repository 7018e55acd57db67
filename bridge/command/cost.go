package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "cost",
	Help: "Show what models have cost today, and the tokens that they have read and written.",
	More: "What the tokens of a model without a known price cost is unknown; they are counted beside.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		cost, err := c.Office.Cost(ctx)
		if err != nil {
			return Answer{}, err
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s today (%s)\n", spent(cost.Office), cost.Day)
		t := &Table{Head: []string{"name", "cost", "limit", "tokens", "of unknown price"}}
		row := func(name string, u office.Used) {
			t.Rows = append(t.Rows, []string{name, costs(u), u.CostLimit.String(), office.Grouped(u.Tokens), office.Grouped(u.Unpriced)})
		}
		for _, m := range cost.Colleagues {
			fmt.Fprintf(&b, "- %s: %s\n", m.Name, spent(m.Used))
			row(m.Name, m.Used)
		}
		row("all of "+cost.Day, cost.Office)
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: cost}, nil
	},
})

// costs is what is known of the cost of what was used.
func costs(u office.Used) string {
	if u.Unpriced > 0 && u.Unpriced == u.Tokens {
		return "unknown"
	}
	return u.Cost.Short()
}

// spent says what was used of both budgets.
func spent(u office.Used) string {
	text := fmt.Sprintf("%s of %s, %s tokens", costs(u), u.CostLimit, office.Grouped(u.Tokens))
	if u.Counts == office.CountsTokens {
		text += " of " + office.Grouped(u.TokenLimit)
	}
	if u.Unpriced > 0 {
		text += fmt.Sprintf(" (%s of unknown price)", office.Grouped(u.Unpriced))
	}
	return text
}
