package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"bullpen/office"
)

// fillers is how many portals are read back at once.
const fillers = 4

// Outage is what has to be read back on a platform: what was said since a
// connection ended, or the process before, until it has been. The zero value is the
// outage before this process. It may be used by several goroutines.
type Outage struct {
	mu    sync.Mutex
	from  time.Time // nothing older was missed; zero: the portals' marks tell
	since time.Time // when the connection ended; zero: before this process
	holes map[office.PortalID]*Hole
}

// Hole is the part of an outage that lies in one portal, with its marks from when
// the outage began: what is sent meanwhile moves them.
type Hole struct{ Portal office.Portal }

// Lost says that from some time on nothing may have come in, and that the
// connection ended now. An outage that is not over yet began earlier and stays.
func (g *Outage) Lost(from, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.holes) == 0 {
		g.from, g.since = from, now
	}
}

// From is the time before which nothing was missed; zero: the portals' marks tell.
func (g *Outage) From() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.from
}

// Away is for how long nothing came in; 0 if that was before this process.
func (g *Outage) Away(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() {
		return 0
	}
	return max(now.Sub(g.since), time.Nanosecond)
}

// Open makes what comes in wait, in every portal of a platform, until Fill has
// read it back.
func (g *Outage) Open(ctx context.Context, b *Bridge, platform string) error {
	portals, err := b.office.Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		if err := b.office.Filling(ctx, p.ID, true); err != nil {
			return fmt.Errorf("the gap of %s cannot be filled now: %w", p.ID, err)
		}
		g.mu.Lock()
		if g.holes == nil {
			g.holes = map[office.PortalID]*Hole{}
		}
		if g.holes[p.ID] == nil {
			g.holes[p.ID] = &Hole{Portal: p}
		}
		g.mu.Unlock()
	}
	return nil
}

// Fill has every hole read back, several at once, and lets what waited behind each
// in when that is done. A hole that read fails for stays open.
func (g *Outage) Fill(work context.Context, b *Bridge, read func(*Hole) error) error {
	g.mu.Lock()
	holes := slices.Collect(maps.Values(g.holes))
	g.mu.Unlock()
	slices.SortFunc(holes, func(a, b *Hole) int { return cmp.Compare(a.Portal.ID, b.Portal.ID) })
	errs := make([]error, len(holes))
	var all sync.WaitGroup
	room := make(chan struct{}, fillers)
	for i, h := range holes {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			errs[i] = g.fill(work, b, h, read)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (g *Outage) fill(work context.Context, b *Bridge, h *Hole, read func(*Hole) error) error {
	if err := read(h); err != nil {
		return err
	}
	if err := b.office.Filling(work, h.Portal.ID, false); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.holes, h.Portal.ID)
	return nil
}
