package office

import (
	"context"
	"fmt"
)

// Cost is what the office's day has used.
type Cost struct {
	Day        string // in the office's time zone, as 2026-11-30
	Office     Used
	Colleagues []ColleagueCost // in the order of the roster
}

// Used is what a day has used of its two budgets.
type Used struct {
	// Cost is what the tokens of known price cost, CostLimit what they may cost.
	Cost, CostLimit Money
	// Tokens are all that models read and wrote, Unpriced those of them whose price is
	// unknown.
	Tokens, Unpriced int64
	// TokenLimit is how many may be used; where Counts is unpriced, it bounds those of
	// unknown price alone.
	TokenLimit int64
	Counts     string // tokens or unpriced
}

// What a limit of tokens counts.
const (
	CountsTokens   = "tokens"
	CountsUnpriced = "unpriced"
)

// ColleagueCost is one colleague's part.
type ColleagueCost struct {
	Name string
	Used
}

// Cost tells what models have read and written today, and what it cost.
func (o *Office) Cost(ctx context.Context) (Cost, error) {
	return look(ctx, o, func(s *State) Cost {
		d := decision{s: s, now: o.now()}
		day := d.today()
		c := Cost{Day: day, Office: s.used(nil, s.Meta.Spent.on(day))}
		for _, id := range s.staff() {
			m := s.Colleagues[id]
			c.Colleagues = append(c.Colleagues, ColleagueCost{Name: m.Name, Used: s.used(m, m.Spent.on(day))})
		}
		return c
	})
}

func (s *State) used(c *Colleague, spent Spent) Used {
	of := s.Limits.ceilings(c, spent)
	u := Used{
		Cost: spent.Cost, CostLimit: Money(of[0].limit), Tokens: spent.Tokens, Unpriced: spent.Tokens - spent.Priced,
		TokenLimit: of[1].limit, Counts: CountsTokens,
	}
	if of[1].unpriced {
		u.Counts = CountsUnpriced
	}
	return u
}

// Grouped writes a number that people can read: 12,345,678.
func Grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
