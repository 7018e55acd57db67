package office

import (
	"fmt"
	"strings"
)

// interrupt ends the turn that a colleague is running now. The attempt is
// fenced off at once: what its runner still says is refused, and its tools are
// killed. A colleague that runs nothing is left alone.
type interrupt struct {
	Colleague string
	By        PersonID
	From      string
}

// Interrupted is what an interrupt found.
type Interrupted struct {
	Name string
	Was  bool // a turn was running and has been ended
}

func (r interrupt) decide(d *decision) (any, error) {
	who := d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, fmt.Errorf("only the owner and the admins may interrupt a colleague")
	}
	c := d.s.partnerNamed(r.Colleague, r.By)
	if c == nil {
		return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
	}
	out := Interrupted{Name: c.Name}
	outcome := "was not running"
	if d.cut(c, "it was interrupted by "+who.Name) {
		out.Was, outcome = true, "interrupted"
	}
	d.audit(Audit{By: who.Name, From: r.From, What: "interrupt " + c.Name, Outcome: outcome})
	return out, nil
}

// InterruptCall is office_interrupt: a leader ends the turn of one that it leads.
type InterruptCall struct{ Colleague string }

func (p InterruptCall) run(d *decision, t *Turn) Result {
	by := d.s.Colleagues[t.Colleague]
	c := d.s.colleagueNamed(strings.TrimPrefix(strings.TrimSpace(p.Colleague), "@"))
	switch {
	case c == nil:
		return refused(fmt.Sprintf("no colleague is called %q; there are %s", oneLine(p.Colleague, nameLimit), d.s.colleagueNames()))
	case c.ID == by.ID:
		return refused("you cannot interrupt yourself; end your turn instead")
	}
	if err := d.s.checkLeads(by, c); err != nil {
		return refused("you cannot interrupt it: " + err.Error())
	}
	if !d.cut(c, "it was interrupted by "+by.Name) {
		return Result{Text: fmt.Sprintf("[office] interrupted: false; %s is not running.", c.Name)}
	}
	d.audit(Audit{By: by.Name, What: "interrupt " + c.Name, Outcome: "interrupted"})
	return Result{Text: fmt.Sprintf("[office] interrupted: true; what waits for %s is handed over.", c.Name)}
}

// cut ends the turn of a colleague and stops its runner; false if it has none.
func (d *decision) cut(c *Colleague, reason string) bool {
	t := d.s.running[c.ID]
	if t == nil {
		return false
	}
	over := *t
	d.end(&over, TurnInterrupted, reason, "")
	d.stopped = append(d.stopped, over.Ref())
	return true
}
