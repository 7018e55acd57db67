package console

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"
	"bullpen/office"
)

// retryPause is how long the console waits before it reads again a record that
// could not be read.
const retryPause = time.Second

// entry is one message as the console shows it.
type entry struct {
	no      int64
	at      time.Time
	channel string
	anchor  string
	author  string
	// markdown says that its author writes CommonMark.
	markdown bool
	text     string
	room     room
}

// sight is how much of a channel the person at the console is shown.
type sight int

const (
	unseen   sight = iota // somebody else's mailbox or private talk
	noticed               // one's own mailbox: that something came
	readable              // everything
)

// room is what the console knows of a channel.
type room struct {
	sight sight
	// talk is how a direct channel is called: who talks to whom.
	talk string
}

// view is who and what is in the office.
type view struct {
	office    string
	rooms     map[string]room // by the channel's id
	channels  []string        // #general first
	roster    []string        // colleagues' names
	addresses []string        // all that can be written to wake or inform somebody
}

// look takes a view of the office.
func look(ctx context.Context, b *bridge.Bridge) (view, error) {
	found, err := b.Office().View(ctx)
	if err != nil {
		return view{}, fmt.Errorf("the office cannot be looked at: %w", err)
	}
	v := view{office: found.Name, rooms: map[string]room{}}
	owner := ""
	for _, c := range found.Colleagues {
		v.roster = append(v.roster, c.Name)
		v.addresses = append(v.addresses, "@"+c.Name)
	}
	for _, p := range found.People {
		v.addresses = append(v.addresses, "@"+p.Name)
		if p.Owner {
			owner = string(p.ID)
		}
	}
	v.addresses = append(v.addresses, "@user", "$leader", "$member")
	for _, ch := range found.Channels {
		r := room{}
		mine := string(ch.Person) == owner
		switch ch.Kind {
		case "general", "group":
			r.sight = readable
			v.channels = append(v.channels, "#"+ch.Name)
		case "direct":
			if mine || ch.Person == "" {
				r = room{sight: readable, talk: ch.Name}
			}
		case "mailbox":
			if mine {
				r.sight = noticed
			}
		}
		v.rooms[string(ch.ID)] = r
	}
	v.addresses = append(v.addresses, v.channels...)
	slices.Sort(v.addresses)
	v.addresses = slices.Compact(v.addresses)
	return v, nil
}

// addUnknown settles what is shown of a channel that is no longer there: what
// was said before everybody.
func (v *view) addUnknown(channel string) {
	if _, known := v.rooms[channel]; known {
		return
	}
	r := room{sight: readable}
	if strings.HasPrefix(channel, "dm-") || strings.HasPrefix(channel, "mailbox-") {
		r.sight = unseen
	}
	v.rooms[channel] = r
}

// page is some messages in the order in which the office took them in, or none
// when something else changed, or why there will be no more.
type page struct {
	entries []entry
	err     error
}

// hand passes a page on unless ctx ends first.
func hand(ctx context.Context, pages chan<- page, p page) {
	select {
	case pages <- p:
	case <-ctx.Done():
	}
}

// watch hands over what the office takes in after no until ctx ends. At most
// one page is waiting. The error is that of an office that has stopped.
func watch(ctx context.Context, b *bridge.Bridge, no int64, log *slog.Logger, pages chan<- page) error {
	for {
		found, err := b.Office().Next(ctx, no)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if err := pause(ctx, b, err, log); err != nil {
				return err
			}
			continue
		}
		p := page{entries: make([]entry, 0, len(found))}
		for _, m := range found {
			p.entries = append(p.entries, entry{
				no: m.No, at: m.At, channel: string(m.Channel), anchor: m.Anchor().String(),
				author: m.Author.Name, markdown: m.Author.Kind == "colleague", text: m.Shown(),
			})
			no = m.No
		}
		hand(ctx, pages, p)
	}
}

// pause waits before a record that could not be read is read again.
func pause(ctx context.Context, b *bridge.Bridge, cause error, log *slog.Logger) error {
	log.Warn("the console cannot read the record; it tries again", "err", cause)
	t := time.NewTimer(retryPause)
	defer t.Stop()
	select {
	case <-b.Office().Done():
		return fmt.Errorf("the office has stopped: %w", cause)
	case <-ctx.Done():
		return nil
	case <-t.C:
		return nil
	}
}

// still says whether the record has this entry as it was shown: an office that was
// lost and opened again may have forgotten it, and call another message so.
func (e entry) still(ctx context.Context, b *bridge.Bridge) (bool, error) {
	page, err := b.Office().Messages(ctx, office.MessageQuery{After: e.no - 1, Limit: 1})
	if err != nil || len(page.Messages) == 0 {
		return false, err
	}
	m := page.Messages[0]
	return m.No == e.no && m.Anchor().String() == e.anchor && m.At.Equal(e.at), nil
}
