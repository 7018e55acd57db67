package office

import (
	"context"
	"fmt"
	"maps"
)

// ContextMark says where a context's transcript begins for its colleague. What
// came before stays in the record and is not shown to a model any more.
type ContextMark struct {
	// From is the last entry that no longer counts.
	From int64 `json:"from,omitempty"`
	// Summary is the entry that stands for what was before From; 0: there is none.
	Summary int64 `json:"summary,omitempty"`
	// Fresh says that the next turn begins with an empty transcript.
	Fresh bool `json:"fresh,omitempty"`
}

// mark puts where a context begins.
func (d *decision) mark(in ContextID, m ContextMark) {
	c := *d.s.Colleagues[in.Colleague]
	c.Contexts = maps.Clone(c.Contexts)
	if c.Contexts == nil {
		c.Contexts = map[PersonID]ContextMark{}
	}
	c.Contexts[in.Person] = m
	d.put(PutColleague{c})
}

// startAfresh begins a context anew whose next turn is to find it empty.
func (d *decision) startAfresh(in ContextID) {
	if d.s.Colleagues[in.Colleague].Contexts[in.Person].Fresh {
		d.mark(in, ContextMark{From: d.s.Meta.Entry})
	}
}

// newContext starts a context of a colleague afresh.
type newContext struct {
	Colleague string
	Person    PersonID // whose private context; empty: the working one
	By        PersonID
	From      string
}

func (r newContext) decide(d *decision) (any, error) {
	who, c := d.s.People[r.By], d.s.partnerNamed(r.Colleague, r.By)
	switch {
	case who == nil:
		return nil, fmt.Errorf("only people of this office may start a context afresh")
	case c == nil:
		return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
	}
	if p := d.s.People[r.Person]; p != nil {
		r.Person = contextFor(p, c) // the owner's direct talk is in the working context
	} else if r.Person != "" {
		return nil, fmt.Errorf("nobody called %q is known to this office", r.Person)
	}
	if !who.Owner && !who.Admin && (r.Person != who.ID || r.Person == "") {
		return nil, fmt.Errorf("only the owner and the admins may start a context afresh that is not your own")
	}
	what := "the working context"
	if r.Person != "" {
		what = "the context with " + d.s.People[r.Person].Name
	}
	in := ContextID{Colleague: c.ID, Person: r.Person}
	m := c.Contexts[r.Person]
	m.Fresh = true
	d.mark(in, m)
	d.audit(Audit{By: who.Name, From: r.From, What: fmt.Sprintf("new %s of %s", what, c.Name), Outcome: "done"})
	text := fmt.Sprintf("%s starts %s afresh with its next turn; what was before is kept in the record.", c.Name, what)
	if t := d.s.running[c.ID]; t != nil && t.Person == r.Person {
		text += " The turn that runs now still has it."
	}
	return text, nil
}

// contextFor is whose context a person's direct talk with a colleague belongs
// to. The owner's is the working one, and so is everybody's where that is shared.
func contextFor(who *Person, c *Colleague) PersonID {
	if who.Owner || c.SharedDM {
		return ""
	}
	return who.ID
}

// NewContext starts a context of a colleague afresh: the working one, or the
// private one of a person. What it held is kept, and its next turn begins with
// nothing but its memory files. The text says so.
func (o *Office) NewContext(ctx context.Context, colleague string, person, by PersonID, from string) (string, error) {
	out, err := o.do(ctx, newContext{Colleague: colleague, Person: person, By: by, From: from})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}

// tellShared puts on record that what people say to a colleague directly is no
// longer kept apart, or is again.
func (d *decision) tellShared(old *Colleague, now ColleagueSetup) {
	switch {
	case now.SharedDM && (old == nil || !old.SharedDM):
		d.audit(Audit{By: "office.yaml", What: "dm_context of " + now.Name, Outcome: "shared: what one person tells it directly, others may hear from it"})
	case !now.SharedDM && old != nil && old.SharedDM:
		d.audit(Audit{By: "office.yaml", What: "dm_context of " + now.Name, Outcome: "private: each person has a context of their own"})
	}
}
