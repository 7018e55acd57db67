package office

import (
	"slices"
	"strings"
	"time"
)

// TurnStart is what a runner needs to run one attempt of a turn.
type TurnStart struct {
	Turn      Turn
	Colleague Colleague
	Limits    Limits
	// Entries are those with which the turn begins; Prev is the one before them in
	// its context, 0 if this process does not know.
	Entries []Entry
	Prev    int64
}

// ageing is how long a turn waits until it counts one priority higher.
const ageing = time.Minute

// settle starts turns until nobody is ready or no slot is free. Idle with
// deliverable mail means ready: that is looked up here, never remembered.
func (d *decision) settle() {
	for !d.s.Closing && d.s.busy() < d.s.Limits.ConcurrentTurns {
		if c := d.toOnboard(); c != nil {
			d.onboard(c)
			continue
		}
		it := d.mostUrgent()
		if it == nil {
			return
		}
		d.begin(it)
	}
}

// busy counts the turns that hold a slot: not those that wait for a person, or a
// few questions would keep everybody from working.
func (s *State) busy() int {
	n := 0
	for _, t := range s.Turns {
		if t.asks() == "" {
			n++
		}
	}
	return n
}

// mostUrgent is the item whose colleague and conversation go next: persons'
// messages, and notes for which a person waits, first, then priority, which waiting raises, then arrival.
func (d *decision) mostUrgent() *Item {
	var best *Item
	var bestRank int
	for id := range d.s.backlog.starters {
		if d.s.running[id] != nil || d.s.Colleagues[id].Onboard {
			continue
		}
		it := d.firstReady(id)
		if it == nil {
			continue
		}
		rank := d.urgencyOf(it)
		if best == nil || rank > bestRank || rank == bestRank && it.ID < best.ID {
			best, bestRank = it, rank
		}
	}
	return best
}

// urgency is how urgent a turn is that something sent at a time would start; forPerson
// says that a person sent it, or waits for what comes of it.
func (d *decision) urgency(c *Colleague, forPerson bool, at time.Time) int {
	rank := c.Priority + int(d.now.Sub(at)/ageing)
	if forPerson {
		rank += 1 << 20
	}
	return rank
}

// urgencyOf is how urgent a turn is that starts with something that waits.
func (d *decision) urgencyOf(it *Item) int {
	return d.urgency(d.s.Colleagues[it.To], it.FromPerson || it.Ask, it.Body.At)
}

// deliverable says whether nothing holds the item.
func (d *decision) deliverable(it *Item) bool {
	return !it.Hop && d.reachable(d.s.Colleagues[it.To])
}

// reachable says whether no state of the colleague or of the office holds what
// waits for it.
func (d *decision) reachable(c *Colleague) bool {
	if c.Dead.On() || d.pausedFor(c) || d.quietNow(c) {
		return false
	}
	_, over := d.overBudget(c)
	return !over
}

// firstReady is the oldest item that can start a turn of the colleague.
func (d *decision) firstReady(id ColleagueID) *Item {
	if q := d.s.backlog.starters[id]; len(q) > 0 && d.reachable(d.s.Colleagues[id]) {
		return q[0]
	}
	return nil
}

// begin starts a turn for the conversation of first, carrying all of it that
// waits, in order, up to the size of a frame, and the notes that ride along.
func (d *decision) begin(first *Item) {
	c := d.s.Colleagues[first.To]
	var given []*Item
	size, most := 0, d.s.frameMost(c)
	for _, it := range d.s.queues[c.ID] {
		if it.Person != first.Person || it.Hop { // nothing else holds what stands beside first
			continue
		}
		if elsewhere := it.Conv != first.Conv; elsewhere && (it.Ask || !it.Quiet && (!d.s.Setup.MergeAll || it.Person != "")) {
			continue
		}
		if size += len(it.Body.Text); size > most && len(given) > 0 {
			break // nothing of this conversation overtakes what did not fit
		}
		given = append(given, it)
	}
	t := Turn{
		ID: d.next(&d.s.Meta.Turn), Colleague: c.ID, Person: first.Person, Conv: first.Conv,
		State: TurnOpen, Attempt: 1, Started: d.now,
	}
	d.startAfresh(t.Context())
	prev := d.s.tails[t.Context()]
	d.give(&t, given, 0)
	d.put(PutTurn{t})
	d.begun = append(d.begun, TurnStart{Turn: t, Colleague: *d.s.Colleagues[c.ID], Limits: d.s.Limits, Entries: slices.Clone(d.grown[t.ID]), Prev: prev})
	d.happens(TurnBegan, &t, given)
}

// tokenBytes is how many bytes of text fill a token, at least: of a script whose
// letters have three bytes each, many a letter is more than one token.
const tokenBytes = 2

// frameMost is how much text one hand-over to a colleague may carry, in bytes: a
// quarter of its model's window.
func (s *State) frameMost(c *Colleague) int {
	provider, _, _ := strings.Cut(c.Model, ":")
	if window := s.Setup.Windows[provider]; window > 0 {
		return window / 4 * tokenBytes
	}
	return s.Limits.Frame
}

// give hands items to a turn, before the given step (0: they start it), and
// writes the frame that shows them.
func (d *decision) give(t *Turn, items []*Item, step int) {
	d.hand(t, items, step)
	e := d.entry(t, d.frame(t, items))
	if step > 0 {
		t.Unseen = append(t.Unseen, e.N)
	}
}

// hand makes items the turn's, and the turn what they ask for.
func (d *decision) hand(t *Turn, items []*Item, step int) {
	d.tellGiven(t, items, step)
	for _, it := range items {
		given := *it
		given.Turn, given.Step = t.ID, step
		d.put(PutItem{given})
		if who := it.asker(); who != "" { // what it was told before is no answer to this
			t.SentTo = slices.DeleteFunc(slices.Clone(t.SentTo), func(id ColleagueID) bool { return id == who })
			if it.For != (Conversation{}) {
				t.For = it.For
			}
		}
		if it.FromPerson {
			t.Depth = 0
		} else {
			t.Depth = max(t.Depth, it.Depth)
		}
		if it.Ask {
			// What was posted before a question joined is no answer to it.
			t.Ask, t.Answered = true, false
			if it.Message.Channel == t.Conv.Channel {
				t.ReplyTo, t.Toward = it.Message.Seq, it.Body.Via
			}
		}
	}
}

// boundary is the moment between two steps: what was steered is judged now,
// for the turn that runs now, and joins it. It also tells the model what the
// office has to say about the turn itself.
func (d *decision) boundary(t *Turn) {
	if t.Notice != "" {
		// Like a frame it goes when the turn is cut off before an answer: a result that
		// is written anew then must not stand behind it.
		t.Unseen = append(slices.Clone(t.Unseen), d.entry(t, Entry{Kind: EntryNotice, Text: t.Notice}).N)
		t.Notice = ""
	}
	var given []*Item
	left := map[Conversation]bool{} // nothing overtakes what stays here
	size, most := 0, d.s.frameMost(d.s.Colleagues[t.Colleague])
	reachable := d.reachable(d.s.Colleagues[t.Colleague])
	for _, it := range d.s.queues[t.Colleague] {
		if it.Person != t.Person || it.Hop || !reachable {
			continue
		}
		if left[it.Conv] || !mayJoin(t, it.Conv, it.TurnEnd) || size+len(it.Body.Text) > most {
			left[it.Conv] = true
			continue
		}
		size += len(it.Body.Text)
		given = append(given, it)
	}
	if len(given) > 0 {
		d.give(t, given, t.Step+1)
		d.happens(TurnJoined, t, given)
	}
}

// heldBy are the items of a turn, in the order in which they were given.
func (d *decision) heldBy(t *Turn) []*Item {
	items := slices.Clone(d.s.held[t.ID])
	slices.SortStableFunc(items, func(a, b *Item) int {
		if a.Step != b.Step {
			return a.Step - b.Step
		}
		return int(a.ID - b.ID)
	})
	return items
}
