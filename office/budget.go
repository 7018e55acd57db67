package office

import (
	"fmt"
	"time"

	"bullpen/office/wake"
)

// Spent counts what one day of the office's time zone has used.
type Spent struct {
	Day    string `json:"day,omitempty"` // 2026-11-30
	Tokens int64  `json:"tokens,omitempty"`
	// Priced are those of the tokens whose price is known, Cost is what they cost.
	Priced int64 `json:"priced,omitempty"`
	Cost   Money `json:"cost,omitempty"`
	// Near says that the owner has been told that most of the tokens are used, Warned
	// that all are; NearCost and WarnedCost say it of the money.
	Near       bool `json:"near,omitempty"`
	Warned     bool `json:"warned,omitempty"`
	NearCost   bool `json:"nearCost,omitempty"`
	WarnedCost bool `json:"warnedCost,omitempty"`
}

// Usage is what one model request used.
type Usage struct {
	At        time.Time   `json:"at"`
	Colleague ColleagueID `json:"colleague"`
	Turn      int64       `json:"turn"`
	Step      int         `json:"step"`
	// Ref is the model as office.yaml names it, Model as its maker does.
	Ref        string `json:"ref,omitempty"`
	Model      string `json:"model,omitempty"`
	Input      int64  `json:"input"`
	CacheRead  int64  `json:"cacheRead,omitempty"`
	CacheWrite int64  `json:"cacheWrite,omitempty"`
	Output     int64  `json:"output"`
	Reasoning  int64  `json:"reasoning,omitempty"` // part of Output
	// Cost is what it cost; nil: nobody knows.
	Cost *Money `json:"cost,omitempty"`
}

// Total is all tokens that the request moved.
func (u Usage) Total() int64 { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// location is the office's time zone; config has checked its name.
func (s *State) location() *time.Location {
	if s.zone == nil {
		zone, err := time.LoadLocation(s.Setup.Timezone)
		if err != nil {
			zone = time.UTC
		}
		s.zone = zone
	}
	return s.zone
}

// today is the day of the budgets, which each look at a waiting colleague asks for.
func (d *decision) today() string {
	if d.day == "" {
		d.day = d.now.In(d.s.location()).Format(time.DateOnly)
	}
	return d.day
}

// midnight is when the budgets' next day begins.
func (d *decision) midnight() time.Time {
	y, m, day := d.now.In(d.s.location()).Date()
	return time.Date(y, m, day+1, 0, 0, 0, 0, d.s.location())
}

// on is what was spent on a day: nothing, if the count is of another one.
func (s Spent) on(day string) Spent {
	if s.Day != day {
		return Spent{Day: day}
	}
	return s
}

// add counts a request in.
func (s *Spent) add(u Usage) {
	s.Tokens += u.Total()
	if u.Cost != nil {
		s.Priced += u.Total()
		s.Cost = s.Cost.plus(*u.Cost)
	}
}

// What bounds tokens whose price is unknown where no limit of tokens is set.
const (
	unpricedTokens          = 20_000_000
	colleagueUnpricedTokens = 5_000_000
)

// ceiling is one limit of somebody's day.
type ceiling struct {
	who, key    string // whom it bounds, and what it is called below limits in office.yaml
	used, limit int64
	// money says that it counts money, unpriced that it counts only tokens whose price
	// is unknown.
	money, unpriced bool
}

// amount is a part of what a ceiling counts, in words.
func (c ceiling) amount(n int64) string {
	switch {
	case c.money && n == c.limit:
		return Money(n).String()
	case c.money:
		return Money(n).Short()
	case c.unpriced:
		return Grouped(n) + " tokens of unknown price"
	}
	return Grouped(n) + " tokens"
}

// theOffice is the office where it is bounded.
const theOffice = "the office"

// whoFirst is who it bounds at the beginning of a sentence.
func (c ceiling) whoFirst() string {
	if c.who == theOffice {
		return "The office"
	}
	return c.who
}

// whom is what holds mail back at the limit.
func (c ceiling) whom() string {
	if c.who == theOffice {
		return "colleagues"
	}
	return "it"
}

func (c ceiling) reached() bool { return c.used >= c.limit }

// nearShare is the part of a day's budget, in percent, at which the owner is told.
const nearShare = 80

// near says that most of it is used, but not all.
func (c ceiling) near() bool {
	return !c.reached() && c.used >= c.limit/100*nearShare+c.limit%100*nearShare/100
}

// ceilings are the limits of money and of tokens that hold for a count: a
// colleague's, or, with c nil, the office's.
func (l Limits) ceilings(c *Colleague, spent Spent) [2]ceiling {
	money := ceiling{who: theOffice, key: "budget_per_day", money: true, used: int64(spent.Cost), limit: int64(l.Cost)}
	tokens := ceiling{who: theOffice, key: "tokens_per_day", used: spent.Tokens, limit: l.Tokens}
	unpriced := int64(unpricedTokens)
	if c != nil {
		money.who, money.key, money.limit = c.Name, "colleague_budget_per_day", int64(l.ColleagueCost)
		tokens.who, tokens.key, tokens.limit = c.Name, "colleague_tokens_per_day", l.ColleagueTokens
		unpriced = colleagueUnpricedTokens
	}
	if tokens.limit <= 0 {
		tokens.unpriced, tokens.used, tokens.limit = true, spent.Tokens-spent.Priced, unpriced
	}
	return [2]ceiling{money, tokens}
}

// overBudget says whether a colleague's, or the office's, money or tokens of the day
// are used up, and how that reads.
func (d *decision) overBudget(c *Colleague) (string, bool) {
	day := d.today()
	own, all := d.s.Limits.ceilings(c, c.Spent.on(day)), d.s.Limits.ceilings(nil, d.s.Meta.Spent.on(day))
	for _, x := range []ceiling{own[0], own[1], all[0], all[1]} {
		if x.reached() {
			return fmt.Sprintf("%s has used its %s of today; it goes on at %s", x.who, x.amount(x.limit), d.midnight().Format("2006-01-02 15:04 MST")), true
		}
	}
	return "", false
}

// book adds what requests used to the counts of their colleague and of the office,
// and tells the owner once a day when one of them is nearly, or wholly, used up.
func (d *decision) book(t *Turn, used []Usage) {
	day := d.today()
	c := *d.s.Colleagues[t.Colleague]
	own, all := c.Spent.on(day), d.s.Meta.Spent.on(day)
	booked := false
	for _, u := range used {
		if u.Total() == 0 {
			continue
		}
		u.At, u.Colleague, u.Turn, u.Step = d.now, t.Colleague, t.ID, t.Step
		if p, known := d.s.Setup.price(u.Ref); known {
			cost := p.Of(u)
			u.Cost = &cost
		}
		d.put(AppendUsage{u})
		own.add(u)
		all.add(u)
		booked = true
	}
	if !booked {
		return
	}
	d.tellOfBudget(&own, d.s.Limits.ceilings(&c, own))
	d.tellOfBudget(&all, d.s.Limits.ceilings(nil, all))
	c.Spent, d.s.Meta.Spent, d.meta = own, all, true
	d.put(PutColleague{c})
}

// tellOfBudget tells the owner, once a day for each of them, that somebody's money or
// tokens of the day are nearly, or wholly, used.
func (d *decision) tellOfBudget(s *Spent, of [2]ceiling) {
	for i, told := range [2]struct{ near, reached *bool }{{&s.NearCost, &s.WarnedCost}, {&s.Near, &s.Warned}} {
		c := of[i]
		until := d.midnight().Format("15:04 MST")
		switch {
		case c.reached() && !*told.reached:
			*told.reached = true
			d.tellOwner(fmt.Sprintf("%s has used its %s of today. What reaches %s now is held until %s; the limit is %s in office.yaml.",
				c.whoFirst(), c.amount(c.limit), c.whom(), until, c.key))
		case c.near() && !*told.near:
			*told.near = true
			d.tellOwner(fmt.Sprintf("%s has used %s of its %s of today, which is over %d %%. At the limit, %s in office.yaml, what reaches %s is held until %s.",
				c.whoFirst(), c.amount(c.used), c.amount(c.limit), nearShare, c.key, c.whom(), until))
		}
	}
}

// tellAgain lets the owner be told of a budget once more that is another one now.
func (d *decision) tellAgain(before Limits) {
	budgets := func(l Limits) [4]int64 {
		return [4]int64{int64(l.Cost), int64(l.ColleagueCost), l.Tokens, l.ColleagueTokens}
	}
	if budgets(before) == budgets(d.s.Limits) {
		return
	}
	untold := func(s Spent) Spent {
		s.Near, s.Warned, s.NearCost, s.WarnedCost = false, false, false, false
		return s
	}
	d.s.Meta.Spent, d.meta = untold(d.s.Meta.Spent), true
	for _, id := range d.s.staff() {
		if c := *d.s.Colleagues[id]; c.Spent != untold(c.Spent) {
			c.Spent = untold(c.Spent)
			d.put(PutColleague{c})
		}
	}
}

// tellOwner files a notice of the office in the owner's mailbox.
func (d *decision) tellOwner(text string) {
	if o := d.s.owner(); o != nil {
		d.mail(o, &Message{Author: Author{Kind: ByOffice, Name: "office"}, Text: text, Wake: wake.Wake{Kind: wake.Nobody}})
	}
}

// budgetHolds says whether mail waits for the next day.
func (d *decision) budgetHolds() bool {
	for id := range d.s.queues {
		if _, over := d.overBudget(d.s.Colleagues[id]); over {
			return true
		}
	}
	return false
}
