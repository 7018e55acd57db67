package bridge

import (
	"context"
	"slices"
	"sync"

	"bullpen/office"
)

// DMs are the direct talks with people that an adapter opens by itself, so that
// their mail can reach them: each once in this process. The zero value is ready; it
// may be used by several goroutines.
type DMs struct {
	mu     sync.Mutex
	linked map[reach]bool
}

// OpenDM opens the direct talk with an account: its place, and the mark from which it
// is read. An empty place says that it cannot be had, which has been told; an error,
// that no other can be had now either.
type OpenDM func(ctx context.Context, account string) (place, mark string, err error)

// LinkAll links everybody whose account is known and whom mail cannot reach yet. Who
// cannot be reached costs nobody else.
func (d *DMs) LinkAll(ctx context.Context, b *Bridge, platform string, open OpenDM) error {
	all, err := b.unreached(ctx, platform)
	if err != nil {
		return err
	}
	for _, r := range all {
		if err := d.link(ctx, b, platform, r, open); err != nil {
			return err
		}
	}
	return nil
}

// LinkLater links somebody who talks in a channel, when there is time.
func (d *DMs) LinkLater(ctx context.Context, b *Bridge, later *Background, a Account, open OpenDM) {
	p, ok, err := b.office.PersonBy(ctx, office.Account(a))
	if err != nil || !ok {
		return
	}
	r := reach{a.ID, p.ID}
	if d.has(r) {
		return
	}
	later.Do(func(ctx context.Context) {
		if err := d.link(ctx, b, a.Platform, r, open); err != nil {
			later.log.Warn("a person's direct message cannot be linked", "person", p.ID, "err", err)
		}
	})
}

func (d *DMs) link(ctx context.Context, b *Bridge, platform string, r reach, open OpenDM) error {
	if d.has(r) {
		return nil
	}
	place, mark, err := open(ctx, r.account)
	if err != nil || place == "" {
		return err
	}
	if err := b.LinkDM(ctx, platform, place, r.person, mark); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.linked == nil {
		d.linked = map[reach]bool{}
	}
	d.linked[r] = true
	return nil
}

func (d *DMs) has(r reach) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.linked[r]
}

// reach is an account of a person to whom mail could go.
type reach struct {
	account string
	person  office.PersonID
}

// unreached lists the accounts on a platform of the people who have no direct talk
// linked there that is open.
func (b *Bridge) unreached(ctx context.Context, platform string) ([]reach, error) {
	v, err := b.office.View(ctx)
	if err != nil {
		return nil, err
	}
	portals, err := b.office.Portals(ctx, platform)
	if err != nil {
		return nil, err
	}
	reached := map[office.PersonID]bool{}
	for _, p := range portals {
		reached[p.Person] = p.Kind == office.DMPortal && p.Closed == "" || reached[p.Person]
	}
	var all []reach
	for _, p := range v.People {
		if reached[p.ID] {
			continue
		}
		for _, acc := range slices.Concat(p.Accounts, p.Paired) {
			if acc.Platform == platform {
				all = append(all, reach{acc.ID, p.ID})
			}
		}
	}
	return all, nil
}
