package bridge

import (
	"context"
	"math/rand/v2"
	"time"
)

// BackoffFirst doubles up to BackoffMost between attempts to reach a platform.
const (
	BackoffFirst = time.Second
	BackoffMost  = time.Minute
)

// Backoff is the pause before try n, counted from 1: between half of what is due
// and all of it, so that those who failed together do not come back together.
func Backoff(n int) time.Duration {
	return Jittered(min(BackoffFirst<<min(n-1, 10), BackoffMost))
}

// Jittered is between half of d and d.
func Jittered(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1) //nolint:gosec // a pause is no secret
}

// TurnMost is how long a post waits for its turn; a longer wait is the office's.
const TurnMost = 3 * time.Second

// WaitTurn waits until it is a post's turn, or says how long that would take: its turn
// is then to be given back.
func WaitTurn(ctx context.Context, delay time.Duration) *PostError {
	deadline, bounded := ctx.Deadline()
	if delay > TurnMost || bounded && time.Until(deadline) < delay {
		return &PostError{Kind: PostNotSent, After: delay, Reason: "too many messages at once"}
	}
	if delay > 0 {
		if err := Pause(ctx, delay); err != nil {
			return &PostError{Kind: PostNotSent, Reason: "it was called off", Err: err}
		}
	}
	return nil
}

// Pause waits for d; the error is ctx's.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
