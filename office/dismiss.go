package office

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// Loss is what a dismissal drops, or dropped. All messages stay, and so do the
// contexts and the workspace, for an adoption.
type Loss struct {
	ID   ColleagueID
	Name string
	// Running says that a turn is cut off.
	Running bool
	// Waiting counts deliveries that are dropped; Writers are those who are told.
	Waiting int
	Writers []string
	// Channels are those that it is in, Reports those who report to it: they have
	// to be given another manager first.
	Channels, Reports []string
	// Before says that the same call dismissed it before a crash, which also told
	// the writers.
	Before bool
	// FrontDesk says that it answers talk to the office itself.
	FrontDesk bool
	// Elsewhere says that it works in a folder that office.yaml names (cwd).
	Elsewhere bool
}

// String says it in a sentence.
func (l Loss) String() string {
	if l.Before {
		return fmt.Sprintf("%s has left, by this very call; who wrote what waited for it has been told.", l.Name)
	}
	var parts []string
	if l.Running {
		parts = append(parts, "its running turn is cut off")
	}
	if l.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d message(s) that wait for it are dropped, and %s told", l.Waiting, orNobody(l.Writers)))
	}
	if len(l.Channels) > 0 {
		parts = append(parts, "it leaves "+strings.Join(l.Channels, ", "))
	}
	if l.FrontDesk {
		parts = append(parts, "the office has no front desk of its own any more")
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing waits for it")
	}
	said := fmt.Sprintf("With %s: %s. Its messages stay; its contexts and its workspace are kept for an adoption", l.Name, strings.Join(parts, "; "))
	if l.Elsewhere {
		said += ", and the folder that it works in (cwd) is left as it is"
	}
	return said + "."
}

// Loss tells beforehand what a dismissal would drop.
func (o *Office) Loss(ctx context.Context, name string) (Loss, error) {
	return lookFor(ctx, o, func(s *State) (Loss, error) {
		cs, err := s.colleaguesNamed([]string{name})
		if err != nil {
			return Loss{}, err
		}
		return s.loss(cs[0]), nil
	})
}

// Dismiss takes a colleague off the roster and tells what that dropped.
func (o *Office) Dismiss(ctx context.Context, name string, by PersonID, from string) (Loss, error) {
	out, err := o.amend(ctx, actor{person: by, from: from}, DismissCall{name})
	if err != nil {
		return Loss{}, err
	}
	return out.(Loss), nil
}

func (s *State) loss(c *Colleague) Loss {
	l := Loss{
		ID: c.ID, Name: c.Name, Running: s.running[c.ID] != nil, Waiting: len(s.queues[c.ID]),
		Channels: s.subscriptions(c.ID), Reports: s.reports(c.Name),
		FrontDesk: wake.Fold(s.Setup.FrontDesk) == wake.Fold(c.Name), Elsewhere: c.Cwd != "",
	}
	items := slices.Clone(s.queues[c.ID])
	if t := s.running[c.ID]; t != nil {
		items = append(items, s.held[t.ID]...)
	}
	for _, it := range items {
		if from := it.Body.Author; from.Kind != ByOffice && !slices.Contains(l.Writers, from.Name) {
			l.Writers = append(l.Writers, from.Name)
		}
	}
	slices.Sort(l.Writers)
	return l
}

// DismissCall takes a colleague off the roster.
type DismissCall struct{ Name string }

func (p DismissCall) what() string { return "dismiss " + oneLine(p.Name, nameLimit) }

func (p DismissCall) name() string { return strings.TrimPrefix(strings.TrimSpace(p.Name), "@") }

func (p DismissCall) plan(d *decision, by actor) (plan, error) {
	if gone, call := d.s.dismissedNamed(p.name()), d.calling(by); call != "" && gone != nil && gone.Call == call {
		return plan{done: Loss{ID: gone.ID, Name: gone.Name, Before: true}}, nil
	}
	found, err := d.s.colleaguesNamed([]string{p.Name})
	if err != nil {
		return plan{}, err
	}
	c := found[0]
	switch reports := d.s.reports(c.Name); {
	case len(reports) > 0:
		return plan{}, fmt.Errorf("%s report to %s; let them report to somebody else first", strings.Join(reports, ", "), c.Name)
	case len(d.s.roster) == 1:
		return plan{}, fmt.Errorf("%s is the only colleague of this office; hire somebody else first", c.Name)
	case c.Ephemeral:
		return plan{}, nil
	}
	return plan{edits: []Edit{RemoveColleague{c.Name}}, intent: Intent{Kind: IntendDismiss, Name: c.Name, ID: c.ID}}, nil
}

func (p DismissCall) carry(d *decision, _ string) any {
	if c := d.s.colleagueNamed(p.name()); c != nil && c.Ephemeral {
		d.dismiss(c.ID)
		d.rank()
	}
	for _, l := range d.lost {
		if wake.Fold(l.Name) == wake.Fold(p.name()) {
			return l
		}
	}
	return Loss{Name: p.name()} // it had been taken out of the file by hand
}

// Archiver is a Runner that keeps the folders of colleagues. The office calls
// Archive, on a goroutine of its own, for who has left, and again at each
// opening: one that is put away already is no error.
type Archiver interface {
	// Archive puts the folder of a colleague away.
	Archive(ctx context.Context, c Colleague) error
}

// archive puts the folder of somebody away who has left, unless it came back.
func (o *Office) archive(id ColleagueID) {
	a, ok := o.runner.(Archiver)
	if !ok {
		return
	}
	o.runs.Add(1)
	go func() {
		defer o.runs.Done()
		c, err := look(o.runCtx, o, func(s *State) Colleague { return *s.Colleagues[id] })
		if err == nil && c.Gone {
			err = a.Archive(o.runCtx, c)
		}
		if err != nil && o.runCtx.Err() == nil {
			o.log.Error("a folder was not put into the archive", "err", err)
		}
	}()
}

// dismiss takes a colleague off the roster. Its messages and its contexts stay;
// its turn is cut off, what waited for it is dropped, and the writers are told.
func (d *decision) dismiss(id ColleagueID) {
	d.lost = append(d.lost, d.s.loss(d.s.Colleagues[id]))
	d.cut(d.s.Colleagues[id], "it left the office")
	items := slices.Clone(d.s.queues[id])
	for _, it := range items {
		d.put(DeleteItem{it.ID})
	}
	d.tellWriters(items, d.s.Colleagues[id].Name+" left the office")
	for _, it := range items {
		if it.Hop {
			d.decided(it.Conv)
		}
	}
	c := *d.s.Colleagues[id]
	c.Gone, c.Left, c.Call, c.Onboard, c.Quiet, c.Dead, c.Restarts = true, d.now, d.call, false, Quiet{}, Death{}, nil
	d.dropAsked(id)
	d.rosterMoved()
	d.put(PutColleague{c})
	for _, chID := range keys(d.s.Channels) {
		ch := d.s.Channels[chID]
		if i := slices.Index(ch.Members, id); i >= 0 && ch.Kind == GroupChannel {
			less := *ch
			less.Members = slices.Delete(slices.Clone(ch.Members), i, i+1)
			d.put(PutChannel{less})
		}
	}
}

// dropAsked takes back what a colleague that leaves still asks, late answers
// among it, and what is asked about it.
func (d *decision) dropAsked(id ColleagueID) {
	for _, q := range keys(d.s.Questions) {
		if x := d.s.Questions[q]; x.From == id {
			d.closeQuestion(x, "It is no longer asked: "+d.s.Colleagues[id].Name+" left the office.")
		}
	}
}
