// Package watch lets tests wait until a stand-in of internal/sim has changed, instead of asking it again and
// again.
package watch

import (
	"context"
	"sync"
)

// Mutex guards the state of a stand-in. Unlock ends a look at it, UnlockChanged a change, which wakes
// whoever waits for one. The zero value is unlocked.
type Mutex struct {
	sync.Mutex
	changed chan struct{} // closed at the next change; nil while nobody waits
}

// UnlockChanged unlocks, and wakes whoever waits for a change.
func (m *Mutex) UnlockChanged() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
	m.Unlock()
}

// Next returns a channel that is closed at the next change. The caller holds the lock.
func (m *Mutex) Next() <-chan struct{} {
	if m.changed == nil {
		m.changed = make(chan struct{})
	}
	return m.changed
}

// Changed is Next for who does not hold the lock.
func (m *Mutex) Changed() <-chan struct{} {
	m.Lock()
	defer m.Unlock()
	return m.Next()
}

// WaitFor waits until cond is true, looking again after every change; cond is called without the lock. If
// ctx ends first, the error is its cause.
func (m *Mutex) WaitFor(ctx context.Context, cond func() bool) error {
	for {
		next := m.Changed()
		if cond() {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
