package office

import (
	"fmt"
	"slices"
	"time"
)

// PortalID names a portal: the platform and the place's own id there, as in
// slack:T1/C012ABC.
type PortalID string

// PortalKind says what stands on the platform's side.
type PortalKind string

// The kinds of portal.
const (
	// ChannelPortal shows one office channel in one place.
	ChannelPortal PortalKind = "channel"
	// DMPortal is a person's direct talk with the office's bot: a switchboard for
	// their direct channels and their mailbox.
	DMPortal PortalKind = "dm"
)

// Portal is the pairing of an office channel, or of a person, with a place on
// a platform.
type Portal struct {
	ID       PortalID   `json:"id"`
	Platform string     `json:"platform"`
	Place    string     `json:"place"` // the platform's own id
	Kind     PortalKind `json:"kind"`
	Channel  ChannelID  `json:"channel,omitempty"` // of a ChannelPortal
	Person   PersonID   `json:"person,omitempty"`  // of a DMPortal
	// ReplyInThread makes every top-level message of a person the root of its own
	// conversation, answered in its thread.
	ReplyInThread bool `json:"replyInThread,omitempty"`
	// Strict threads address nobody by themselves.
	Strict bool `json:"strict,omitempty"`
	// Partner is whom a DM talks to until another is named.
	Partner ColleagueID `json:"partner,omitempty"`
	// Mark is how far the platform's history has been taken in, in the platform's
	// own terms.
	Mark string `json:"mark,omitempty"`
	// Threads are the threads lately active, for the filling of gaps: the
	// platform's id and when. Bounded by maxThreads.
	Threads []ThreadMark `json:"threads,omitempty"`
	// Unlinked portals are kept for what stands there, and otherwise count for nothing.
	Unlinked bool `json:"unlinked,omitempty"`
	// Now is where the place is now, in the platform's own id, if that has changed
	// since it was linked.
	Now string `json:"now,omitempty"`
	// Closed says why nothing can be sent there: archived, no permission.
	Closed string `json:"closed,omitempty"`
}

// ThreadMark remembers a thread that was lately active.
type ThreadMark struct {
	Thread string    `json:"thread"`
	Mark   string    `json:"mark"`
	At     time.Time `json:"at"`
}

const (
	// maxThreads bounds how many threads a portal remembers for gap filling.
	maxThreads = 200
	// threadLife is how long a thread counts as active.
	threadLife = 7 * 24 * time.Hour
)

// Native is a message's place on a platform: what the platform calls it there.
type Native struct {
	Portal PortalID `json:"portal"`
	ID     string   `json:"id"`
	Anchor Anchor   `json:"anchor"`
	// Thread is the platform's id of the thread it stands in, empty at top level.
	Thread string `json:"thread,omitempty"`
	// Alias says that ID names the thread alone: its first message is not in the
	// record, and Anchor is where the thread begins for us.
	Alias bool `json:"alias,omitempty"`
	// Part counts the parts of a message that was split, from 0.
	Part int `json:"part,omitempty"`
}

// link makes or changes a portal.
type link struct{ Portal Portal }

func (r link) decide(d *decision) (any, error) {
	p := r.Portal
	switch p.Kind {
	case ChannelPortal:
		if ch := d.s.Channels[p.Channel]; ch == nil || !ch.open() {
			return nil, fmt.Errorf("%s cannot show channel %q; there are %s", p.ID, p.Channel, d.s.channelNames())
		}
	case DMPortal:
		if d.s.People[p.Person] == nil {
			return nil, fmt.Errorf("%s cannot belong to %q: nobody of that name is known", p.ID, p.Person)
		}
	}
	switch old := d.s.Portals[p.ID]; {
	case old == nil:
	case old.Unlinked: // what was said there meanwhile is nobody's business
		p.Now = old.Now
	default:
		p.Partner, p.Mark, p.Threads, p.Now = old.Partner, old.Mark, old.Threads, old.Now
	}
	if old := d.s.Portals[p.ID]; old == nil || !samePortal(old, &p) {
		d.put(PutPortal{p})
	}
	return p, nil
}

// unlink ends the pairing of a place: nothing of it is taken in or shown any
// more, and what was owed to it is dropped.
type unlink struct{ ID PortalID }

func (r unlink) decide(d *decision) (any, error) {
	old := d.s.Portals[r.ID]
	if old == nil || old.Unlinked {
		return false, nil
	}
	d.unlink(old)
	return true, nil
}

func (d *decision) unlink(old *Portal) {
	p := *old
	p.Unlinked = true
	d.put(PutPortal{p})
	for _, s := range slices.Clone(d.s.lanes[p.ID]) {
		d.put(DeleteSend{ID: s.ID})
	}
	for _, x := range slices.Clone(d.s.parked[p.ID]) {
		d.put(DeleteParked{ID: x.ID})
	}
}

// move says where a portal's place is now.
type move struct {
	ID  PortalID
	Now string
}

func (r move) decide(d *decision) (any, error) {
	old := d.s.Portals[r.ID]
	if old == nil || old.Now == r.Now {
		return nil, nil
	}
	p := *old
	p.Now = r.Now
	d.put(PutPortal{p})
	return nil, nil
}

func samePortal(a, b *Portal) bool {
	x, y := *a, *b
	x.Threads, y.Threads = nil, nil
	return x.ID == y.ID && x.Platform == y.Platform && x.Place == y.Place && x.Kind == y.Kind && x.Channel == y.Channel &&
		x.Person == y.Person && x.ReplyInThread == y.ReplyInThread && x.Strict == y.Strict && x.Partner == y.Partner &&
		x.Mark == y.Mark && x.Closed == y.Closed && x.Now == y.Now && x.Unlinked == y.Unlinked
}

// heard moves a portal's marks to a message that was taken in there.
func (d *decision) heard(id PortalID, native, thread string) {
	p := *d.s.Portals[id]
	p.Mark = max(p.Mark, native)
	if thread != "" {
		p.Threads = d.active(p.Threads, thread, native)
	}
	d.put(PutPortal{p})
}

// showed keeps a thread active in which something of ours was shown. It moves no
// mark: what people said before it may not have been heard yet.
func (d *decision) showed(id PortalID, thread string) {
	if thread == "" {
		return
	}
	p := *d.s.Portals[id]
	p.Threads = d.active(p.Threads, thread, thread)
	d.put(PutPortal{p})
}

// active puts a thread last among the active ones and forgets the oldest.
func (d *decision) active(threads []ThreadMark, id, mark string) []ThreadMark {
	kept := make([]ThreadMark, 0, len(threads)+1)
	for _, t := range threads {
		switch {
		case t.Thread == id:
			mark = max(mark, t.Mark)
		case d.now.Sub(t.At) < threadLife:
			kept = append(kept, t)
		}
	}
	if len(kept) >= maxThreads {
		kept = kept[1:]
	}
	return append(kept, ThreadMark{Thread: id, Mark: mark, At: d.now})
}

// portalsOf are the portals on which a message of a channel is to be shown, the
// one through which it came and those closed to us left out.
func (s *State) portalsOf(m *Message) []*Portal {
	ch := s.Channels[m.Channel]
	if who := s.People[ch.Person]; ch.Kind == MailboxChannel && who != nil && m.Question == "" && who.mutes(m.Author) {
		return nil
	}
	if ch.Kind != GeneralChannel && ch.Kind != GroupChannel {
		return s.directPortal(m, ch)
	}
	var out []*Portal
	for _, id := range keys(s.Portals) {
		p := s.Portals[id]
		if p.ID != m.Via && p.Closed == "" && !p.Unlinked && p.Kind == ChannelPortal && p.Channel == ch.ID {
			out = append(out, p)
		}
	}
	return out
}

// directPortal is where a message of a direct talk or a mailbox is shown: where the
// talk goes on, or on the first reachable platform that its person prefers.
func (s *State) directPortal(m *Message, ch *Channel) []*Portal {
	if ch.Person == "" || m.by(ch.Person) {
		return nil
	}
	for _, p := range s.reach(ch.Person) {
		if p.ID != m.Via && (m.Toward == "" || m.Toward == p.ID) {
			return []*Portal{p}
		}
	}
	if m.Toward == "" {
		return nil
	}
	again := *m
	again.Toward = "" // that place is closed by now
	return s.directPortal(&again, ch)
}

// reach are the open direct talks of a person, the preferred platforms first.
func (s *State) reach(id PersonID) []*Portal {
	who := s.People[id]
	var out []*Portal
	for _, id := range keys(s.Portals) {
		if p := s.Portals[id]; p.Kind == DMPortal && who != nil && p.Person == who.ID && p.Closed == "" && !p.Unlinked {
			out = append(out, p)
		}
	}
	rank := func(p *Portal) int {
		if i := slices.Index(who.Mail, p.Platform); i >= 0 {
			return i
		}
		return len(who.Mail)
	}
	slices.SortStableFunc(out, func(a, b *Portal) int { return rank(a) - rank(b) })
	return out
}
