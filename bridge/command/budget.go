package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

// tokensMost bounds what can be set; more is no bound.
const tokensMost = 1_000_000_000_000

// budgets are the keys below limits in office.yaml that each argument sets.
var budgets = map[string]string{
	"total": "budget_per_day", "colleague": "colleague_budget_per_day",
	"total_tokens": "tokens_per_day", "colleague_tokens": "colleague_tokens_per_day",
}

var _ = add(Command{
	Name: "budget", Changes: true,
	Args: []Arg{
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "set", Right: Owner}}, Help: "show, or set to change the limits; show without it."},
		{Name: "total", Kind: MoneyKind, Option: true, Help: "What the models of all of them together may cost a day, like 20 USD."},
		{Name: "colleague", Kind: MoneyKind, Option: true, Help: "What the models of each of them may cost a day, like 5 USD."},
		{Name: "total_tokens", Kind: NumberKind, Option: true, Min: 1, Max: tokensMost, Help: "How many tokens a day all of them may use together."},
		{Name: "colleague_tokens", Kind: NumberKind, Option: true, Min: 1, Max: tokensMost, Help: "How many tokens a day each of them may use."},
	},
	Help: "Show what is left of today's money and tokens, of the office and of each, or set the limits.",
	More: "What arrives over a limit is held until midnight of the office's time zone. Without a limit of tokens only those whose price is unknown are counted. The value - goes back to the default.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		given := false
		for name := range budgets {
			given = given || c.Has(name)
		}
		switch {
		case c.Choice("do") == "set" && !given:
			return Answer{}, &Usage{"say which limit: " + c.typed(c.cmd) + ` set total="20 USD" colleague="5 USD" total_tokens=20000000 colleague_tokens=5000000`}
		case c.Choice("do") == "set":
			limits := map[string]any{}
			for name, key := range budgets {
				switch {
				case !c.Has(name):
				case c.Text(name) == unset:
					limits[key] = nil
				case c.Money(name) > 0:
					limits[key] = c.Money(name).String()
				default:
					limits[key] = c.Number(name, 0)
				}
			}
			text, err := c.Office.SetLimits(ctx, limits, c.Person.ID, c.from())
			return Answer{Text: text}, err
		case given:
			return Answer{}, &Usage{"type " + c.typed(c.cmd) + " set to change a limit"}
		}
		return c.budget(ctx)
	},
})

// budget says what is left of the day.
func (c Call) budget(ctx context.Context) (Answer, error) {
	cost, err := c.Office.Cost(ctx)
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	t := &Table{Head: []string{"name", "left", "limit", "tokens left", "limit"}}
	row := func(name string, u office.Used) {
		money, limit := max(0, u.CostLimit-u.Cost), u.CostLimit.String()
		tokens, most := max(0, u.TokenLimit-u.Tokens), office.Grouped(u.TokenLimit)
		if u.Counts == office.CountsUnpriced {
			tokens, most = max(0, u.TokenLimit-u.Unpriced), most+" of unknown price"
		}
		fmt.Fprintf(&b, "- %s: %s of %s, %s of %s tokens%s\n", name, left(money), limit, office.Grouped(tokens), office.Grouped(u.TokenLimit), kind(u))
		t.Rows = append(t.Rows, []string{name, left(money), limit, office.Grouped(tokens), most})
	}
	fmt.Fprintf(&b, "Left on %s:\n", cost.Day)
	row("the office", cost.Office)
	for _, m := range cost.Colleagues {
		row(m.Name, m.Used)
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: cost}, nil
}

// kind says which tokens a limit counts, where it is not all.
func kind(u office.Used) string {
	if u.Counts == office.CountsUnpriced {
		return " of unknown price"
	}
	return ""
}

// left is what is left of money, to the cent below it.
func left(m office.Money) string {
	if m >= office.Dollar/100 {
		m -= m % (office.Dollar / 100)
	}
	return m.Short()
}
