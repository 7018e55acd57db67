package office

// amend owes it to every portal on which a message may stand, but the one that
// changed it, to show it as the record has it now; note is a line below it, such as
// who decided a question. The bridge finds out where it stands.
func (d *decision) amend(a Anchor, via PortalID, note string) {
	ch := d.s.Channels[a.Channel]
	if ch == nil {
		return
	}
	for _, id := range keys(d.s.Portals) {
		p := d.s.Portals[id]
		here := p.Kind == ChannelPortal && p.Channel == ch.ID || p.Kind == DMPortal && ch.Person != "" && p.Person == ch.Person
		if !here || p.ID == via || p.Closed != "" || p.Unlinked || d.amends(p.ID, a, note) {
			continue
		}
		d.put(PutSend{Send{ID: d.next(&d.s.Meta.Send), Portal: p.ID, Message: a, At: d.now, State: SendOwed, Change: true, Note: note}})
	}
}

// amends says whether a change of the message waits in the lane already, which
// will show what the record has by then; it takes the note along.
func (d *decision) amends(id PortalID, a Anchor, note string) bool {
	for _, x := range d.s.lanes[id] {
		if !x.Change || x.Stream != nil || x.Message != a || x.State != SendOwed {
			continue
		}
		if note != "" && note != x.Note {
			next := *x
			next.Note = note
			d.put(PutSend{next})
		}
		return true
	}
	return false
}

// showQuestion remembers that a message offers a question's answers.
func (d *decision) showQuestion(m *Message) {
	q := d.s.Questions[m.Question]
	if q == nil {
		return
	}
	next := *q
	next.Shown = append(append([]Anchor(nil), q.Shown...), m.Anchor())
	d.put(PutQuestion{next})
}

// closeQuestion ends a question, and has every message that offers its answers say
// what became of it.
func (d *decision) closeQuestion(q *Question, said string) {
	if d.s.Questions[q.ID] != nil {
		d.put(DeleteQuestion{ID: q.ID})
	}
	for _, a := range q.Shown {
		d.amend(a, "", said)
	}
	if q.Message != (Anchor{}) {
		d.amend(q.Message, "", said)
	}
}
