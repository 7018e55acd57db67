package office

import "fmt"

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
	c := d.s.colleagueNamed(r.Colleague)
	if c == nil {
		return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
	}
	out := Interrupted{Name: c.Name}
	outcome := "was not running"
	if t := d.s.running[c.ID]; t != nil {
		cut := *t
		d.end(&cut, TurnInterrupted, "it was interrupted by "+who.Name, "")
		d.stopped = append(d.stopped, cut.ID)
		out.Was, outcome = true, "interrupted"
	}
	d.audit(Audit{By: who.Name, From: r.From, What: "interrupt " + c.Name, Outcome: outcome})
	return out, nil
}
