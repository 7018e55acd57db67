package office

import (
	"fmt"
	"strings"
	"time"
)

// Standing is what a colleague is doing, since when, and what waits for it.
type Standing struct {
	Status Status
	// Since is when that began; zero if nobody knows.
	Since time.Time
	// Until is when a quota-retry is tried again.
	Until time.Time
	// Queued deliveries start or join a turn as soon as they can, Held ones are
	// kept back.
	Queued, Held int
}

// standing looks at a colleague as it is now.
func (d *decision) standing(c *Colleague) Standing {
	s := Standing{Status: d.s.status(c)}
	t := d.s.running[c.ID]
	switch s.Status {
	case Dead:
		s.Since = c.Dead.Since
	case QuotaRetry:
		s.Since, s.Until = t.Started, t.Waiting
	case Stuck:
		s.Since = t.Stuck
	case Running:
		s.Since = t.Started
	case Inactive:
		s.Since = c.Joined
	default:
		s.Since = later(c.LastActive, c.Joined)
	}
	reachable := d.reachable(c)
	for _, it := range d.s.queues[c.ID] {
		if reachable && !it.Hop {
			s.Queued++
		} else {
			s.Held++
		}
	}
	return s
}

// words is a standing on one line.
func (s Standing) words(now time.Time) string {
	var b strings.Builder
	b.WriteString(string(s.Status))
	if !s.Since.IsZero() {
		b.WriteString(" since " + when(s.Since, now))
	}
	if !s.Until.IsZero() {
		b.WriteString(", tries again at " + when(s.Until, now))
	}
	if s.Queued > 0 {
		fmt.Fprintf(&b, ", %d queued", s.Queued)
	}
	if s.Held > 0 {
		fmt.Fprintf(&b, ", %d held", s.Held)
	}
	return b.String()
}

// when is a time in UTC, without the date if it is today's.
func when(at, now time.Time) string {
	layout := "2006-01-02 15:04 MST"
	if at.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		layout = "15:04 MST"
	}
	return at.UTC().Format(layout)
}

// ColleaguesCall is office_colleagues: who is there and what each is doing.
type ColleaguesCall struct {
	// Tools counts those that a colleague holds; nil: they are not told.
	Tools func(*Colleague) int
}

// ToolCounter is a Runner that knows how many tools a colleague holds.
type ToolCounter interface {
	// CountTools counts them.
	CountTools(c *Colleague) int
}

// shown is all that is told of a colleague, on one line, behind its name and role.
// tools counts those that it holds; nil: they are not told.
func (d *decision) shown(c *Colleague, tools func(*Colleague) int) string {
	var b strings.Builder
	b.WriteString(d.standing(c).words(d.now))
	if d.quietNow(c) {
		b.WriteString(", " + c.Quiet.quote())
	}
	fmt.Fprintf(&b, "; model %s, permission %s", oneLine(c.Model, 100), c.Effective())
	if tools != nil {
		fmt.Fprintf(&b, ", %d tools", tools(c))
	}
	if !c.LastActive.IsZero() {
		b.WriteString(", last active " + when(c.LastActive, d.now))
	}
	if c.ReportsTo != "" {
		fmt.Fprintf(&b, ", reports to %s", c.ReportsTo)
	}
	if chs := d.s.subscriptions(c.ID); len(chs) > 0 {
		fmt.Fprintf(&b, ", in %s", strings.Join(chs, " "))
	}
	if c.SharedDM {
		b.WriteString(", one context for everybody who writes to it directly")
	}
	if c.Description != "" {
		fmt.Fprintf(&b, "; %s", oneLine(c.Description, 200))
	}
	return b.String()
}

func (p ColleaguesCall) run(d *decision, t *Turn) Result {
	var b strings.Builder
	for _, id := range d.s.roster {
		c := d.s.Colleagues[id]
		you := ""
		if id == t.Colleague {
			you = ", that is you"
		}
		fmt.Fprintf(&b, "- %s (%s%s): %s\n", c.Name, c.Role, you, d.shown(c, p.Tools))
	}
	for _, note := range d.s.notes() {
		b.WriteString("Note: " + note + ".\n")
	}
	b.WriteString("People: ")
	b.WriteString(strings.Join(d.s.peopleNames(), ", "))
	return Result{Text: b.String(), Structure: structure(d.rosterEntries(p.Tools))}
}

// notes say what holds for everybody's mail.
func (s *State) notes() []string {
	var all []string
	if p := s.Meta.Pause; p.On {
		all = append(all, p.quote())
	}
	if x := s.Meta.Silence; x.On {
		all = append(all, x.quote())
	}
	return all
}
