package bridge

import (
	"context"
	"sync"
	"time"

	"bullpen/office"
)

// Mark is what a reaction says of a message that somebody wrote.
type Mark string

// The marks. An adapter shows each as a sign that its platform has.
const (
	MarkSeen   Mark = "seen"   // somebody reads it
	MarkDone   Mark = "done"   // it was dealt with
	MarkFailed Mark = "failed" // a turn with it came to nothing
)

// Reactor is an Adapter whose platform has reactions.
type Reactor interface {
	// React shows a mark on a message in place of the one before it, which is empty
	// for none. It drops it where half of what the platform allows is used up, and
	// says whether it is shown. It does not block for long.
	React(ctx context.Context, place, native string, now, before Mark) bool
}

// markedMost bounds the messages whose marks may still change.
const markedMost = 2000

// marked is a message on which something may still be shown.
type marked struct {
	place, native string
	left          int // colleagues who have not dealt with it yet
	failed, seen  bool
	end           Mark // what became of it, once that is known
}

// marks are the messages on which a platform may still react. The zero value is ready.
type marks struct {
	mu sync.Mutex
	on map[markKey]*marked
}

type markKey struct {
	platform string
	anchor   office.Anchor
}

// Seen shows, in the background and after a moment, that somebody reads a message that
// came in, and later, once, what became of it. What is dealt with within that moment
// gets one mark alone: a change costs two more requests.
func (b *Bridge) Seen(later *Background, a Arrival, rec office.Receipt, r Reactor) {
	n := 0
	for _, d := range rec.Deliveries {
		if woken(d.Outcome) {
			n++
		}
	}
	if n == 0 || rec.Again || rec.Parked {
		return
	}
	key := markKey{a.Author.Platform, rec.Anchor}
	b.marks.add(key, &marked{place: a.Place, native: a.Native, left: n})
	time.AfterFunc(presenceAfter, func() {
		later.Do(func(ctx context.Context) { b.marks.show(ctx, key, r) })
	})
}

func (s *marks) add(key markKey, m *marked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on == nil || len(s.on) >= markedMost {
		s.on = map[markKey]*marked{}
	}
	s.on[key] = m
}

// show puts the first mark on a message, and the last if that is due meanwhile.
func (s *marks) show(ctx context.Context, key markKey, r Reactor) {
	for before := Mark(""); ; before = MarkSeen {
		s.mu.Lock()
		m := s.on[key]
		if m == nil {
			s.mu.Unlock()
			return
		}
		now := m.end
		if now == "" && before != "" {
			m.seen = true
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		if now == "" {
			now = MarkSeen
		}
		if !r.React(ctx, m.place, m.native, now, before) || now != MarkSeen {
			s.mu.Lock()
			delete(s.on, key)
			s.mu.Unlock()
			return
		}
	}
}

// dealtWith changes the marks of messages when the last of those whom they woke
// has dealt with them.
func (p *present) dealtWith(ctx context.Context, h office.Happening) {
	if p.reactor == nil {
		return
	}
	for _, a := range h.Given {
		m := p.b.marks.settle(markKey{p.platform, a}, h.State != office.TurnDone)
		if m == nil {
			continue
		}
		one, cancel := context.WithTimeout(ctx, presenceTime)
		p.reactor.React(one, m.place, m.native, m.end, MarkSeen)
		cancel()
	}
}

// settle notes that one more has dealt with a message. It gives the message when
// that was the last and its mark is to be changed now.
func (s *marks) settle(key markKey, failed bool) *marked {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.on[key]
	if m == nil {
		return nil
	}
	m.failed = m.failed || failed
	if m.left--; m.left > 0 {
		return nil
	}
	if m.end = MarkDone; m.failed {
		m.end = MarkFailed
	}
	if !m.seen {
		return nil // its first mark is on its way, and sees to it
	}
	delete(s.on, key)
	return m
}
