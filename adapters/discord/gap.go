package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
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
)

// fill reads everything back, several portals at once.
func (a *Adapter) fill(ctx, work context.Context, g *bridge.Outage) error {
	if err := a.nameColleagues(ctx); err != nil {
		return err
	}
	return g.Fill(work, a.attached(), func(h *bridge.Hole) error { return a.fillHole(ctx, work, g, h) })
}

// fillHole reads one portal back.
func (a *Adapter) fillHole(ctx, work context.Context, g *bridge.Outage, h *bridge.Hole) error {
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
			a.log.Warn("a channel's history cannot be read", "place", h.Portal.Place, "err", err)
			if e.code == missingAccess || e.code == missingPermissions {
				a.problem("history "+h.Portal.Place, fmt.Sprintf("what is missed in %s stays lost: give the bot the rights View Channel and Read Message History there", a.shown(h.Portal.Place)))
			}
			break
		}
		a.log.Warn("a gap cannot be read now", "place", h.Portal.Place, "err", err)
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
func (a *Adapter) missed(ctx context.Context, g *bridge.Outage, h *bridge.Hole) ([]recalled, error) {
	p := h.Portal
	if p.Mark == "" {
		return nil, nil
	}
	a.mu.Lock()
	born := a.born[p.Place]
	a.mu.Unlock()
	since := number(p.Mark)
	if from := g.From(); !from.IsZero() {
		since = min(since, firstID(from))
	}
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
