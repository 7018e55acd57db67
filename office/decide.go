package office

import (
	"errors"
	"strings"
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
	day     string // see today
	changes []Change
	at      map[recordKey]int // where the last change of a record stands in changes
	meta    bool              // the counters moved
	puts    int               // how many changes were made
	event   string            // of the request that is decided; see WithEvent

	events []string // remembered by this batch
	placed []string
	random func() string // gives text that nobody can guess

	call    string     // the call of a turn whose amendment this is
	closed  []closed   // channels that were deleted
	lost    []Loss     // by dismissals, in order
	posted  []*Message // stored by this batch, in order
	audits  []Audit    // written by this batch, in order
	begun   []TurnStart
	ended   []TurnRef         // turns that ended
	stopped []TurnRef         // attempts whose runner must be stopped
	settled []int64           // turns whose call waits for a person no longer
	going   []Send            // sends and looks that may leave
	grown   map[int64][]Entry // entries that this batch added, by turn
	// compacted: a summary stands for messages that can be archived.
	compacted bool
	news      []Happening // for adapters, which show who works
	// watched says that somebody watches; tellings are for them, in order.
	watched  bool
	tellings []telling
}

func newDecision(s *State, now time.Time, random func() string) *decision {
	// Milliseconds are what every store keeps.
	return &decision{s: s, now: now.UTC().Truncate(time.Millisecond), at: map[recordKey]int{}, grown: map[int64][]Entry{}, random: random}
}

// request decides r and then, to a fixpoint, what follows from it.
func (d *decision) request(r request) (any, error) {
	puts, meta := d.puts, d.meta
	out, err := r.decide(d)
	if err != nil {
		return nil, err
	}
	if d.event != "" && (d.puts > puts || d.meta && !meta) {
		d.see(d.event)
	}
	d.settle()
	d.idleNotice()
	d.settle()
	d.settleSends()
	return out, nil
}

// put makes a change: at once in the working state, durable with the batch. Of a
// record that the batch changes several times only what became of it is written.
func (d *decision) put(c Change) {
	if d.watched {
		d.tellOf(c)
	}
	d.s.apply(c)
	d.puts++
	key := keyOf(c)
	if key == (recordKey{}) {
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

// recordKey identifies a record whose changes replace one another.
type recordKey struct {
	kind string
	id   string
	n    int64
}

// keyOf is the record that a change replaces or removes, if a later change of the
// same batch may stand in its place; otherwise it is zero.
func keyOf(c Change) recordKey {
	switch c := c.(type) {
	case PutColleague:
		return recordKey{kind: "colleague", id: string(c.Colleague.ID)}
	case PutChannel:
		return recordKey{kind: "channel", id: string(c.Channel.ID)}
	case PutItem:
		return recordKey{kind: "item", n: c.Item.ID}
	case DeleteItem:
		return recordKey{kind: "item", n: c.ID}
	case PutTurn:
		return recordKey{kind: "turn", n: c.Turn.ID}
	case PutCursor:
		return recordKey{kind: "cursor", id: c.Viewer}
	case PutPortal:
		return recordKey{kind: "portal", id: string(c.Portal.ID)}
	case PutSend:
		return recordKey{kind: "send", n: c.Send.ID}
	case DeleteSend:
		return recordKey{kind: "send", n: c.ID}
	default:
		return recordKey{}
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

// remember keeps an event's receipt at hand, until the record can be asked for
// it; so does rememberNative with what a platform calls a message.
func (d *decision) remember(event string, r Receipt) {
	d.events = append(d.events, event)
	d.s.recent.add(event, r)
}

func (d *decision) rememberNative(p PortalID, id string, t thread) {
	d.placed = append(d.placed, nativeKey(p, id))
	d.s.natives.add(p, id, t)
}

// forget takes back what a batch remembered that did not become durable.
func (d *decision) forget() {
	for _, event := range d.events {
		delete(d.s.recent.receipts, event)
	}
	for _, key := range d.placed {
		delete(d.s.natives.known, key)
	}
}

// names is the directory of everybody and every channel that can be addressed.
func (d *decision) names() *wake.Directory { return d.s.directory() }

// store gives a message its numbers, puts it, and owes it to the platforms. Its deliveries are filled in
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
	d.showQuestion(m)
	d.owe(m)
}

// entry appends to the transcript of a turn's context.
func (d *decision) entry(t *Turn, e Entry) Entry {
	e.N = d.next(&d.s.Meta.Entry)
	e.In, e.Turn, e.Step, e.At = t.Context(), t.ID, t.Step, d.now
	d.put(AppendEntry{e})
	d.s.tails[e.In] = e.N
	d.grown[t.ID] = append(d.grown[t.ID], e)
	return e
}

// code is a code that a person can read out: eight characters that are not
// taken for one another.
func (d *decision) code() string {
	var b strings.Builder
	for b.Len() < 8 {
		for _, r := range d.random() {
			if !strings.ContainsRune("ILO01", r) && b.Len() < 8 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
