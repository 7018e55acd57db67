package main

import (
	"context"
	"sync"

	"bullpen/office"
)

// branches are the offices that this process runs now, for a boss that acts on
// several. The zero value has none; it may be used concurrently.
type branches struct {
	mu   sync.Mutex
	open map[*office.Office]bool
}

// add notes an office that is open; gone takes it out again.
func (b *branches) add(o *office.Office) (gone func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[*office.Office]bool{}
	}
	b.open[o] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.open, o)
	}
}

// all is tool.Branches.
func (b *branches) all(context.Context) ([]*office.Office, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]*office.Office, 0, len(b.open))
	for o := range b.open {
		all = append(all, o)
	}
	return all, nil
}
