package office

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bullpen/office/wake"
)

// How often a colleague that gives no sign of life is tried again: the
// restartsMost-th time within restartWindow it is dead.
const (
	restartsMost  = 5
	restartWindow = 10 * time.Minute
)

// Death is that a colleague gave no sign of life again and again. What reaches
// it is held until a person revives it. The zero value is a colleague that lives.
type Death struct {
	Since time.Time `json:"since,omitzero"`
	Why   string    `json:"why,omitempty"`
}

// On says that the colleague is dead.
func (x Death) On() bool { return !x.Since.IsZero() }

// quote is a death as whoever writes to the colleague is told.
func (x Death) quote() string {
	return "dead since " + x.Since.UTC().Format("2006-01-02 15:04 MST") + ", because " + x.Why
}

// Stuck gives up an attempt that showed no sign of life: another one begins, or
// the colleague is dead. ErrStale: the attempt was over.
func (o *Office) Stuck(ctx context.Context, ref TurnRef) error {
	_, err := o.do(ctx, stuck{ref})
	return err
}

type stuck struct{ Ref TurnRef }

func (r stuck) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	d.stopped = append(d.stopped, t.Ref())
	c := *d.s.Colleagues[t.Colleague]
	c.Restarts = slices.DeleteFunc(slices.Clone(c.Restarts), func(at time.Time) bool { return d.now.Sub(at) >= restartWindow })
	c.Restarts = append(c.Restarts, d.now)
	d.put(PutColleague{c})
	if len(c.Restarts) >= restartsMost {
		why := fmt.Sprintf("it gave no sign of life %d times within %s", restartsMost, restartWindow)
		d.end(t, TurnFailed, why, "")
		d.die(t.Colleague, why)
		return nil, nil
	}
	t.Attempt++
	t.Stuck = d.now
	d.reopen(t, "[office] Interrupted: there was no sign of life while this ran. It may have run; look before you repeat it.")
	return nil, nil
}

// die makes a colleague dead and asks the owner, once, to revive it.
func (d *decision) die(id ColleagueID, why string) {
	c := *d.s.Colleagues[id]
	c.Dead, c.Restarts = Death{Since: d.now, Why: why}, nil
	d.put(PutColleague{c})
	o := d.s.owner()
	if o == nil {
		return
	}
	text := fmt.Sprintf("%s is dead: %s. What reaches it is held until it is revived.", c.Name, why)
	q := Question{
		ID: d.random(), Kind: DeadQuestion, From: id, Conv: Conversation{Channel: MailboxOf(o.ID)},
		Text: text, Options: []string{"Revive " + oneLine(c.Name, LabelMost-7)}, At: d.now,
	}
	m := &Message{Author: Author{Kind: ByOffice, Name: "office"}, Text: text, Wake: wake.Wake{Kind: wake.Nobody}, Question: q.ID}
	d.mail(o, m)
	q.Message = m.Anchor()
	d.put(PutQuestion{q})
}

// Revive ends a colleague's death: what was held for it is handed over.
func (o *Office) Revive(ctx context.Context, colleague string, by PersonID, from string) (string, error) {
	return said(o.do(ctx, revive{Colleague: colleague, By: by, From: from}))
}

type revive struct {
	Colleague string
	By        PersonID
	From      string
}

func (r revive) decide(d *decision) (any, error) {
	_, name, err := d.asking(actor{person: r.By})
	if err != nil {
		return nil, err
	}
	found, err := d.s.colleaguesNamed([]string{r.Colleague})
	if c := d.s.partnerNamed(r.Colleague, r.By); c != nil {
		found, err = []*Colleague{c}, nil
	}
	if err != nil {
		return nil, err
	}
	if !found[0].Dead.On() {
		return found[0].Name + " is not dead; there is nothing to revive.", nil
	}
	return d.revive(found[0].ID, name, r.From), nil
}

// revive ends a death and its question.
func (d *decision) revive(id ColleagueID, by, from string) string {
	c := *d.s.Colleagues[id]
	c.Dead = Death{}
	d.put(PutColleague{c})
	d.dropDeath(id)
	d.audit(Audit{By: by, From: from, What: "revive " + c.Name, Outcome: "done"})
	return fmt.Sprintf("%s revived %s; %d message(s) are handed over.", by, c.Name, len(d.s.queues[id]))
}

// dropDeath takes back the question whether a colleague is to be revived.
func (d *decision) dropDeath(id ColleagueID) {
	for _, q := range keys(d.s.Questions) {
		if x := d.s.Questions[q]; x.Kind == DeadQuestion && x.From == id {
			d.closeQuestion(x, "It is no longer asked: it was revived.")
		}
	}
}
