package bridge

import (
	"context"
	"strings"
	"sync"
	"time"

	"bullpen/office"
)

// Limiter is a Poster on whose platform a request to wait is for more than the place
// in which it was met: a chat with all its topics.
type Limiter interface {
	Poster
	// LeaveAlone says that nothing may be asked of a place until then. It is called
	// before anything is.
	LeaveAlone(place string, until time.Time)
}

// Recall tells an adapter once how long the places are to be left alone that the
// office still waits with, since what a platform asked for outlives the process that
// it told. The office does so before its first send, an adapter before it shows
// anything else.
func (b *Bridge) Recall(ctx context.Context, p Poster) { b.recall(ctx, b.office, p) }

func (b *Bridge) recall(ctx context.Context, o *office.Office, p Poster) {
	l, ok := p.(Limiter)
	if !ok || o == nil || b.recalls[p.Platform()] == nil {
		return
	}
	b.recalls[p.Platform()].do(func() bool {
		waits, err := o.Waits(ctx, p.Platform())
		for place, until := range waits {
			l.LeaveAlone(place, until)
		}
		return err == nil
	})
}

// recallFor is Recall for whoever shows a portal.
func (b *Bridge) recallFor(ctx context.Context, o *office.Office, id office.PortalID) {
	platform, _, _ := strings.Cut(string(id), ":")
	if p := b.poster(platform); p != nil {
		b.recall(ctx, o, p)
	}
}

// once is a thing that is done until it succeeds, with everybody waiting for it.
type once struct {
	mu   sync.Mutex
	done bool
}

func (x *once) do(f func() bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.done {
		x.done = f()
	}
}
