package office

import (
	"fmt"

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
type postRequest struct {
	Post
	epoch int64 // of the state when the record was asked for the event
}

func (p postRequest) decide(d *decision) (any, error) {
	if p.epoch != d.s.epoch {
		return nil, errLookAgain
	}
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
		return d.postDirect(p.Post, who)
	}
	ch := d.s.Channels[p.Channel]
	if ch == nil || ch.Kind == MailboxChannel {
		return nil, fmt.Errorf("there is no channel %q to write to; there are %s", p.Channel, d.s.channelNames())
	}
	m := &Message{
		Channel: ch.ID, Root: p.Root, ReplyTo: p.ReplyTo, Text: p.Text,
		Author: Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name},
	}
	w, err := wake.Read(p.Text, p.Spans, d.names())
	if err != nil {
		// Its writer is told, privately, what to write instead; what was said stays.
		m.Note = err.Error()
	} else if w.Empty() && len(ch.DefaultWake) > 0 {
		// Checked when the configuration was loaded; a name dismissed since
		// wakes nobody.
		w, _ = wake.ParseList(ch.DefaultWake, d.names())
	}
	m.Wake = w
	d.store(m)
	d.seen(p.Event, m)
	d.copyToMailboxes(m)
	for _, to := range d.audience(m.Wake, ch, "") {
		d.deliver(m, to, errand{
			conv: Conversation{Channel: ch.ID, Root: m.Root}, fromPerson: true, turnEnd: true,
			ask: w.Kind == wake.Names,
		})
	}
	return d.receipt(p.Event, m), nil
}

// postDirect is a person talking to one colleague: no address is needed, and
// none in the text is read.
func (d *decision) postDirect(p Post, who *Person) (any, error) {
	to := d.s.Colleagues[p.To]
	if to == nil || to.Gone {
		return nil, fmt.Errorf("no colleague %q is on the roster; there are %s", p.To, d.s.colleagueNames())
	}
	ch := d.direct(DirectWithPerson(to.ID, who.ID), who.Name+" ↔ "+to.Name, who.ID, to.ID)
	m := &Message{
		Channel: ch, Root: p.Root, ReplyTo: p.ReplyTo, Text: p.Text,
		Author: Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name},
		Wake:   wake.Wake{Kind: wake.Names, Names: []string{string(to.ID)}},
	}
	d.store(m)
	d.seen(p.Event, m)
	e := errand{conv: Conversation{Channel: ch}, fromPerson: true, turnEnd: true, ask: true}
	if !who.Owner {
		e.person = who.ID // everybody but the owner has a context of their own
	}
	d.deliver(m, to, e)
	return d.receipt(p.Event, m), nil
}

// direct makes sure that a direct channel exists.
func (d *decision) direct(id ChannelID, name string, person PersonID, members ...ColleagueID) ChannelID {
	if d.s.Channels[id] == nil {
		d.put(PutChannel{Channel{ID: id, Kind: DirectChannel, Name: name, Person: person, Members: members}})
	}
	return id
}

func (d *decision) seen(event string, m *Message) {
	if event != "" {
		d.put(PutSeen{Event: event, Anchor: m.Anchor(), At: d.now})
	}
}

func (d *decision) receipt(event string, m *Message) Receipt {
	r := receiptOf(m)
	d.s.recent.add(event, r)
	return r
}

// copyToMailboxes files a copy for each person whom the message addresses.
func (d *decision) copyToMailboxes(m *Message) {
	for _, id := range m.Wake.People {
		p := d.s.People[PersonID(id)]
		if p == nil {
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
