package bridge

import (
	"context"
	"sync"
	"time"

	"bullpen/office"
)

const (
	// strangersMost bounds who is remembered as waiting to be let in, strangerLife
	// for how long.
	strangersMost = 16
	strangerLife  = time.Hour
)

// Strangers are those who wrote to the office's bot and were not let in yet. The
// zero value is ready; it may be used by several goroutines.
type Strangers struct {
	mu      sync.Mutex
	waiting map[Account]stranger
}

type stranger struct {
	arr Arrival
	at  time.Time
}

// Add remembers somebody who wrote, unless they have been let in meanwhile; it says
// whether there is somebody to look after.
func (s *Strangers) Add(ctx context.Context, b *Bridge, arr Arrival, now time.Time) bool {
	if _, ok := b.LetIn(ctx, arr.Author.Account); ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[Account]stranger{}
	}
	if _, known := s.waiting[arr.Author.Account]; known || len(s.waiting) < strangersMost {
		s.waiting[arr.Author.Account] = stranger{arr, now}
	}
	return true
}

// LookAfter has everybody welcomed who has been let in since, and gives how many
// still wait. Who cannot be welcomed now waits on.
func (s *Strangers) LookAfter(ctx context.Context, b *Bridge, now time.Time, welcome func(context.Context, Arrival, office.Person) error) int {
	s.mu.Lock()
	var all []stranger
	for a, x := range s.waiting {
		if now.Sub(x.at) > strangerLife {
			delete(s.waiting, a)
			continue
		}
		all = append(all, x)
	}
	s.mu.Unlock()
	for _, x := range all {
		p, ok := b.LetIn(ctx, x.arr.Author.Account)
		if !ok || welcome(ctx, x.arr, p) != nil {
			continue
		}
		s.mu.Lock()
		delete(s.waiting, x.arr.Author.Account)
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

// LetIn finds the person of an account that may talk to the bot directly.
func (b *Bridge) LetIn(ctx context.Context, a Account) (office.Person, bool) {
	p, ok, err := b.office.PersonBy(ctx, office.Account(a))
	return p, err == nil && ok && b.listed(p, office.Account(a))
}
