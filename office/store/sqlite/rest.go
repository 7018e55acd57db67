package sqlite

import (
	"math"
	"sync/atomic"
	"time"
)

// restAfter is how long a record that nobody uses keeps its connections: each costs
// up to a megabyte of cache, and a process may run a hundred offices that sleep.
const restAfter = time.Minute

// rest closes what a store has open when it was not used for a while. The file, and
// the lock that is the lease, stay; the next use opens what it needs.
type rest struct {
	after time.Duration
	close func()

	timer *time.Timer
	armed atomic.Bool // the timer runs
	used  atomic.Bool // since it began to run
}

func newRest(after time.Duration, closeAll func()) *rest {
	r := &rest{after: after, close: closeAll}
	r.timer = time.AfterFunc(math.MaxInt64, r.due) // due needs it
	r.arm()
	return r
}

// touch is called at each use.
func (r *rest) touch() {
	r.used.Store(true)
	r.arm()
}

func (r *rest) arm() {
	if r.armed.CompareAndSwap(false, true) {
		r.timer.Reset(r.after)
	}
}

func (r *rest) due() {
	if r.used.Swap(false) {
		r.timer.Reset(r.after)
		return
	}
	r.close()
	r.armed.Store(false)
	if r.used.Load() { // meanwhile
		r.arm()
	}
}

func (r *rest) stop() { r.timer.Stop() }

// fallAsleep closes the connections that nobody uses at this moment. With the last
// of them the log is written back into the file.
func (s *Store) fallAsleep() {
	s.mu.Lock()
	s.dropWriter()
	s.mu.Unlock()
	s.readers.drop()
}

// drop closes the sessions that are kept for the next read.
func (r *readers) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, se := range r.idle {
		se.close()
	}
	r.idle = nil
}
