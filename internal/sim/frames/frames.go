// Package frames hands what a stand-in of internal/sim sends over a WebSocket from who decides on it, under
// the server's lock, to the one goroutine that writes.
package frames

import (
	"context"
	"sync"
)

// Queue is what one connection has still to send. New makes one.
type Queue[F any] struct {
	guard   sync.Locker
	wake    chan struct{} // holds a token when waiting may not be empty
	waiting []F
}

// New returns an empty queue that guard guards.
func New[F any](guard sync.Locker) *Queue[F] {
	return &Queue[F]{guard: guard, wake: make(chan struct{}, 1)}
}

// Push puts f at the end. The caller holds guard.
func (q *Queue[F]) Push(f F) {
	q.waiting = append(q.waiting, f)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Clear forgets what waits. The caller holds guard.
func (q *Queue[F]) Clear() { q.waiting = nil }

// Each hands write what is pushed, in order and without guard, until ctx ends or write is false.
func (q *Queue[F]) Each(ctx context.Context, write func(F) bool) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		}
		for _, f := range q.take() {
			if !write(f) {
				return
			}
		}
	}
}

func (q *Queue[F]) take() []F {
	q.guard.Lock()
	defer q.guard.Unlock()
	all := q.waiting
	q.waiting = nil
	return all
}
