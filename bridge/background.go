package bridge

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"
)

const (
	// backgroundRoom bounds what waits to be done in the background; more is dropped.
	backgroundRoom = 256
	// backgroundTime is how long one thing may take.
	backgroundTime = 30 * time.Second
	// insistMost is how long what cannot be sent yet is tried again.
	insistMost = 2 * time.Minute
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

// Insist does steps in the background, in order, each until it is done, refused or in
// doubt. Where a step's error is a *PostError that says it is not sent yet, the rest
// goes on when it may, and everything else before that; not for longer than two
// minutes. dropped, if it is not nil, is given the error with which it ends.
func (b *Background) Insist(dropped func(error), steps ...func(context.Context) error) {
	b.insist(time.Now().Add(insistMost), dropped, steps)
}

func (b *Background) insist(end time.Time, dropped func(error), steps []func(context.Context) error) {
	b.Do(func(ctx context.Context) {
		for i, step := range steps {
			err := step(ctx)
			if err == nil {
				continue
			}
			var failed *PostError
			if errors.As(err, &failed) && failed.Kind == PostNotSent {
				wait := max(failed.After, BackoffFirst)
				if time.Now().Add(wait).Before(end) {
					time.AfterFunc(wait, func() { b.insist(end, dropped, steps[i:]) })
					return
				}
			}
			if dropped != nil {
				dropped(err)
			}
			return
		}
	})
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
