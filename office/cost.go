package office

import "context"

// Cost is what the office's day has used.
type Cost struct {
	Day string // in the office's time zone, as 2026-11-30
	// Tokens are all, Limit is how many may be used in a day; 0: no bound.
	Tokens, Limit int64
	Colleagues    []ColleagueCost // in the order of the roster
}

// ColleagueCost is one colleague's part.
type ColleagueCost struct {
	Name          string
	Tokens, Limit int64
}

// Cost tells what models have read and written today.
func (o *Office) Cost(ctx context.Context) (Cost, error) {
	return look(ctx, o, func(s *State) Cost {
		d := decision{s: s, now: o.now()}
		day := d.today()
		c := Cost{Day: day, Tokens: s.Meta.Spent.on(day), Limit: s.Limits.Tokens}
		for _, id := range s.staff() {
			m := s.Colleagues[id]
			c.Colleagues = append(c.Colleagues, ColleagueCost{Name: m.Name, Tokens: m.Spent.on(day), Limit: s.Limits.ColleagueTokens})
		}
		return c
	})
}
