package bridge

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

const (
	// backgroundRoom bounds what waits to be done in the background; more is dropped.
	backgroundRoom = 256
	// backgroundTime is how long one thing may take.
	backgroundTime = 30 * time.Second
	// lookEvery is how often a Background looks again while there is something to
	// look after.
	lookEvery = 2 * time.Second
)

// Background does what people see and nobody is owed, one thing after another,
// as well as it goes: receipts, reactions, answers to commands. NewBackground
// makes one. Do and Knock may be called from any goroutine.
type Background struct {
	log   *slog.Logger
	queue chan func(context.Context)
	knock chan struct{}
	look  func(context.Context) int
}

// NewBackground makes a Background. look, if it is not nil, is called from a
// Knock on, every two seconds, until it gives 0: how much is left to look after.
func NewBackground(log *slog.Logger, look func(context.Context) int) *Background {
	return &Background{
		log: log, look: look, queue: make(chan func(context.Context), backgroundRoom), knock: make(chan struct{}, 1),
	}
}

// Do has something done in the background within half a minute, or not at all.
func (b *Background) Do(f func(context.Context)) {
	select {
	case b.queue <- f:
	default:
	}
}

// Knock says that there is something to look after.
func (b *Background) Knock() {
	select {
	case b.knock <- struct{}{}:
	default:
	}
}

// Serve works until ctx ends. What it does runs under work, so that it may
// outlive ctx by a moment.
func (b *Background) Serve(ctx, work context.Context) {
	var again <-chan time.Time // while there is something to look after
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.knock:
			again = time.After(lookEvery)
		case <-again:
			again = nil
			left := 0
			b.one(work, func(ctx context.Context) { left = b.look(ctx) })
			if left > 0 {
				again = time.After(lookEvery)
			}
		case f := <-b.queue:
			b.one(work, f)
		}
	}
}

// one does one thing; a panic ends it alone.
func (b *Background) one(work context.Context, f func(context.Context)) {
	ctx, cancel := context.WithTimeout(work, backgroundTime)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			b.log.Error("something in the background failed", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	f(ctx)
}
