package office

import (
	"context"
	"errors"
	"time"
)

// Inbound takes in what a person said in a portal's place: once, however often
// the platform delivers it. When it returns without error it is durable.
func (o *Office) Inbound(ctx context.Context, in Inbound) (Receipt, error) {
	return o.inbound(ctx, in, func(r inbound) request { return r })
}

// Filled is Inbound for a message that was read from the platform's history:
// it goes in before what is parked.
func (o *Office) Filled(ctx context.Context, in Inbound) (Receipt, error) {
	return o.inbound(ctx, in, func(r inbound) request { return filled{r} })
}

func (o *Office) inbound(ctx context.Context, in Inbound, as func(inbound) request) (Receipt, error) {
	r := inbound{Inbound: in}
	rec, again, err := o.known(ctx, in)
	if err != nil {
		return rec, err
	}
	if again {
		// A crash may have come between the message and its early change.
		return rec, o.applyEarly(ctx, in)
	}
	if in.Thread != "" {
		if r.thread, err = o.thread(ctx, in.Portal, in.Thread); err != nil {
			return Receipt{}, err
		}
	}
	if in.Answers != "" {
		if r.answered, err = o.answered(ctx, in); err != nil {
			return Receipt{}, err
		}
	}
	for {
		if in.Of != "" {
			if r.of, err = o.byNative(ctx, in.Portal, in.Of); err != nil {
				return Receipt{}, err
			}
		}
		out, err := o.do(ctx, as(r))
		if errors.Is(err, errLookAgain) {
			continue
		}
		if err != nil {
			return Receipt{}, err
		}
		return out.(Receipt), o.applyEarly(ctx, in)
	}
}

// byNative reads the message that a platform calls id; nil if it is not here.
func (o *Office) byNative(ctx context.Context, portal PortalID, id string) (*Message, error) {
	n, ok, err := o.store.Native(ctx, portal, id)
	if err != nil || !ok || n.Alias {
		return nil, err
	}
	return o.Message(ctx, n.Anchor)
}

// known gives the receipt of a message that is in the record already.
func (o *Office) known(ctx context.Context, in Inbound) (Receipt, bool, error) {
	n, ok, err := o.store.Native(ctx, in.Portal, in.Native)
	if err != nil || !ok || n.Alias {
		return Receipt{}, false, err
	}
	m, _, err := o.identified(ctx, n.Anchor)
	if err != nil {
		return Receipt{}, false, err
	}
	rec := receiptOf(m)
	rec.Again = true
	return rec, true, nil
}

// lastSpeakers is how many messages of a thread are looked at for the last that
// was not the office's own.
const lastSpeakers = 10

// thread looks up what a thread begins with and who spoke in it last.
func (o *Office) thread(ctx context.Context, portal PortalID, id string) (thread, error) {
	n, ok, err := o.store.Native(ctx, portal, id)
	if err != nil || !ok {
		return thread{}, err
	}
	root, _, err := o.identified(ctx, n.Anchor)
	if err != nil {
		return thread{}, err
	}
	t := thread{root: root, speaker: root.Author}
	page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{root.Channel}, Root: root.thread(), Limit: lastSpeakers, Newest: true})
	if err != nil {
		return thread{}, err
	}
	for _, m := range page.Messages {
		if m.Author.Kind != ByOffice {
			t.speaker = m.Author
		}
	}
	return t, nil
}

// answered looks up what a message of a thread answers; nil if it is not here.
func (o *Office) answered(ctx context.Context, in Inbound) (*Message, error) {
	n, ok, err := o.store.Native(ctx, in.Portal, in.Answers)
	if err != nil || !ok {
		return nil, err
	}
	m, _, err := o.identified(ctx, n.Anchor)
	return m, err
}

// recallThread looks up the thread of a parked message, which is taken in where
// the record cannot be asked.
func (o *Office) recallThread(ctx context.Context, in Inbound) error {
	if in.Thread == "" {
		return nil
	}
	t, err := o.thread(ctx, in.Portal, in.Thread)
	if err == nil && t.root != nil {
		o.state.natives.add(in.Portal, in.Thread, t)
	}
	if err != nil || in.Answers == "" {
		return err
	}
	m, err := o.answered(ctx, in)
	if m != nil {
		o.state.natives.add(in.Portal, in.Answers, thread{root: m, speaker: m.Author})
	}
	return err
}

// applyEarly carries out a change that came before its message.
func (o *Office) applyEarly(ctx context.Context, in Inbound) error {
	revs, err := o.store.Revisions(ctx, in.Portal, in.Native)
	if err != nil {
		return err
	}
	if r, ok := early(revs, o.now()); ok {
		_, err = o.Revise(ctx, r)
	}
	return err
}

// Revise takes in an edit or a deletion of a person's message. It wakes nobody.
// changed is false if nothing that anybody can see changed, or if the message
// is not here yet, in which case the change is kept for it for a day.
func (o *Office) Revise(ctx context.Context, rev Revision) (changed bool, err error) {
	rev.Early = false
	for {
		r := revise{Revision: rev}
		n, ok, err := o.store.Native(ctx, rev.Portal, rev.Native)
		if err != nil {
			return false, err
		}
		if ok && !n.Alias {
			if r.old, err = o.Message(ctx, n.Anchor); err != nil {
				return false, err
			}
		}
		out, err := o.do(ctx, r)
		if errors.Is(err, errLookAgain) {
			continue
		}
		if err != nil {
			return false, err
		}
		return out.(bool), nil
	}
}

// Filling says that a portal's gap is being filled: what comes meanwhile is
// parked until it is said to be over.
func (o *Office) Filling(ctx context.Context, portal PortalID, on bool) error {
	_, err := o.do(ctx, fill{portal, on})
	return err
}

// Link makes a portal or changes its settings. What it remembers is kept.
func (o *Office) Link(ctx context.Context, p Portal) error {
	_, err := o.do(ctx, link{p})
	return err
}

// Move remembers that a portal's place has another id on its platform now; what
// points to the portal goes on pointing to it.
func (o *Office) Move(ctx context.Context, id PortalID, now string) error {
	_, err := o.do(ctx, move{id, now})
	return err
}

// Unlink ends a pairing; was is false if there was none.
func (o *Office) Unlink(ctx context.Context, id PortalID) (was bool, err error) {
	out, err := o.do(ctx, unlink{id})
	if err != nil {
		return false, err
	}
	return out.(bool), nil
}

// Portals lists the portals of a platform.
func (o *Office) Portals(ctx context.Context, platform string) ([]Portal, error) {
	return look(ctx, o, func(s *State) (out []Portal) {
		for _, id := range keys(s.Portals) {
			if p := s.Portals[id]; p.Platform == platform && !p.Unlinked {
				out = append(out, *p)
			}
		}
		return out
	})
}

// Waits says of the places of a platform until when they are left alone, because of
// what became of the last attempt to show something there.
func (o *Office) Waits(ctx context.Context, platform string) (map[string]time.Time, error) {
	return look(ctx, o, func(s *State) map[string]time.Time {
		out := map[string]time.Time{}
		for id, lane := range s.lanes {
			p := s.Portals[id]
			if p != nil && p.Platform == platform && len(lane) > 0 && lane[0].State == SendOwed && lane[0].NotBefore.After(o.now()) {
				out[p.Place] = lane[0].NotBefore
			}
		}
		return out
	})
}

// Portal finds a portal by its id.
func (o *Office) Portal(ctx context.Context, id PortalID) (p Portal, ok bool, err error) {
	found, err := look(ctx, o, func(s *State) *Portal { return s.Portals[id] })
	if found == nil || found.Unlinked {
		return Portal{}, false, err
	}
	return *found, true, nil // apply replaces records and never alters them
}

// Natives lists what the platforms call a message.
func (o *Office) Natives(ctx context.Context, a Anchor) ([]Native, error) {
	if all, ok := o.placed.find(a); ok {
		return all, nil
	}
	return o.store.Natives(ctx, a)
}

// Native finds the message that a platform calls id.
func (o *Office) Native(ctx context.Context, portal PortalID, id string) (Native, bool, error) {
	return o.store.Native(ctx, portal, id)
}
