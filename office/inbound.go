package office

import (
	"fmt"
	"slices"

	"bullpen/office/wake"
)

// Inbound is what a person said in a place that a portal stands for.
type Inbound struct {
	Portal PortalID `json:"portal"`
	Person PersonID `json:"person"`
	// Native is what the platform calls the message: its identity for ever.
	Native string `json:"native"`
	// Thread is the platform's id of the thread's first message; empty at top level.
	Thread string `json:"thread,omitempty"`
	// Reply says that Thread is the very message that it answers natively. Where a
	// message of a thread answers another one of it, Answers is that one's id.
	Reply   bool   `json:"reply,omitempty"`
	Answers string `json:"answers,omitempty"`

	Text  string      `json:"text"`
	Spans []wake.Span `json:"spans,omitempty"`
	Files []File      `json:"files,omitempty"`
	// More are further names of the same message: an album is several on its platform.
	More []string `json:"more,omitempty"`
	// Of is a name, its Native or one of More, of a message that this one belongs to
	// as its late part: it goes where that went, wakes nobody anew, and is no question
	// of its own. Where no other has that name the message stands for itself.
	Of string `json:"of,omitempty"`
}

// event is the identity under which the message was taken in.
func (in Inbound) event() string { return string(in.Portal) + "\x00" + in.Native }

// Parked is an event that must wait: for the filling of a gap, or for the
// platform's id of something that was sent. What follows it in its portal
// waits behind it.
type Parked struct {
	ID int64   `json:"id"`
	In Inbound `json:"in"`
	// History says that it was read back after a gap.
	History bool `json:"history,omitempty"`
	// Change is the newest edit or deletion that arrived while it waits.
	Change *Revision `json:"change,omitempty"`
}

// thread is what the record knows of the thread that a message came in.
type thread struct {
	root    *Message // its first message, nil if it is not in the record
	speaker Author   // the last to speak in it, the office left out
}

// inbound takes a person's message in through a portal. A caller that looked
// into the record passes what it found.
type inbound struct {
	Inbound
	thread   thread
	answered *Message // see Inbound.Answers; nil: it is not in the record
	of       *Message // see Inbound.Of; nil: it is not in the record
}

func (r inbound) decide(d *decision) (any, error) {
	if rec, ok := d.s.recent.find(r.event()); ok {
		rec.Again = true
		return rec, nil
	}
	p := d.s.Portals[r.Portal]
	if p == nil || p.Unlinked {
		return nil, fmt.Errorf("%s is linked to nothing in this office", r.Portal)
	}
	if d.s.People[r.Person] == nil {
		return nil, fmt.Errorf("nobody called %q is known to this office", r.Person)
	}
	if len(r.Text) > MaxPersonText {
		return nil, fmt.Errorf("the message is %d bytes long and the office takes %d; send it as a file", len(r.Text), MaxPersonText)
	}
	if r.of == nil && r.Of != "" {
		if rec, ok, err := d.joinParked(r.Inbound); ok || err != nil {
			return rec, err
		}
	}
	r.thread, r.answered = d.threadOf(r), d.answeredBy(r)
	if r.of == nil && d.mustPark(p, r) {
		return d.park(p, r)
	}
	return d.takeInbound(p, r), nil
}

// threadOf is what is known of a message's thread: what its caller found in the
// record, or what was committed since it looked.
func (d *decision) threadOf(r inbound) thread {
	if r.Thread == "" || r.thread.root != nil {
		return r.thread
	}
	t, _ := d.s.natives.find(r.Portal, r.Thread)
	return t
}

// answeredBy is the message that one of a thread answers natively, as far as it is
// known: nil otherwise.
func (d *decision) answeredBy(r inbound) *Message {
	if r.Answers == "" || r.answered != nil {
		return r.answered
	}
	t, _ := d.s.natives.find(r.Portal, r.Answers)
	return t.root
}

// mustPark says whether a message has to wait: others of its portal do, the
// portal's gap is being filled, or its thread may begin with something whose
// platform id is not yet recorded.
func (d *decision) mustPark(p *Portal, r inbound) bool {
	return len(d.s.parked[p.ID]) > 0 || d.s.filling[p.ID] ||
		r.Thread != "" && r.thread.root == nil && d.s.unsettled(p.ID)
}

func (d *decision) park(p *Portal, r inbound) (any, error) {
	waiting := d.s.parked[p.ID]
	if slices.ContainsFunc(waiting, func(x *Parked) bool { return x.In.is(r.Native) }) {
		return Receipt{Parked: true, Again: true}, nil
	}
	if len(waiting) >= d.s.Limits.Parked {
		return nil, fmt.Errorf("%d events of %s wait already; the platform will deliver this one again", len(waiting), p.ID)
	}
	d.put(PutParked{Parked{ID: d.next(&d.s.Meta.Parked), In: r.Inbound}})
	if r.thread.root != nil {
		d.rememberNative(p.ID, r.Thread, r.thread) // for when it is taken in
	}
	if r.answered != nil {
		d.rememberNative(p.ID, r.Answers, thread{root: r.answered, speaker: r.answered.Author})
	}
	return Receipt{Parked: true}, nil
}

// unpark takes in what no longer has to wait, in order.
func (d *decision) unpark(id PortalID) {
	for !d.s.filling[id] && len(d.s.parked[id]) > 0 {
		x := d.s.parked[id][0]
		r := inbound{Inbound: x.In}
		if x.In.Thread != "" {
			root, known := d.s.natives.find(id, x.In.Thread)
			switch {
			case known:
				r.thread = root
			case d.s.unsettled(id):
				return
			}
			r.answered = d.answeredBy(r)
		}
		d.put(DeleteParked{ID: x.ID})
		p, who := d.s.Portals[id], d.s.People[x.In.Person]
		if _, again := d.s.recent.find(r.event()); again || p == nil || who == nil {
			continue
		}
		rec := d.takeInbound(p, r)
		if x.Change != nil {
			d.reviseTaken(rec.Anchor, *x.Change)
		}
	}
}

// reviseTaken changes a message that this batch has taken in.
func (d *decision) reviseTaken(a Anchor, rev Revision) {
	for _, m := range d.posted {
		if m.Anchor() == a {
			rev.Early = false
			d.revise(m, rev)
			return
		}
	}
}

// fill marks a portal as one whose gap is being filled, or is no longer.
type fill struct {
	Portal PortalID
	On     bool
}

func (r fill) decide(d *decision) (any, error) {
	if r.On {
		d.s.filling[r.Portal] = true
		return nil, nil
	}
	delete(d.s.filling, r.Portal)
	d.unpark(r.Portal)
	return nil, nil
}

// filled is a message read from a portal's history: it goes in before what is
// parked.
type filled struct{ inbound }

func (r filled) decide(d *decision) (any, error) {
	if rec, ok := d.s.recent.find(r.event()); ok {
		rec.Again = true
		return rec, nil
	}
	p := d.s.Portals[r.Portal]
	if p == nil || d.s.People[r.Person] == nil {
		return nil, fmt.Errorf("%s is linked to nothing in this office, or %q is unknown", r.Portal, r.Person)
	}
	r.thread, r.answered = d.threadOf(r.inbound), d.answeredBy(r.inbound)
	for _, x := range slices.Clone(d.s.parked[p.ID]) {
		if x.In.Native == r.Native {
			if x.History {
				return Receipt{Parked: true, Again: true}, nil
			}
			d.put(DeleteParked{ID: x.ID}) // it came by both ways
		}
	}
	// One that answers what has no platform id yet waits for it, and what follows
	// it in the history waits behind it.
	behind := slices.ContainsFunc(d.s.parked[p.ID], func(x *Parked) bool { return x.History })
	if behind || r.Thread != "" && r.thread.root == nil && d.s.unsettled(p.ID) {
		d.put(PutParked{Parked{ID: d.next(&d.s.Meta.Parked), In: r.Inbound, History: true}})
		return Receipt{Parked: true}, nil
	}
	return d.takeInbound(p, r.inbound), nil
}

func (d *decision) takeInbound(p *Portal, r inbound) Receipt {
	r.Files = d.takeFiles(p.ID, r.Files)
	if r.of != nil {
		return d.takeRest(p, r)
	}
	if p.Kind == DMPortal {
		return d.takeDM(p, r)
	}
	in := incoming{
		who: d.s.People[r.Person], ch: d.s.Channels[p.Channel], text: r.Text, spans: r.Spans, files: r.Files, more: r.More,
		event: r.event(), via: p.ID, native: r.Native, thread: r.Thread, own: p.ReplyInThread,
	}
	if root := r.thread.root; root != nil {
		in.answers = root.Anchor()
	}
	if root := r.thread.root; root != nil && root.Channel == p.Channel {
		in.root = root.thread()
		speaker := r.thread.speaker
		if r.Reply && root.Author.Kind == ByColleague {
			speaker = root.Author // whoever has spoken there since
		}
		if to := r.answered; to != nil && to.Author.Kind == ByColleague && to.Channel == root.Channel && to.thread() == root.thread() {
			speaker = to.Author
		}
		if speaker.Kind == ByColleague && !p.Strict {
			in.implicit = ColleagueID(speaker.ID)
		}
	} else if r.Thread != "" {
		in.own = true // the thread begins, for us, with this message
		in.begins = root == nil
	}
	return receiptOf(d.takeIn(in))
}

// takeDM is the switchboard: a person's talk with the office's bot reaches the
// colleague whom it names, whom it answers, or whom it last talked to.
func (d *decision) takeDM(p *Portal, r inbound) Receipt {
	who := d.s.People[r.Person]
	w, err := wake.Read(r.Text, r.Spans, d.names())
	var to []ColleagueID
	var room *Channel
	note := ""
	switch {
	case err != nil:
		note = err.Error()
	case w.Kind == wake.Level || w.Kind == wake.Channel:
		room = d.wantsRoom(w)
		note = fmt.Sprintf("%s calls a whole room, and this is a direct talk; write it in the channel, or name one colleague here", w.Address(d.names()))
	default:
		for _, id := range w.Names {
			to = append(to, ColleagueID(id))
		}
	}
	if len(to) == 1 && p.Partner != to[0] && r.thread.root == nil {
		next := *d.s.Portals[p.ID]
		next.Partner = to[0]
		d.put(PutPortal{next})
	}
	if len(to) == 0 {
		partner := d.partner(p, r.thread.root)
		if partner == "" {
			return Receipt{Note: "this office has no colleague to talk to"}
		}
		to = []ColleagueID{partner}
	}
	var rec Receipt
	var answers Anchor
	if r.thread.root != nil {
		answers = r.thread.root.Anchor()
	}
	for i, id := range to {
		m := d.direct1(who, d.s.Colleagues[id], incoming{text: r.Text, files: r.Files, via: p.ID, note: note, answers: answers})
		if i == 0 {
			d.identify(m, incoming{
				event: r.event(), via: p.ID, native: r.Native, more: r.More, thread: r.Thread, begins: r.Thread != "" && r.thread.root == nil,
			})
			rec = receiptOf(m)
			if room != nil && !LongText(m, d.s.Limits.Message) {
				rec.Note = "" // the question says it
				d.askPlace(who, room, m, Placed{Text: r.Text, Spans: r.Spans, Files: r.Files})
			}
			continue
		}
		rec.Deliveries = append(rec.Deliveries, m.Deliveries...)
	}
	d.remember(r.event(), rec)
	return rec
}

// takeRest takes in the late part of a message: whom that woke gets it beside
// what they do, or with what they do next.
func (d *decision) takeRest(p *Portal, r inbound) Receipt {
	who, of := d.s.People[r.Person], r.of
	if w, err := wake.Read(r.Text, r.Spans, d.names()); err == nil && !w.Empty() && !wokeAnybody(of) {
		// The address is in the late part: it calls for all of it.
		r.of, r.Files = nil, append(slices.Clone(of.Files), r.Files...)
		r.More = slices.DeleteFunc(slices.Clone(r.More), func(id string) bool { return id == r.Of })
		return d.takeInbound(p, r)
	}
	m := &Message{
		Channel: of.Channel, Root: of.Root, ReplyTo: of.Seq, Text: r.Text, Files: r.Files, Via: p.ID,
		Author: Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name}, Wake: wake.Wake{Kind: wake.Nobody},
	}
	d.store(m)
	e := errand{conv: Conversation{Channel: m.Channel, Root: m.Root}, fromPerson: true, quiet: true}
	if d.s.Channels[m.Channel].Kind == DirectChannel && !who.Owner {
		e.person = who.ID
	}
	if p.ReplyInThread && m.Root == 0 {
		e.conv.Root = of.Seq
	}
	for _, x := range of.Deliveries {
		if c := d.s.Colleagues[ColleagueID(x.To)]; c != nil && !c.Gone && x.Outcome != InMailbox {
			d.deliver(m, c, e)
		}
	}
	names := slices.DeleteFunc(slices.Clone(r.More), func(id string) bool { return id == r.Of }) // which is the whole's
	d.identify(m, incoming{event: r.event(), via: p.ID, native: r.Native, more: names, thread: r.Thread})
	return receiptOf(m)
}

func wokeAnybody(m *Message) bool {
	return slices.ContainsFunc(m.Deliveries, func(x Delivery) bool { return x.Outcome != InMailbox })
}

// partner is who a direct talk without a name is with: the colleague of the
// message that it answers, whom it last talked to, or the front desk.
func (d *decision) partner(p *Portal, root *Message) ColleagueID {
	here := func(id ColleagueID) bool { return d.s.mayTalk(p.Person, d.s.Colleagues[id]) }
	if root != nil {
		if id := ColleagueID(root.Author.ID); root.Author.Kind == ByColleague && here(id) {
			return id
		}
		if ch := d.s.Channels[root.Channel]; ch != nil && ch.Kind == DirectChannel && here(ch.Members[0]) {
			return ch.Members[0]
		}
	}
	if here(p.Partner) {
		return p.Partner
	}
	if c := d.s.colleagueNamed(d.s.Setup.FrontDesk); c != nil {
		return c.ID
	}
	for _, id := range d.s.roster {
		if d.s.Colleagues[id].Role == Leader {
			return id
		}
	}
	if len(d.s.roster) > 0 {
		return d.s.roster[0]
	}
	return ""
}
