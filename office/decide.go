package office

import (
	"errors"
	"time"

	"bullpen/office/wake"
)

// request is something that the loop decides. decide must look before it
// changes: when it returns an error it has put no change.
type request interface {
	decide(d *decision) (any, error)
}

// Errors of verbs that a caller may want to tell apart.
var (
	// ErrStale refuses what a turn's retired attempt, or one that has ended, still says.
	ErrStale = errors.New("this attempt of the turn is over")
	// ErrClosed refuses requests to an office that is shut down.
	ErrClosed = errors.New("the office is closed")
)

// decision is one batch in the making: the working state, the changes made to
// it so far, and what is to happen once they are durable. Deciding has no clock,
// no randomness and no I/O: the same state, requests and time give the same batch.
type decision struct {
	s       *State
	now     time.Time
	changes []Change
	at      map[any]int // where a key's last Put stands in changes
	meta    bool        // the counters moved

	posted []*Message // stored by this batch, in order
	begun  []TurnStart
	ended  []int64           // turns that ended
	grown  map[int64][]Entry // entries that this batch added, by turn
}

func newDecision(s *State, now time.Time) *decision {
	// Milliseconds are what every store keeps.
	return &decision{s: s, now: now.UTC().Truncate(time.Millisecond), at: map[any]int{}, grown: map[int64][]Entry{}}
}

// request decides r and then, to a fixpoint, what follows from it.
func (d *decision) request(r request) (any, error) {
	out, err := r.decide(d)
	if err != nil {
		return nil, err
	}
	d.settle()
	return out, nil
}

// put makes a change: at once in the working state, durable with the batch. A
// record that the batch puts twice is written once.
func (d *decision) put(c Change) {
	d.s.apply(c)
	key := putKey(c)
	if key == nil {
		d.changes = append(d.changes, c)
		return
	}
	if i, again := d.at[key]; again {
		d.changes[i] = c
		return
	}
	d.at[key] = len(d.changes)
	d.changes = append(d.changes, c)
}

// putKey identifies the record that a change replaces, if a later Put of the
// same batch may stand in its place.
func putKey(c Change) any {
	type key struct {
		kind string
		id   any
	}
	switch c := c.(type) {
	case PutColleague:
		return key{"colleague", c.Colleague.ID}
	case PutChannel:
		return key{"channel", c.Channel.ID}
	case PutTurn:
		return key{"turn", c.Turn.ID}
	case PutCursor:
		return key{"cursor", c.Viewer}
	default:
		return nil
	}
}

// batch is all that has been put, with the counters.
func (d *decision) batch() []Change {
	if d.meta {
		return append(d.changes, PutMeta{d.s.Meta})
	}
	return d.changes
}

// next raises one of the office's counters.
func (d *decision) next(counter *int64) int64 {
	d.meta = true
	*counter++
	return *counter
}

// names is the directory of everybody and every channel that can be addressed.
func (d *decision) names() *wake.Directory { return d.s.directory() }

// store gives a message its numbers and puts it. Its deliveries are filled in
// afterwards, by the caller, on the same pointer, before the batch is committed.
func (d *decision) store(m *Message) {
	ch := *d.s.Channels[m.Channel]
	ch.Last++
	d.put(PutChannel{ch})
	m.Seq = ch.Last
	m.No = d.next(&d.s.Meta.Message)
	m.At = d.now
	d.posted = append(d.posted, m)
	d.put(PutMessage{m})
}

// entry appends to the transcript of a turn's context.
func (d *decision) entry(t *Turn, e Entry) Entry {
	e.N = d.next(&d.s.Meta.Entry)
	e.In, e.Turn, e.Step, e.At = t.Context(), t.ID, t.Step, d.now
	d.put(AppendEntry{e})
	d.grown[t.ID] = append(d.grown[t.ID], e)
	return e
}
