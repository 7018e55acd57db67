package office

import (
	"context"
	"fmt"
)

// LinkPlace pairs a place on a platform with a channel, in office.yaml and in the
// record. What was said in the place before is not read in.
func (o *Office) LinkPlace(ctx context.Context, p Portal, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, LinkCall{p}))
}

// UnlinkPlace ends a pairing, in office.yaml and in the record. What was still to
// be shown in the place is dropped; how much that was stands in the audit log.
func (o *Office) UnlinkPlace(ctx context.Context, id PortalID, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, &UnlinkCall{ID: id}))
}

// LinkCall pairs a place with a channel.
type LinkCall struct {
	// Portal is a ChannelPortal, with the mark from which on its history counts.
	Portal Portal
}

func (p LinkCall) what() string {
	return oneLine(fmt.Sprintf("link #%s with %s", p.Portal.Channel, p.Portal.ID), noteLimit)
}

func (p LinkCall) plan(d *decision, _ actor) (plan, error) {
	ch := d.s.channelNamed(string(p.Portal.Channel))
	if ch == nil {
		return plan{}, d.s.noChannel(string(p.Portal.Channel))
	}
	for _, id := range keys(d.s.Portals) {
		old := d.s.Portals[id]
		switch {
		case old.Unlinked || old.Kind != ChannelPortal:
		case old.ID == p.Portal.ID && old.Channel == ch.ID:
			return plan{done: fmt.Sprintf("#%s is shown here already.", ch.Name)}, nil
		case old.ID == p.Portal.ID:
			return plan{}, fmt.Errorf("this place shows #%s; unlink it first", old.Channel)
		case old.Platform == p.Portal.Platform && old.Channel == ch.ID:
			return plan{}, fmt.Errorf("#%s is shown in another place on %s, %s; unlink that first", ch.Name, old.Platform, old.Place)
		}
	}
	return plan{edits: []Edit{SetPortal{p.Portal.Platform, ch.Name, p.Portal.Place}}}, nil
}

func (p LinkCall) carry(d *decision, _ string) any {
	if _, err := link(p).decide(d); err != nil {
		return fmt.Sprintf("It is written down, and cannot be shown now: %v.", err)
	}
	return fmt.Sprintf("#%s is shown here from now on; what was said here before is not read in.", p.Portal.Channel)
}

// UnlinkCall ends a pairing.
type UnlinkCall struct {
	ID PortalID

	channel ChannelID
}

func (p *UnlinkCall) what() string { return oneLine("unlink "+string(p.ID), noteLimit) }

func (p *UnlinkCall) plan(d *decision, _ actor) (plan, error) {
	old := d.s.Portals[p.ID]
	if old == nil || old.Unlinked || old.Kind != ChannelPortal {
		return plan{done: "No channel of the office is shown in this place."}, nil
	}
	p.channel = old.Channel
	return plan{edits: []Edit{SetPortal{Platform: old.Platform, Channel: string(old.Channel)}}}, nil
}

func (p *UnlinkCall) carry(d *decision, by string) any {
	said := fmt.Sprintf("#%s is no longer shown there.", p.channel)
	old := d.s.Portals[p.ID]
	if old == nil || old.Unlinked {
		return said
	}
	if n := len(d.s.lanes[p.ID]) + len(d.s.parked[p.ID]); n > 0 {
		dropped := fmt.Sprintf("%d that waited for the place are dropped", n)
		d.audit(Audit{By: by, What: p.what(), Outcome: dropped})
		said += " Of messages " + dropped + "."
	}
	d.unlink(old)
	return said
}

// Pending counts what waits for a portal: messages that are still to be shown there,
// and those of people there that are still to be taken in.
func (o *Office) Pending(ctx context.Context, id PortalID) (owed, parked int, err error) {
	n, err := look(ctx, o, func(s *State) [2]int { return [2]int{len(s.lanes[id]), len(s.parked[id])} })
	return n[0], n[1], err
}
