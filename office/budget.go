package office

import (
	"fmt"
	"time"

	"bullpen/office/wake"
)

// Spent counts the tokens of one day of the office's time zone.
type Spent struct {
	Day    string `json:"day,omitempty"` // 2026-11-30
	Tokens int64  `json:"tokens,omitempty"`
	// Near says that the owner has been told that most of them are.
	Near bool `json:"near,omitempty"`
	// Warned says that the owner has been told that the day's tokens are used up.
	Warned bool `json:"warned,omitempty"`
}

// Usage is what one model request used.
type Usage struct {
	At         time.Time   `json:"at"`
	Colleague  ColleagueID `json:"colleague"`
	Turn       int64       `json:"turn"`
	Step       int         `json:"step"`
	Model      string      `json:"model,omitempty"`
	Input      int64       `json:"input"`
	CacheRead  int64       `json:"cacheRead,omitempty"`
	CacheWrite int64       `json:"cacheWrite,omitempty"`
	Output     int64       `json:"output"`
	Reasoning  int64       `json:"reasoning,omitempty"`
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

func (d *decision) today() string { return d.now.In(d.s.location()).Format(time.DateOnly) }

// midnight is when the budgets' next day begins.
func (d *decision) midnight() time.Time {
	y, m, day := d.now.In(d.s.location()).Date()
	return time.Date(y, m, day+1, 0, 0, 0, 0, d.s.location())
}

// on is what was spent on a day: nothing, if the count is of another one.
func (s Spent) on(day string) int64 {
	if s.Day != day {
		return 0
	}
	return s.Tokens
}

// overBudget says whether a colleague's, or the office's, tokens of the day are
// used up, and how that reads.
func (d *decision) overBudget(c *Colleague) (string, bool) {
	l := d.s.Limits
	if l.ColleagueTokens <= 0 && l.Tokens <= 0 {
		return "", false
	}
	day := d.today()
	switch {
	case l.ColleagueTokens > 0 && c.Spent.on(day) >= l.ColleagueTokens:
		return fmt.Sprintf("%s has used its %d tokens of today; it goes on at %s", c.Name, l.ColleagueTokens, d.midnight().Format("2006-01-02 15:04 MST")), true
	case l.Tokens > 0 && d.s.Meta.Spent.on(day) >= l.Tokens:
		return fmt.Sprintf("the office has used its %d tokens of today; it goes on at %s", l.Tokens, d.midnight().Format("2006-01-02 15:04 MST")), true
	default:
		return "", false
	}
}

// book adds a request's tokens to the counts of its colleague and of the office,
// and tells the owner once a day when one of them is used up.
func (d *decision) book(t *Turn, u Usage) {
	total := u.Total()
	if total == 0 {
		return
	}
	u.At, u.Colleague, u.Turn, u.Step = d.now, t.Colleague, t.ID, t.Step
	d.put(AppendUsage{u})
	day := d.today()
	d.meta = true
	if d.s.Meta.Spent.Day != day {
		d.s.Meta.Spent = Spent{Day: day}
	}
	d.s.Meta.Spent.Tokens += total
	c := *d.s.Colleagues[t.Colleague]
	if c.Spent.Day != day {
		c.Spent = Spent{Day: day}
	}
	c.Spent.Tokens += total
	l := d.s.Limits
	d.nearly(&c.Spent, l.ColleagueTokens, c.Name, "colleague_tokens_per_day")
	d.nearly(&d.s.Meta.Spent, l.Tokens, "The office", "tokens_per_day")
	if l.ColleagueTokens > 0 && c.Spent.Tokens >= l.ColleagueTokens && !c.Spent.Warned {
		c.Spent.Warned = true
		d.tellOwner(fmt.Sprintf("%s has used its %d tokens of today. What reaches it now is held until %s; the limit is colleague_tokens_per_day in office.yaml.",
			c.Name, l.ColleagueTokens, d.midnight().Format("15:04 MST")))
	}
	if l.Tokens > 0 && d.s.Meta.Spent.Tokens >= l.Tokens && !d.s.Meta.Spent.Warned {
		d.s.Meta.Spent.Warned = true
		d.tellOwner(fmt.Sprintf("The office has used its %d tokens of today. What reaches colleagues now is held until %s; the limit is tokens_per_day in office.yaml.",
			l.Tokens, d.midnight().Format("15:04 MST")))
	}
	d.put(PutColleague{c})
}

// nearShare is the part of a day's tokens, in percent, at which the owner is told.
const nearShare = 80

// nearly tells the owner once a day that most of the tokens of somebody's day are
// used. Who has used them all is told of otherwise.
func (d *decision) nearly(s *Spent, limit int64, who, key string) {
	if s.Near || limit <= 0 || s.Tokens*100 < limit*nearShare || s.Tokens >= limit {
		return
	}
	s.Near = true
	d.tellOwner(fmt.Sprintf("%s has used %d of its %d tokens of today, which is over %d %%. At the limit, %s in office.yaml, what reaches it is held until %s.",
		who, s.Tokens, limit, nearShare, key, d.midnight().Format("15:04 MST")))
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
