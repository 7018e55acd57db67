package office

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Hold is one reason why a delivery waits that is true now, in the words of
// outcomes.
type Hold struct {
	Outcome Outcome
	Detail  string
}

// HeldItem is a delivery that something holds.
type HeldItem struct {
	To      ColleagueID
	Name    string // the colleague's
	Message Anchor
	Author  Author
	At      time.Time
	Text    string // its beginning, on one line
	Conv    Conversation
	Outcome Outcome // as it was decided at arrival
	Holds   []Hold  // every reason still true; it waits for all of them
}

// heldText bounds what a HeldItem shows of its message, in characters.
const heldText = 200

// holds are the reasons for which an item waits now; none means that it is
// deliverable, which is asked more often and tells no reasons.
func (d *decision) holds(it *Item) []Hold {
	c := d.s.Colleagues[it.To]
	var all []Hold
	if c.Dead.On() {
		all = append(all, Hold{OfDead, c.Name + " is " + c.Dead.quote()})
	}
	if it.Hop {
		all = append(all, Hold{HopLimited, "colleagues have woken each other too often in a row"})
	}
	if why, over := d.overBudget(c); over {
		all = append(all, Hold{OverBudget, why})
	}
	if d.pausedFor(c) {
		all = append(all, Hold{Paused, d.s.Meta.Pause.quote()})
	}
	if d.quietNow(c) {
		all = append(all, Hold{DoNotDisturb, c.Name + " is " + c.Quiet.quote()})
	}
	return all
}

// held are the items that something holds, of one colleague or of all (empty),
// oldest first; those of one message where at is not zero.
func (d *decision) held(of ColleagueID, at Anchor) []*Item {
	var found []*Item
	for _, id := range d.s.staff() {
		if of != "" && id != of {
			continue
		}
		for _, it := range d.s.queues[id] {
			if (at == Anchor{} || it.Message == at) && len(d.holds(it)) > 0 {
				found = append(found, it)
			}
		}
	}
	return found
}

func (d *decision) heldItem(it *Item) HeldItem {
	return HeldItem{
		To: it.To, Name: d.s.Colleagues[it.To].Name, Message: it.Message, Author: it.Body.Author, At: it.Body.At,
		Text: oneLine(it.Body.Text, heldText), Conv: it.Conv, Outcome: it.Outcome, Holds: d.holds(it),
	}
}

// HeldItems lists what is held, by colleague and arrival.
func (o *Office) HeldItems(ctx context.Context) ([]HeldItem, error) {
	return look(ctx, o, func(s *State) (all []HeldItem) {
		d := decision{s: s, now: o.now()}
		for _, it := range d.held("", Anchor{}) {
			all = append(all, d.heldItem(it))
		}
		return all
	})
}

// heldChoice names what a person decides about: what is held for a colleague
// (empty: for all), one message of it or all (zero).
type heldChoice struct {
	Colleague string
	At        Anchor
	By        PersonID
	From      string
}

// find gives the items, or why there is nothing to decide.
func (r heldChoice) find(d *decision) (who *Person, items []*Item, err error) {
	who = d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, nil, fmt.Errorf("only the owner and the admins may decide what is held")
	}
	var of ColleagueID
	if r.Colleague != "" {
		c := d.s.partnerNamed(r.Colleague, r.By)
		if c == nil {
			return nil, nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
		}
		of = c.ID
	}
	items = d.held(of, r.At)
	if len(items) == 0 && r.At != (Anchor{}) {
		return nil, nil, fmt.Errorf("%s is not held", r.At)
	}
	return who, items, nil
}

// what names the choice, for the audit.
func (r heldChoice) what() string {
	what := "everything held"
	if r.At != (Anchor{}) {
		what = r.At.String()
	}
	if r.Colleague != "" {
		what += " for " + r.Colleague
	}
	return what
}

// deliverHeld lets held deliveries go on. It is leave to exceed the depth of a
// chain, of which nothing else knows when it ends. A pause, a do-not-disturb and
// a budget are states of the whole office or colleague, with verbs of their own:
// they go on to hold, and the answer says so.
type deliverHeld struct{ heldChoice }

// Released says what became of held deliveries that a person let go or dropped.
type Released struct {
	// Gone are those that nothing holds any more, or that were dropped.
	Gone []HeldItem
	// Still are those that something else holds.
	Still []HeldItem
}

func (r deliverHeld) decide(d *decision) (any, error) {
	who, items, err := r.find(d)
	if err != nil {
		return nil, err
	}
	var out Released
	convs := map[Conversation]bool{}
	for _, it := range items {
		before := d.heldItem(it)
		if it.Hop {
			free := *it
			free.Hop, free.Depth = false, 1 // a chain that was allowed begins anew
			d.put(PutItem{free})
			it = &free
			convs[it.Conv] = true
		}
		if now := d.heldItem(it); len(now.Holds) > 0 {
			out.Still = append(out.Still, now)
		} else {
			out.Gone = append(out.Gone, before)
		}
	}
	for conv := range convs {
		d.decided(conv)
	}
	if len(items) > 0 {
		d.audit(Audit{By: who.Name, From: r.From, What: "deliver " + r.what(), Outcome: fmt.Sprintf("%d delivered, %d still held", len(out.Gone), len(out.Still))})
	}
	return out, nil
}

// dropHeld drops held deliveries. The messages stay; their writers are told.
type dropHeld struct{ heldChoice }

func (r dropHeld) decide(d *decision) (any, error) {
	who, items, err := r.find(d)
	if err != nil {
		return nil, err
	}
	var out Released
	for _, it := range items {
		out.Gone = append(out.Gone, d.heldItem(it))
		d.put(DeleteItem{it.ID})
	}
	d.tellWriters(items, "Dropped by "+who.Name)
	for _, it := range items {
		if it.Hop {
			d.decided(it.Conv)
		}
	}
	if len(items) > 0 {
		d.audit(Audit{By: who.Name, From: r.From, What: "drop " + r.what(), Outcome: fmt.Sprintf("%d dropped", len(items))})
	}
	return out, nil
}

// tellWriters tells the writers of deliveries that nobody will read: people in
// the conversation, colleagues with their next turn or step. Each is told once
// per conversation. Nobody is woken.
func (d *decision) tellWriters(items []*Item, why string) {
	type told struct {
		writer string
		conv   Conversation
	}
	dropped := map[told][]string{}
	var order []told
	for _, it := range items {
		if it.Body.Author.Kind == ByOffice || it.Quiet && !it.Ask {
			continue
		}
		key := told{it.Body.Author.ID, it.Conv}
		if dropped[key] == nil {
			order = append(order, key)
		}
		dropped[key] = append(dropped[key], fmt.Sprintf("%s for %s", it.Message, d.s.Colleagues[it.To].Name))
	}
	for _, key := range order {
		m := &Message{
			Channel: key.conv.Channel, Root: key.conv.Root, Author: Author{Kind: ByOffice, Name: "office"}, Wake: wake.Wake{Kind: wake.Nobody},
			Text: fmt.Sprintf("%s, before anybody read it: %s.", why, strings.Join(firstFew(dropped[key]), ", ")),
		}
		d.store(m)
		if c := d.s.Colleagues[ColleagueID(key.writer)]; c != nil && !c.Gone {
			d.deliver(m, c, errand{conv: key.conv, quiet: true})
		}
	}
}

// firstFew keeps a list readable.
func firstFew(names []string) []string {
	const few = 5
	if len(names) <= few {
		return names
	}
	return append(slices.Clone(names[:few]), fmt.Sprintf("%d more", len(names)-few))
}

// DeliverHeld lets what is held for a colleague (empty: for everybody) go on:
// one message, or all of it where at is zero. It lifts the depth limit; what a
// pause, a do-not-disturb or a budget holds stays held and is listed.
func (o *Office) DeliverHeld(ctx context.Context, colleague string, at Anchor, by PersonID, from string) (Released, error) {
	return o.released(ctx, deliverHeld{heldChoice{colleague, at, by, from}})
}

// DropHeld drops what is held for a colleague (empty: for everybody): one
// message, or all of it where at is zero. The writers are told.
func (o *Office) DropHeld(ctx context.Context, colleague string, at Anchor, by PersonID, from string) (Released, error) {
	return o.released(ctx, dropHeld{heldChoice{colleague, at, by, from}})
}

func (o *Office) released(ctx context.Context, r request) (Released, error) {
	out, err := o.do(ctx, r)
	if err != nil {
		return Released{}, err
	}
	return out.(Released), nil
}
