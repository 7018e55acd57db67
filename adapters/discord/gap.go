package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"bullpen/bridge"
	"bullpen/office"
)

// Bounds of reading back.
const (
	// gapMost is how far back a gap is filled.
	gapMost = 24 * time.Hour
	// overlap is how long before the last event of a connection others may have
	// been lost: those that had not been taken in when it ended.
	overlap = 2 * time.Minute
	// gapPages bounds what is read of one channel or thread.
	gapPages = 50
	// archivePage is how many closed threads are looked at.
	archivePage = 100
	// fillers is how many portals are filled at once.
	fillers = 4
)

// gap is what has to be read back: from the end of a connection, or of the process
// before, until it has been.
type gap struct {
	mu    sync.Mutex
	from  time.Time // nothing older was missed; zero: the portals' marks tell
	since time.Time // when the connection ended; zero: before this process
	holes map[office.PortalID]*hole
}

// hole is the part of a gap that lies in one portal, with its mark from when the
// gap began: what is sent meanwhile moves it.
type hole struct {
	portal office.Portal
	over   func(context.Context) error
}

// lost says that from some time on nothing may have come in. A gap that is not
// filled yet began earlier and stays.
func (g *gap) lost(from, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.holes) == 0 {
		g.from, g.since = from, now
	}
}

// away is how long nothing came in; 0 if that was before this process.
func (g *gap) away(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.since.IsZero() {
		return 0
	}
	return max(now.Sub(g.since), time.Nanosecond)
}

// openGap makes what comes in wait, in every portal, until it is filled.
func (a *Adapter) openGap(ctx context.Context, g *gap) error {
	portals, err := a.attached().Office().Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		over, err := a.attached().Gap(ctx, p)
		if err != nil {
			return err
		}
		g.mu.Lock()
		if g.holes == nil {
			g.holes = map[office.PortalID]*hole{}
		}
		if g.holes[p.ID] == nil {
			g.holes[p.ID] = &hole{portal: p, over: over}
		}
		g.mu.Unlock()
	}
	return nil
}

// fill reads everything back, several portals at once.
func (a *Adapter) fill(ctx, work context.Context, g *gap) error {
	if err := a.nameColleagues(ctx); err != nil {
		return err
	}
	g.mu.Lock()
	holes := slices.Collect(maps.Values(g.holes))
	g.mu.Unlock()
	slices.SortFunc(holes, func(a, b *hole) int { return cmp.Compare(a.portal.ID, b.portal.ID) })
	errs := make([]error, len(holes))
	var all sync.WaitGroup
	room := make(chan struct{}, fillers)
	for i, h := range holes {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			errs[i] = a.fillHole(ctx, work, g, h)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// fillHole reads one portal back and lets what waited behind it in.
func (a *Adapter) fillHole(ctx, work context.Context, g *gap, h *hole) error {
	var missed []recalled
	for try := 1; ; try++ {
		var err error
		missed, err = a.missed(ctx, g, h)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if tokenFault(err) != nil {
			return err
		}
		if e := (*callError)(nil); errors.As(err, &e) && e.answered() {
			a.log.Warn("a channel's history cannot be read", "place", h.portal.Place, "err", err)
			if e.code == missingAccess || e.code == missingPermissions {
				a.problem("history "+h.portal.Place, fmt.Sprintf("what is missed in %s stays lost: give the bot the rights View Channel and Read Message History there", a.shown(h.portal.Place)))
			}
			break
		}
		a.log.Warn("a gap cannot be read now", "place", h.portal.Place, "err", err)
		if err := bridge.Pause(ctx, bridge.Backoff(try)); err != nil {
			return err
		}
	}
	for i := range missed {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := a.recall(work, &missed[i]); err != nil {
			return err
		}
	}
	if err := h.over(work); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.holes, h.portal.ID)
	return nil
}

// recalled is a message of the history, or, if changed, its edit.
type recalled struct {
	at      spot
	m       message
	changed bool
}

// recall takes one in.
func (a *Adapter) recall(ctx context.Context, r *recalled) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("a message of Discord's history failed", "place", r.at.place, "message", r.m.ID, "panic", p)
		}
	}()
	if r.changed {
		return a.edited(ctx, r.at, &r.m)
	}
	a.titles.saw(r.at.channel(), r.m.ID)
	arr, ok, err := a.arrival(ctx, r.at, &r.m)
	if err != nil || !ok {
		return err
	}
	arr.History = true
	return a.arrive(ctx, r.at, arr)
}

// missed reads what was said in a portal since the gap began, oldest first: in the
// channel itself, in its open threads, and in those that were closed meanwhile.
func (a *Adapter) missed(ctx context.Context, g *gap, h *hole) ([]recalled, error) {
	p := h.portal
	if p.Mark == "" {
		return nil, nil
	}
	a.mu.Lock()
	born := a.born[p.Place]
	a.mu.Unlock()
	since := number(p.Mark)
	g.mu.Lock()
	if !g.from.IsZero() {
		since = min(since, firstID(g.from))
	}
	g.mu.Unlock()
	since = max(since, born, firstID(a.now().Add(-gapMost)))
	var found []recalled
	room, _ := a.room(p.Place)
	if !room.posts() {
		if err := a.readSince(ctx, spot{place: p.Place, direct: p.Kind == office.DMPortal}, since, &found); err != nil {
			return nil, err
		}
	}
	if p.Kind == office.ChannelPortal {
		threads, err := a.threadsSince(ctx, p.Place, since)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			if err := a.readSince(ctx, spot{place: p.Place, thread: t}, since, &found); err != nil && codeOf(err) != unknownChannel {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(found, func(x, y recalled) int { return cmp.Compare(number(x.m.ID), number(y.m.ID)) })
	return found, nil
}

// readSince reads one channel or thread.
func (a *Adapter) readSince(ctx context.Context, at spot, since uint64, found *[]recalled) error {
	after := strconv.FormatUint(since, 10)
	begin := madeAt(after)
	for range gapPages {
		page, err := a.page(ctx, at.channel(), after)
		if err != nil {
			return err
		}
		for i := range page {
			*found = append(*found, recalled{at: at, m: page[i]})
			if edited, err := time.Parse(time.RFC3339Nano, page[i].Edited); err == nil && edited.After(begin) {
				*found = append(*found, recalled{at: at, m: page[i], changed: true})
			}
		}
		if len(page) < readPage {
			return nil
		}
		after = page[len(page)-1].ID
	}
	a.log.Warn("more was said in a channel than is read back", "channel", at.channel(), "pages", gapPages)
	return nil
}

// threadsSince are the threads of a channel in which something was said since.
func (a *Adapter) threadsSince(ctx context.Context, place string, since uint64) ([]string, error) {
	var threads []string
	a.mu.Lock()
	for id, t := range a.home.threads {
		if t.Parent == place && (t.Last == "" || number(t.Last) > since) {
			threads = append(threads, id)
		}
	}
	a.mu.Unlock()
	// A closed one comes first in the list if it was closed last.
	var closed struct {
		Threads []channel `json:"threads"`
	}
	err := a.ask(ctx, http.MethodGet, fmt.Sprintf("channels/%s/threads/archived/public?limit=%d", place, archivePage), nil, &closed)
	if e := (*callError)(nil); errors.As(err, &e) && e.answered() && tokenFault(err) == nil {
		err = nil // a channel without threads, or one whose history we may not read, as is told elsewhere
	}
	if err != nil {
		return nil, err
	}
	for _, t := range closed.Threads {
		if number(t.Last) > since && !slices.Contains(threads, t.ID) {
			threads = append(threads, t.ID)
		}
	}
	slices.Sort(threads)
	return threads, nil
}
