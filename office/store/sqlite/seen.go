package sqlite

import (
	"context"
	"database/sql"
	"runtime"
	"slices"
	"strings"
	"sync"

	"bullpen/office"
)

// Seen looks an event up by its key. Those who ask while others are being answered
// are answered together, by one look into the file: many ask at once, those whose
// messages the last commit took in.
func (s *Store) Seen(ctx context.Context, event string) (office.Anchor, bool, error) {
	if err := ctx.Err(); err != nil {
		return office.Anchor{}, false, err
	}
	q := &sighting{ctx: ctx, event: event, answered: make(chan struct{})}
	if s.sightings.alone() {
		defer s.sightings.done()
		err := s.sight(ctx, []*sighting{q})
		return q.anchor, q.found, err
	}
	if err := s.sightings.ask(q, s.sight); err != nil {
		return office.Anchor{}, false, err
	}
	select {
	case <-q.answered:
		return q.anchor, q.found, q.err
	case <-ctx.Done():
		return office.Anchor{}, false, ctx.Err()
	}
}

// sighting is the question whether an event was seen.
type sighting struct {
	ctx   context.Context
	event string

	answered chan struct{} // closed when what follows is known
	anchor   office.Anchor
	found    bool
	err      error
}

// sightings are the questions that wait. The zero value is ready.
type sightings struct {
	mu      sync.Mutex
	waiting []*sighting
	running bool // a goroutine answers until none waits
	single  bool // somebody looks for himself
	crowd   int  // how many were answered together lately
	closed  bool
	answers sync.WaitGroup
}

// alone says whether there is nobody to ask together with, as far as one can know:
// who is alone looks for himself, and says when that is done.
func (a *sightings) alone() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || a.running || a.single || a.crowd > 1 {
		return false
	}
	a.single = true
	return true
}

func (a *sightings) done() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.single = false
}

// ask has look answer q, with all others that wait when it comes to it.
func (a *sightings) ask(q *sighting, look func(context.Context, []*sighting) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return errClosed
	}
	a.waiting = append(a.waiting, q)
	if !a.running {
		a.running = true
		a.answers.Go(func() { a.answer(look) })
	}
	return nil
}

func (a *sightings) answer(look func(context.Context, []*sighting) error) {
	for {
		runtime.Gosched() // who was answered by the same commit is about to ask
		a.mu.Lock()
		group := a.waiting
		a.waiting, a.running = nil, len(group) > 0
		if a.running {
			a.crowd = len(group)
		}
		a.mu.Unlock()
		if len(group) == 0 {
			return
		}
		// Who asked first may have gone; the others have not.
		err := look(context.WithoutCancel(group[0].ctx), group)
		for _, q := range group {
			q.err = err
			close(q.answered)
		}
	}
}

// close lets nobody ask any more and waits until everybody has an answer.
func (a *sightings) close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.answers.Wait()
}

// sightingsMost is how many events a statement looks up.
const sightingsMost = 16

var (
	seenOne  = seenText(1)
	seenMany = seenText(sightingsMost)
)

func seenText(n int) string {
	return `SELECT event, channel, seq FROM seen WHERE event IN (?` + strings.Repeat(", ?", n-1) + `)`
}

// sight answers a group, in one state of the record.
func (s *Store) sight(ctx context.Context, group []*sighting) error {
	if len(group) == 1 {
		return s.ask(ctx, func(r *session) error { return r.sight(group) })
	}
	return s.read(ctx, func(r *session) error {
		for some := range slices.Chunk(group, sightingsMost) {
			if err := r.sight(some); err != nil {
				return err
			}
		}
		return nil
	})
}

// sight answers as many as a statement looks up; the last of fewer stands for those
// that are missing.
func (r *session) sight(group []*sighting) error {
	text, events := seenOne, make([]any, 1, sightingsMost)
	if len(group) > 1 {
		text, events = seenMany, events[:sightingsMost]
	}
	for i := range events {
		events[i] = group[min(i, len(group)-1)].event
	}
	return r.each(func(rows *sql.Rows) error {
		var event string
		var a office.Anchor
		if err := rows.Scan(&event, &a.Channel, &a.Seq); err != nil {
			return err
		}
		for _, q := range group {
			if q.event == event {
				q.anchor, q.found = a, true
			}
		}
		return nil
	}, text, events...)
}
