package command

import (
	"context"
	"fmt"
	"strings"
)

// tokensMost bounds what can be set; more is no bound.
const tokensMost = 1_000_000_000_000

var _ = add(Command{
	Name: "budget", Changes: true,
	Args: []Arg{
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "set", Right: Owner}}, Help: "show, or set to change the limits; show without it."},
		{Name: "total", Kind: NumberKind, Option: true, Min: 1, Max: tokensMost, Help: "How many tokens a day all of them may use together."},
		{Name: "colleague", Kind: NumberKind, Option: true, Min: 1, Max: tokensMost, Help: "How many tokens a day each of them may use."},
	},
	Help: "Show how many tokens are left today, of the office and of each, or set the limits.",
	More: "What arrives over a limit is held until midnight of the office's time zone. The value - goes back to the default.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		given := c.Has("total") || c.Has("colleague")
		switch {
		case c.Choice("do") == "set" && !given:
			return Answer{}, &Usage{"say which limit: " + c.typed(c.cmd) + " set total=20000000 colleague=5000000"}
		case c.Choice("do") == "set":
			limits := map[string]any{}
			for name, key := range map[string]string{"total": "tokens_per_day", "colleague": "colleague_tokens_per_day"} {
				switch {
				case c.Text(name) == unset:
					limits[key] = nil
				case c.Has(name):
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
	t := &Table{Head: []string{"name", "left", "limit"}}
	row := func(name string, used, limit int64) {
		fmt.Fprintf(&b, "- %s: %s\n", name, left(used, limit))
		if limit > 0 {
			t.Rows = append(t.Rows, []string{name, grouped(max(0, limit-used)), grouped(limit)})
		} else {
			t.Rows = append(t.Rows, []string{name, "", ""})
		}
	}
	fmt.Fprintf(&b, "Tokens left on %s:\n", cost.Day)
	row("the office", cost.Tokens, cost.Limit)
	for _, m := range cost.Colleagues {
		row(m.Name, m.Tokens, m.Limit)
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: cost}, nil
}

func left(used, limit int64) string {
	if limit == 0 {
		return "no limit; " + grouped(used) + " used"
	}
	return grouped(max(0, limit-used)) + of(limit)
}
