package office

import (
	"cmp"
	"fmt"
	"slices"

	"bullpen/office/wake"
)

// Post is what a person says in a channel, or directly to one colleague.
type Post struct {
	// Event identifies the platform's event, so that one delivered again is
	// taken in once; empty where the platform has no identity to give.
	Event  string
	Person PersonID
	// Channel is where it is said. For a direct message it is empty and To
	// names the colleague.
	Channel ChannelID
	To      ColleagueID
	// Root is the thread, ReplyTo the message of the channel it answers.
	Root, ReplyTo int64
	// Text is stored as it is, up to MaxPersonText bytes.
	Text  string
	Spans []wake.Span // native mentions in Text
}

// postRequest takes in what a person says: it is stored, its wakes are read from the
// text and decided, and the receipt says what became of each. The same event
// again gives the first receipt and changes nothing.
type postRequest struct{ Post }

func (p postRequest) decide(d *decision) (any, error) {
	if r, ok := d.s.recent.find(p.Event); ok {
		r.Again = true
		return r, nil
	}
	who := d.s.People[p.Person]
	if who == nil {
		return nil, fmt.Errorf("nobody called %q is known to this office; add them under people in office.yaml", p.Person)
	}
	if len(p.Text) > MaxPersonText {
		return nil, fmt.Errorf("the message is %d bytes long and the office takes %d; send it as a file", len(p.Text), MaxPersonText)
	}
	if p.To != "" {
		to := d.s.Colleagues[p.To]
		if !d.s.mayTalk(p.Person, to) {
			return nil, fmt.Errorf("no colleague %q is on the roster; there are %s", p.To, d.s.colleagueNames())
		}
		m := d.direct1(who, to, incoming{text: p.Text, root: p.Root, replyTo: p.ReplyTo})
		d.identify(m, incoming{event: p.Event})
		return receiptOf(m), nil
	}
	ch := d.s.Channels[p.Channel]
	if ch == nil || !ch.open() {
		return nil, fmt.Errorf("there is no channel %q to write to; there are %s", p.Channel, d.s.channelNames())
	}
	return receiptOf(d.takeIn(incoming{who: who, ch: ch, text: p.Text, spans: p.Spans, root: p.Root, replyTo: p.ReplyTo, answers: p.replied(), event: p.Event})), nil
}

// replied is the message that it replies to natively, zero if none.
func (p Post) replied() Anchor {
	if p.ReplyTo == 0 {
		return Anchor{}
	}
	return Anchor{Channel: p.Channel, Seq: p.ReplyTo}
}

// incoming is a person's message on its way into the record.
type incoming struct {
	who           *Person
	ch            *Channel
	text          string
	spans         []wake.Span
	files         []File
	more          []string // further natives
	root, replyTo int64
	answers       Anchor   // the message that it natively replies to
	event         string   // its identity, to be taken in once
	via           PortalID // the portal through which it came, and
	native        string   // what the platform calls it,
	thread        string   // and its thread
	note          string   // why it wakes nobody
	// own makes a top-level message the root of its own conversation.
	own bool
	// begins says that the thread's first message is not in the record: for us
	// the thread begins with this one.
	begins bool
	// implicit is addressed if the text addresses nobody.
	implicit ColleagueID
}

// takeIn stores what a person said in a channel and decides its wakes.
func (d *decision) takeIn(in incoming) *Message {
	m := &Message{
		Channel: in.ch.ID, Root: in.root, ReplyTo: in.replyTo, Text: in.text, Files: in.files, Via: in.via,
		Author: Author{Kind: ByPerson, ID: string(in.who.ID), Name: in.who.Name},
	}
	w, note := d.addressed(in)
	m.Wake, m.Note = w, note
	d.store(m)
	d.copyToMailboxes(m, in.notifies)
	conv := Conversation{Channel: in.ch.ID, Root: m.Root}
	if in.own && m.Root == 0 {
		conv.Root = m.Seq
	}
	for _, to := range d.audience(m.Wake, in.ch, "") {
		if w.Kind == wake.Names && d.takeAnswer(m, in.who, conv, in.answers, to) {
			continue
		}
		d.deliver(m, to, errand{conv: conv, fromPerson: true, turnEnd: true, ask: w.Kind == wake.Names})
	}
	d.identify(m, in)
	return m
}

// notifies says whether the platform on which it was said tells a person of it
// itself, by a native mention: then the mailbox has no use for a copy.
func (in incoming) notifies(id string) bool {
	return in.via != "" && slices.ContainsFunc(in.spans, func(s wake.Span) bool { return s.Kind == wake.SpanPerson && s.ID == id })
}

// addressed reads whom a person's message in a channel wakes, or why, although it
// tries to, it wakes nobody.
func (d *decision) addressed(in incoming) (w wake.Wake, note string) {
	w, err := wake.Read(in.text, in.spans, d.names())
	switch {
	case err != nil:
		// Its writer is told, privately, what to write instead; what was said stays.
		note = err.Error()
	case w.Empty() && in.implicit != "" && d.s.onRoster(in.implicit):
		w = wake.Wake{Kind: wake.Names, Names: []string{string(in.implicit)}}
	case w.Empty() && len(in.ch.DefaultWake) > 0:
		// Checked when the configuration was loaded; a name dismissed since
		// wakes nobody.
		w, _ = wake.ParseList(in.ch.DefaultWake, d.names())
	}
	return w, note
}

// direct1 is a person talking to one colleague: no address is needed.
func (d *decision) direct1(who *Person, to *Colleague, in incoming) *Message {
	ch := d.direct(DirectWithPerson(to.ID, who.ID), who.Name+" ↔ "+to.Name, who.ID, to.ID)
	m := &Message{
		Channel: ch, Root: in.root, ReplyTo: in.replyTo, Text: in.text, Files: in.files, Via: in.via, Note: in.note,
		Author: Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name},
		Wake:   wake.Wake{Kind: wake.Names, Names: []string{string(to.ID)}},
	}
	if in.note != "" {
		m.Wake = wake.Wake{Kind: wake.Nobody}
	}
	d.store(m)
	if in.note == "" && !d.takeAnswer(m, who, Conversation{Channel: ch}, in.answers, to) {
		e := errand{conv: Conversation{Channel: ch}, fromPerson: true, turnEnd: true, ask: true}
		e.person = contextFor(who, to)
		d.deliver(m, to, e)
	}
	return m
}

// identify records under what identity a message was taken in, so that the same
// event again gives the same receipt.
func (d *decision) identify(m *Message, in incoming) {
	if in.native != "" {
		d.put(PutNative{Native{Portal: in.via, ID: in.native, Anchor: m.Anchor(), Thread: in.thread}})
		if in.begins {
			d.put(PutNative{Native{Portal: in.via, ID: in.thread, Anchor: m.Anchor(), Thread: in.thread, Alias: true}})
			d.rememberNative(in.via, in.thread, thread{root: m, speaker: m.Author})
		}
		d.rememberNative(in.via, in.native, thread{root: m, speaker: m.Author})
		d.s.natives.spoke(in.via, in.thread, m.Author)
		for i, id := range in.more {
			d.put(PutNative{Native{Portal: in.via, ID: id, Anchor: m.Anchor(), Thread: in.thread, Part: i + 1}})
			d.rememberNative(in.via, id, thread{root: m, speaker: m.Author})
		}
		d.heard(in.via, in.native, in.thread)
		d.s.natives.stands(in.via, Anchor{Channel: m.Channel, Seq: m.thread()}, cmp.Or(in.thread, in.native))
	} else if in.event != "" {
		d.put(PutSeen{Event: in.event, Anchor: m.Anchor(), At: d.now})
	}
	d.remember(in.event, receiptOf(m))
}

// direct makes sure that a direct channel exists.
func (d *decision) direct(id ChannelID, name string, person PersonID, members ...ColleagueID) ChannelID {
	if d.s.Channels[id] == nil {
		d.put(PutChannel{Channel{ID: id, Kind: DirectChannel, Name: name, Person: person, Members: members}})
	}
	return id
}

// copyToMailboxes files a copy for each person whom the message addresses, but
// for those who are notified of it otherwise (nil: nobody is).
func (d *decision) copyToMailboxes(m *Message, notified func(id string) bool) {
	for _, id := range m.Wake.People {
		p := d.s.People[PersonID(id)]
		if p == nil || notified != nil && notified(id) {
			continue
		}
		d.mail(p, &Message{Author: m.Author, Text: m.Text, Wake: m.Wake, Origin: m.Anchor()})
		m.Deliveries = append(m.Deliveries, Delivery{To: id, Name: p.Name, Outcome: InMailbox})
	}
}

// mail puts a message into a person's mailbox.
func (d *decision) mail(p *Person, m *Message) {
	m.Channel = MailboxOf(p.ID)
	d.store(m)
}

// audience are the colleagues that a wake reaches when posted in ch.
func (d *decision) audience(w wake.Wake, ch *Channel, writer ColleagueID) []*Colleague {
	ids := wake.Audience(w, string(ch.ID), string(writer), d.s.rungs(), func(id string) []string {
		var members []string
		if c := d.s.Channels[ChannelID(id)]; c != nil {
			for _, m := range d.s.members(c) {
				members = append(members, string(m))
			}
		}
		return members
	})
	out := make([]*Colleague, 0, len(ids))
	for _, id := range ids {
		out = append(out, d.s.Colleagues[ColleagueID(id)])
	}
	return out
}
