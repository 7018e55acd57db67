// Package storetest is the contract of office.Store as tests. Every store runs
// all of it, so that an office cannot tell one from another.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"bullpen/office"
)

// Open opens the store of one place. dir is a folder of the test, or just its
// name: the same dir is the same office, and another dir is another one. The
// contract closes what it opens, and it opens some places more than once at a
// time.
type Open func(t *testing.T, dir string) office.Store

// Run runs the whole contract.
func Run(t *testing.T, open Open) {
	t.Run("Lease", func(t *testing.T) { t.Parallel(); testLease(t, open) })
	t.Run("Commit", func(t *testing.T) { t.Parallel(); testCommit(t, open) })
	t.Run("Refusal", func(t *testing.T) { t.Parallel(); testRefusal(t, open) })
	t.Run("State", func(t *testing.T) { t.Parallel(); testState(t, open) })
	t.Run("Items", func(t *testing.T) { t.Parallel(); testItems(t, open) })
	t.Run("Turns", func(t *testing.T) { t.Parallel(); testTurns(t, open) })
	t.Run("Seen", func(t *testing.T) { t.Parallel(); testSeen(t, open) })
	t.Run("Crowd", func(t *testing.T) { t.Parallel(); testCrowd(t, open) })
	t.Run("Text", func(t *testing.T) { t.Parallel(); testText(t, open) })
	t.Run("Transcript", func(t *testing.T) { t.Parallel(); testTranscript(t, open) })
	t.Run("Messages", func(t *testing.T) { t.Parallel(); testMessages(t, open) })
	t.Run("Audits", func(t *testing.T) { t.Parallel(); testAudits(t, open) })
	t.Run("Old", func(t *testing.T) { t.Parallel(); testOld(t, open) })
	t.Run("Readers", func(t *testing.T) { t.Parallel(); testReaders(t, open) })
	t.Run("CalledOff", func(t *testing.T) { t.Parallel(); testCalledOff(t, open) })
	t.Run("Model", func(t *testing.T) { t.Parallel(); testModel(t, open) })
	t.Run("Size", func(t *testing.T) { t.Parallel(); testSize(t, open) })
}

// now is some time as an office keeps it: in UTC, to the millisecond.
var now = time.Date(2026, 3, 1, 9, 30, 15, int(250*time.Millisecond), time.UTC)

var holder = office.Holder{Host: "here", PID: 4711, Since: now, Program: "storetest"}

// tester is what a testing.T and a rapid.T have in common.
type tester interface {
	Helper()
	Context() context.Context
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// owner is a process that owns an office and commits batches one after another.
type owner struct {
	t     tester
	open  func() office.Store
	store office.Store
	lease office.Lease
	n     int64 // of the last batch
}

// own opens a place and acquires its office. The test's end closes it.
func own(t *testing.T, open Open) *owner { return ownAt(t, open, t.TempDir()) }

func ownAt(t *testing.T, open Open, dir string) *owner {
	t.Helper()
	return ownFor(t, func() office.Store { return open(t, dir) })
}

func ownFor(t tester, open func() office.Store) *owner {
	t.Helper()
	o := &owner{t: t, open: open}
	o.start()
	t.Cleanup(func() {
		if err := o.store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return o
}

// start opens the store and takes up the record where it stands.
func (o *owner) start() {
	o.t.Helper()
	o.store = o.open()
	lease, err := o.store.Acquire(o.t.Context(), holder)
	if err != nil {
		o.t.Fatalf("Acquire: %v", err)
	}
	o.lease = lease
	o.n = o.head().N
}

// restart gives the office up and starts again, as a new process would.
func (o *owner) restart() {
	o.t.Helper()
	if err := o.store.Release(o.t.Context(), o.lease); err != nil {
		o.t.Fatalf("Release: %v", err)
	}
	if err := o.store.Close(); err != nil {
		o.t.Fatalf("Close: %v", err)
	}
	o.start()
}

// next is the batch that follows.
func (o *owner) next(changes ...office.Change) office.Batch {
	return office.Batch{N: o.n + 1, ID: fmt.Sprintf("batch-%d", o.n+1), Changes: changes}
}

func (o *owner) commit(changes ...office.Change) {
	o.t.Helper()
	if err := o.store.Commit(o.t.Context(), o.lease, o.next(changes...)); err != nil {
		o.t.Fatalf("Commit: %v", err)
	}
	o.n++
}

func (o *owner) head() office.Head {
	o.t.Helper()
	h, err := o.store.Head(o.t.Context())
	if err != nil {
		o.t.Fatalf("Head: %v", err)
	}
	return h
}

func (o *owner) load() *office.Snapshot {
	o.t.Helper()
	snap, err := o.store.Load(o.t.Context())
	if err != nil {
		o.t.Fatalf("Load: %v", err)
	}
	return snap
}

func (o *owner) messages(q office.MessageQuery) office.MessagePage {
	o.t.Helper()
	page, err := o.store.Messages(o.t.Context(), q)
	if err != nil {
		o.t.Fatalf("Messages(%+v): %v", q, err)
	}
	return page
}

func (o *owner) transcript(in office.ContextID, limit int) []office.Entry {
	o.t.Helper()
	entries, err := o.store.Transcript(o.t.Context(), in, limit)
	if err != nil {
		o.t.Fatalf("Transcript(%+v, %d): %v", in, limit, err)
	}
	return entries
}
