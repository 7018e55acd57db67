package office

import (
	"fmt"
	"slices"
)

// errand is what a delivery is about, beside the message itself.
type errand struct {
	person     PersonID     // whose private context; empty is the working one
	conv       Conversation // where its answer belongs
	ask        bool
	fromPerson bool
	turnEnd    bool
	quiet      bool
	depth      int
	forConv    Conversation
	askedIn    PersonID // the writing colleague's context
}

// deliver decides what becomes of one wake and puts the item that waits for it.
// One that breaks has failed for its recipient alone.
func (d *decision) deliver(m *Message, to *Colleague, e errand) {
	said := len(m.Deliveries)
	defer func() {
		if p := recover(); p != nil {
			m.Deliveries = append(m.Deliveries[:said], Delivery{
				To: string(to.ID), Name: to.Name, Outcome: Failed, Detail: oneLine(fmt.Sprintf("an error of the office: %v; the message stays where it is", p), 200),
			})
		}
	}()
	outcome, detail := d.outcome(to, e)
	m.Deliveries = append(m.Deliveries, Delivery{To: string(to.ID), Name: to.Name, Outcome: outcome, Detail: detail})
	if outcome == Silent {
		return
	}
	if e.fromPerson {
		d.allowBefore(to, e)
	}
	d.fold(to, e)
	d.put(PutItem{Item{
		ID: d.next(&d.s.Meta.Item), To: to.ID, Message: m.Anchor(), Body: inline(m, d.s.Limits.Message),
		Person: e.person, Conv: e.conv, Outcome: outcome, TurnEnd: e.turnEnd, Ask: e.ask, FromPerson: e.fromPerson,
		Quiet: e.quiet, Hop: d.tooDeep(e), Depth: e.depth, For: e.forConv, AskedIn: e.askedIn,
	}})
}

// wakes says whether the delivery starts a turn; a note rides with one.
func (e errand) wakes() bool { return !e.quiet || e.ask }

// tooDeep says whether a chain of colleagues is over its limit.
func (d *decision) tooDeep(e errand) bool {
	return e.wakes() && !e.fromPerson && e.depth > d.s.Limits.Depth
}

// outcome follows the order of the table in the specification: what holds the
// delivery first, then what the colleague is doing.
func (d *decision) outcome(to *Colleague, e errand) (Outcome, string) {
	if d.s.Meta.Silence.On && e.wakes() && to.Role != Boss {
		return Silent, d.s.Meta.Silence.quote() + "; it is stored and wakes nobody"
	}
	if to.Dead.On() {
		return OfDead, to.Name + " is " + to.Dead.quote() + "; it is held until a person revives it"
	}
	if d.tooDeep(e) {
		return HopLimited, fmt.Sprintf("%d colleagues have woken each other in a row, which is the limit; it is held until a person writes there", d.s.Limits.Depth)
	}
	if why, over := d.overBudget(to); over {
		return OverBudget, why
	}
	if d.pausedFor(to) {
		return Paused, d.s.Meta.Pause.quote() + "; it is held until that ends"
	}
	if d.quietNow(to) {
		return DoNotDisturb, to.Name + " is " + to.Quiet.quote() + "; it is held until then"
	}
	t := d.s.running[to.ID]
	switch {
	case t == nil:
		return Delivered, d.ahead(to, e)
	case !t.Waiting.IsZero():
		return d.behind(t, to, e), "its model's account is exhausted; it goes on at " + t.Waiting.In(d.s.location()).Format("2006-01-02 15:04 MST")
	case d.behind(t, to, e) == Steered:
		return Steered, "it is working and reads this at its next step"
	case t.Conv != e.conv:
		return Queued, "it is working on something else; this has a turn of its own after that"
	default:
		return Queued, "it is working; this has a turn of its own after that"
	}
}

// behind is what becomes of a delivery to a turn that waits.
func (d *decision) behind(t *Turn, to *Colleague, e errand) Outcome {
	if t.Person == e.person && mayJoin(t, e.conv, e.turnEnd) && !d.waitsBefore(to, e) {
		return Steered
	}
	return Queued
}

// ahead says how many others take a slot before a new turn of this colleague
// does; nothing when it starts at once. Of those who wait, as many as there are
// free slots start at once as well; those who are less urgent go after it.
func (d *decision) ahead(to *Colleague, e errand) string {
	own := d.urgency(to, e.fromPerson || e.ask, d.now)
	if it := d.firstReady(to.ID); it != nil {
		own = max(own, d.urgencyOf(it))
	}
	waiting := 0
	for id := range d.s.backlog.starters {
		if id == to.ID || d.s.running[id] != nil {
			continue
		}
		if it := d.firstReady(id); it != nil && d.urgencyOf(it) >= own {
			waiting++
		}
	}
	before := d.s.busy() + waiting - d.s.Limits.ConcurrentTurns
	if before < 0 {
		return ""
	}
	return fmt.Sprintf("as soon as a slot is free, %d ahead of it", before)
}

// mayJoin says whether a delivery of conv may be read within turn t: it belongs
// to the turn's own conversation, or its sender lets it be read anywhere. What
// a person said elsewhere is never read here, since the turn's final text would
// not answer it there.
func mayJoin(t *Turn, conv Conversation, turnEnd bool) bool { return conv == t.Conv || !turnEnd }

// waitsBefore says whether something of the conversation, which could be
// delivered, waits already: nothing overtakes it.
func (d *decision) waitsBefore(to *Colleague, e errand) bool {
	if t := d.s.running[to.ID]; t.Conv == e.conv {
		return false // all of it may join, in its order
	}
	l := d.s.backlog.lanes[laneKey{to.ID, e.person, e.conv}]
	return l != nil && l.apart > 0
}

// allowBefore lets a person's message take along what the depth limit held
// before it in its conversation.
func (d *decision) allowBefore(to *Colleague, e errand) {
	for _, it := range slices.Clone(d.s.hopsIn(laneKey{to.ID, e.person, e.conv})) { // put moves items within the lane
		free := *it
		free.Hop = false
		d.put(PutItem{free})
	}
	d.decided(e.conv)
}

// fold keeps a queue within its limit: the oldest two of the context become
// one line that says how many there were and where they can be read.
func (d *decision) fold(to *Colleague, e errand) {
	q := d.s.queues[to.ID]
	if len(q) < d.s.Limits.Queue {
		return
	}
	var same []*Item
	for _, it := range q {
		if it.Person == e.person {
			if same = append(same, it); len(same) == 2 {
				break
			}
		}
	}
	if len(same) < 2 {
		return
	}
	first, second := same[0], same[1]
	folded := *second
	folded.Folded = first.Folded + 1
	folded.FoldedFrom = first.FoldedFrom
	if first.Folded == 0 {
		folded.FoldedFrom = first.Message
	}
	// A person's question stays one: the line is delivered where it was asked.
	folded.Ask = first.Ask || second.Ask
	d.put(DeleteItem{first.ID})
	d.put(PutItem{folded})
}
