package telegram

import (
	"context"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"
)

const (
	// albumQuiet is how long nothing of an album has to come until it counts as
	// whole, and albumMost how long it is waited for at most: nothing says how many
	// items it has. In a group one that says nothing is waited for as long: it calls
	// nobody without the caption.
	albumQuiet = 3 * time.Second
	albumMost  = 15 * time.Second
	// albumLook is how often updates are asked for meanwhile.
	albumLook = 500 * time.Millisecond
	// albumsMost bounds the albums that are waited for.
	albumsMost = 50
	// albumPrefix begins the native id of an album as a whole.
	albumPrefix = "album:"
)

// album is several messages of Telegram's that are one to people
// (core.telegram.org/bots/api#message, media_group_id). Its updates stay
// unconfirmed until it is taken in, so that they come again after a crash.
type album struct {
	items       []*message
	updates     []int64
	first, last time.Time
}

// gather puts an item to its album. False means that there is no room: it is a
// message of its own then.
func (p *poller) gather(update int64, m *message) bool {
	key := itoa(m.Chat.ID) + " " + m.Album
	al := p.albums[key]
	if al == nil {
		if len(p.albums) >= albumsMost {
			return false
		}
		if p.albums == nil {
			p.albums = map[string]*album{}
		}
		al = &album{first: p.a.now()}
		p.albums[key] = al
	}
	if !slices.Contains(al.updates, update) {
		al.items, al.updates, al.last = append(al.items, m), append(al.updates, update), p.a.now()
	}
	return true
}

// mute says whether nothing in the album can call anybody.
func (al *album) mute() bool {
	return !al.items[0].Chat.private() && !slices.ContainsFunc(al.items, func(m *message) bool { return m.Caption != "" })
}

// flush takes in the albums that are whole.
func (p *poller) flush() error {
	now := p.a.now()
	for key, al := range p.albums {
		quiet := albumQuiet
		if al.mute() {
			quiet = albumMost
		}
		if now.Sub(al.last) < quiet && now.Sub(al.first) < albumMost {
			continue
		}
		err := p.safely(al.updates[0], al.items[0], func() error { return p.a.saidTogether(p.work, al.items) })
		if err != nil && !p.giveUp(al.updates[0], err) {
			return err
		}
		delete(p.albums, key)
	}
	p.settle()
	return nil
}

// settle moves the offset up to the first update that is still waited with.
func (p *poller) settle() {
	p.offset = p.next
	for _, al := range p.albums {
		p.offset = min(p.offset, slices.Min(al.updates))
	}
}

// saidTogether takes in an album as one message, or what came of it after that as
// its late part. Items that were taken in before are left out.
func (a *Adapter) saidTogether(ctx context.Context, items []*message) error {
	slices.SortFunc(items, func(x, y *message) int { return int(x.ID - y.ID) })
	var arr bridge.Arrival
	o := a.attached().Office()
	for _, m := range items {
		one, ok := a.arrival(m)
		if !ok {
			continue
		}
		if _, known, err := o.Native(ctx, portalID(one.Place), one.Native); err != nil {
			return err
		} else if known {
			continue
		}
		if arr.Native == "" {
			arr = one
			continue
		}
		arr.More = append(arr.More, one.Native)
		arr.Files = append(arr.Files, one.Files...)
		if strings.TrimSpace(arr.Text) == "" {
			arr.Text, arr.Mentions = one.Text, one.Mentions
		} else if strings.TrimSpace(one.Text) != "" {
			head := len(arr.Text) + 1
			arr.Text += "\n" + one.Text
			for _, x := range one.Mentions {
				x.Start, x.End = x.Start+head, x.End+head
				arr.Mentions = append(arr.Mentions, x)
			}
		}
	}
	if arr.Native == "" {
		return nil
	}
	whole := albumPrefix + items[0].Album
	_, begun, err := o.Native(ctx, portalID(arr.Place), whole)
	if err != nil {
		return err
	}
	arr.Of = whole
	if !begun { // unless what it is a part of still waits to be taken in, it begins the album
		arr.More = append(arr.More, whole)
	}
	return a.arrive(ctx, arr, items[0].From.ID)
}
