package office

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// EventKind says what an event tells.
type EventKind string

// The kinds of event.
const (
	EventSpawned  EventKind = "spawned"  // a colleague is on the roster now
	EventChanged  EventKind = "changed"  // it has another name, role or other settings
	EventClosed   EventKind = "closed"   // it has left the roster
	EventAssigned EventKind = "assigned" // messages were given to a colleague: they start its turn, or join it
	EventRunning  EventKind = "running"  // an attempt of its turn runs, or waits for its model's account
	EventProgress EventKind = "progress" // its model has answered for the nth time in this turn
	// EventToolStarted and EventToolEnded are about one call of a tool.
	EventToolStarted EventKind = "tool-started"
	EventToolEnded   EventKind = "tool-ended"
	EventDone        EventKind = "done" // its turn has ended; Outcome says how
	// EventNeedsYou: a person is asked something; EventSettled: it was answered, or
	// is no longer asked.
	EventNeedsYou EventKind = "needs-you"
	EventSettled  EventKind = "settled"
	EventMessage  EventKind = "message"  // something was written, edited or deleted
	EventDelivery EventKind = "delivery" // what became of one wake of it
	EventHold     EventKind = "hold"     // a delivery is kept back or let go, or all of somebody's are
	EventPause    EventKind = "pause"    // the office pauses or goes on, or wakes are switched
	EventUsage    EventKind = "usage"    // what one request to a model used
	// EventMissed stands for events that came faster than they were fetched.
	EventMissed EventKind = "missed"
)

// EventKinds lists them, for refusals.
var EventKinds = []EventKind{
	EventSpawned, EventChanged, EventClosed, EventAssigned, EventRunning, EventProgress, EventToolStarted, EventToolEnded, EventDone,
	EventNeedsYou, EventSettled, EventMessage, EventDelivery, EventHold, EventPause, EventUsage, EventMissed,
}

// The sources of events, beside the platforms through which people write.
const (
	FromOffice    = "office"
	FromColleague = "colleague"
	// FromTerminal is what a person does at the console, or from another shell.
	FromTerminal = "console"
)

// Event is one change of the office, as it is told to those who watch. It is not
// stored: who comes late looks at the office as it is.
type Event struct {
	N      int64     `json:"n"` // ascending within this process
	At     time.Time `json:"at"`
	Source string    `json:"source"` // see FromOffice; else a platform's name
	Kind   EventKind `json:"kind"`
	// Colleague is the name of whom it is about, empty if that is nobody.
	Colleague string `json:"colleague,omitempty"`
	Turn      int64  `json:"turn,omitempty"`
	Step      int    `json:"step,omitempty"`
	// Messages are the anchors of those it is about.
	Messages []string `json:"messages,omitempty"`
	// Tool and Class are those of a call.
	Tool  string    `json:"tool,omitempty"`
	Class CallClass `json:"class,omitempty"`
	// Outcome is a delivery's outcome, a turn's state, or failed for a call.
	Outcome string `json:"outcome,omitempty"`
	Model   string `json:"model,omitempty"`
	Tokens  int64  `json:"tokens,omitempty"`
	// Text says it in words, on one line.
	Text string `json:"text"`
}

// eventsKept bounds what is kept for those who watch.
const eventsKept = 4096

// events are told while somebody watches, and cost nothing otherwise.
type events struct {
	trail    trail[Event]
	watchers atomic.Int32
}

func (e *events) watched() bool { return e.watchers.Load() > 0 }

func (e *events) add(news []Event) {
	e.trail.add(news, eventsKept, func(x *Event, n int64) { x.N = n })
}

func (e *events) leave() {
	if e.watchers.Add(-1) == 0 {
		e.trail.forget()
	}
}

// Watch follows an office's events. One goroutine uses it; Close ends it.
type Watch struct {
	o      *Office
	n      int64
	now    []Event // how things stood at the beginning
	closed sync.Once
}

// Watch begins to follow the events. The first of them tell how things are: the
// pause, who runs, and what people are asked.
func (o *Office) Watch(ctx context.Context) (*Watch, error) {
	o.events.watchers.Add(1) // before the look: whatever the loop decides after it is told
	w, err := look(ctx, o, func(s *State) *Watch {
		d := newDecision(s, o.now(), nil)
		d.watched = true
		d.tellNow()
		return &Watch{o: o, n: o.events.trail.now(), now: d.told()}
	})
	if err != nil {
		o.events.leave()
		return nil, err
	}
	return w, nil
}

// Next waits for events and gives them in order. The error is ctx's when it ends
// first, and the office's when it has closed.
func (w *Watch) Next(ctx context.Context) ([]Event, error) {
	if now := w.now; len(now) > 0 {
		w.now = nil
		return now, nil
	}
	found, err := w.o.events.trail.next(ctx, w.o, w.n)
	if errors.Is(err, ErrBehind) {
		last := w.o.events.trail.now()
		lost := Event{N: last, At: w.o.now().UTC(), Source: FromOffice, Kind: EventMissed, Text: fmt.Sprintf("%d events came too fast and are not shown", last-w.n)}
		w.n = last
		return []Event{lost}, nil
	}
	if len(found) > 0 {
		w.n = found[len(found)-1].N
	}
	return found, err
}

// Close ends the watch.
func (w *Watch) Close() { w.closed.Do(w.o.events.leave) }

// tellNow tells how things are.
func (d *decision) tellNow() {
	for _, note := range d.s.notes() {
		d.report(Event{Kind: EventPause, Text: note})
	}
	for _, id := range keys(d.s.Turns) {
		d.tellRun(d.s.Turns[id])
	}
	asked := slices.SortedStableFunc(maps.Values(d.s.Questions), func(a, b *Question) int { return a.At.Compare(b.At) })
	for _, q := range asked {
		d.tellQuestion(q)
	}
}
