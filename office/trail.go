package office

import (
	"context"
	"errors"
	"sync"
)

// ErrBehind tells a watcher that what it asks for is no longer kept: it has to
// ask how things are now.
var ErrBehind = errors.New("the watcher is too far behind")

// trail is the newest of what happened, numbered from 1 within this process, for
// those who watch.
type trail[T any] struct {
	mu      sync.Mutex
	ring    []T // consecutive; the last one has the number last
	last    int64
	changed chan struct{} // closed at the next addition; nil while nobody waits
}

// add gives each of news its number and keeps the newest most of all.
func (t *trail[T]) add(news []T, most int, number func(x *T, n int64)) {
	if len(news) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range news {
		t.last++
		number(&x, t.last)
		t.ring = append(t.ring, x)
	}
	if over := len(t.ring) - most; over > 0 {
		t.ring = append([]T(nil), t.ring[over:]...)
	}
	if t.changed != nil {
		close(t.changed)
		t.changed = nil
	}
}

// now is the number of the newest.
func (t *trail[T]) now() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// forget keeps nothing of what was; the numbers go on.
func (t *trail[T]) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ring = nil
}

// after gives what came after number n, and a channel that closes at the next
// addition. The error is ErrBehind where some of it is no longer kept.
func (t *trail[T]) after(n int64) (found []T, changed <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.changed == nil {
		t.changed = make(chan struct{})
	}
	first := t.last - int64(len(t.ring)) + 1
	switch {
	case n >= t.last:
		return nil, t.changed, nil
	case first > n+1:
		return nil, t.changed, ErrBehind
	}
	return append(found, t.ring[n+1-first:]...), t.changed, nil
}

// next waits for what comes after number n. The error is ErrBehind, ctx's when it
// ends first, or the office's when it has closed.
func (t *trail[T]) next(ctx context.Context, o *Office, n int64) ([]T, error) {
	for {
		found, changed, err := t.after(n)
		if err != nil || len(found) > 0 {
			return found, err
		}
		select {
		case <-changed:
		case <-o.done:
			return nil, o.closedErr()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
