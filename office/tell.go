package office

import (
	"fmt"
	"reflect"
	"strings"

	"bullpen/office/wake"
)

// What a batch tells those who watch is found where its changes are put: there
// the state still says what was before. Nothing of it decides anything.

// telling is an event in the making. A message's deliveries are known only when
// the batch is complete, so that it is worded then.
type telling struct {
	Event
	message *Message
}

const (
	eventText  = 200 // of a message or a question, in characters
	eventNames = 20  // deliveries that are told one by one
)

// report notes an event, if somebody watches. Its source is the office unless it
// says otherwise.
func (d *decision) report(e Event) {
	if !d.watched {
		return
	}
	e.At = d.now
	if e.Source == "" {
		e.Source = FromOffice
	}
	d.tellings = append(d.tellings, telling{Event: e})
}

// told are the events of the batch, in order.
func (d *decision) told() []Event {
	var all []Event
	for _, t := range d.tellings {
		if t.message == nil {
			all = append(all, t.Event)
			continue
		}
		all = append(all, d.messageEvents(t)...)
	}
	return all
}

// tellOf tells of a change that is about to be made.
func (d *decision) tellOf(c Change) {
	switch c := c.(type) {
	case PutColleague:
		d.tellColleague(d.s.Colleagues[c.Colleague.ID], &c.Colleague)
	case PutMessage:
		d.tellMessage(c.Message)
	case PutItem:
		d.tellItem(d.s.Items[c.Item.ID], &c.Item)
	case DeleteItem:
		if it := d.s.Items[c.ID]; it != nil && it.Turn == 0 && it.Outcome.holds() {
			d.tellHold(it, "is held no more: it was dropped")
		}
	case PutTurn:
		d.tellTurn(d.s.Turns[c.Turn.ID], &c.Turn)
	case AppendUsage:
		u := c.Usage
		d.report(Event{
			Source: FromColleague, Kind: EventUsage, Colleague: d.s.nameOf(u.Colleague), Turn: u.Turn, Step: u.Step, Model: u.Model, Tokens: u.Total(),
			Text: strings.TrimSpace(fmt.Sprintf("%d tokens read, %d written %s", u.Input+u.CacheRead+u.CacheWrite, u.Output, u.Model)),
		})
	case PutQuestion:
		if d.s.Questions[c.Question.ID] == nil {
			d.tellQuestion(&c.Question)
		}
	case DeleteQuestion:
		if q := d.s.Questions[c.ID]; q != nil {
			d.report(Event{Kind: EventSettled, Colleague: d.s.nameOf(q.From), Turn: q.Turn, Text: "is settled: " + d.questionText(q)})
		}
	}
}

func (s *State) nameOf(id ColleagueID) string {
	if c := s.Colleagues[id]; c != nil {
		return c.Name
	}
	return ""
}

// holds says whether the outcome keeps a delivery back.
func (o Outcome) holds() bool {
	switch o {
	case Paused, DoNotDisturb, HopLimited, OverBudget, OfDead:
		return true
	default:
		return false
	}
}

func (d *decision) tellColleague(old, c *Colleague) {
	e := Event{Colleague: c.Name}
	say := func(kind EventKind, text string) {
		e.Kind, e.Text = kind, text
		d.report(e)
	}
	switch was := old != nil && !old.Gone; {
	case !was && !c.Gone:
		text := "is with the office now, as a " + string(c.Role)
		if c.HiredBy != "" {
			text += ", hired by " + oneLine(c.HiredBy, nameLimit)
		}
		say(EventSpawned, text)
		return
	case was && c.Gone:
		say(EventClosed, "has left the office")
		return
	case !was:
		return
	}
	switch {
	case old.Name != c.Name:
		say(EventChanged, "was "+old.Name+" before")
	case old.Role != c.Role:
		say(EventChanged, "is a "+string(c.Role)+" now")
	case !reflect.DeepEqual(old.ColleagueSetup, c.ColleagueSetup):
		say(EventChanged, "is set up anew")
	}
	switch {
	case c.Quiet.On && !old.Quiet.On:
		say(EventHold, "is "+c.Quiet.quote())
	case old.Quiet.On && !c.Quiet.On:
		say(EventHold, "can be disturbed again")
	}
	switch {
	case c.Dead.On() && !old.Dead.On():
		say(EventHold, "is "+c.Dead.quote())
	case old.Dead.On() && !c.Dead.On():
		say(EventHold, "was revived")
	}
}

func (d *decision) tellItem(old, it *Item) {
	switch {
	case old == nil || old.Turn != 0:
	case it.Turn != 0 && old.Outcome.holds():
		d.tellHold(it, "is held no more: it was handed over")
	case it.Turn == 0 && old.Hop && !it.Hop:
		d.tellHold(it, "may be delivered: the colleagues who woke each other may go on")
	}
}

func (d *decision) tellHold(it *Item, text string) {
	d.report(Event{Kind: EventHold, Colleague: d.s.nameOf(it.To), Messages: []string{it.Message.String()}, Outcome: string(it.Outcome), Text: it.Message.String() + " " + text})
}

// tellGiven tells that a colleague has got messages.
func (d *decision) tellGiven(t *Turn, items []*Item, step int) {
	e := Event{Source: FromColleague, Kind: EventAssigned, Colleague: d.s.nameOf(t.Colleague), Turn: t.ID, Step: step, Text: "begins with"}
	if step > 0 {
		e.Text = "takes in"
	}
	for _, it := range items {
		e.Messages = append(e.Messages, it.Message.String())
	}
	if e.Text += " " + strings.Join(e.Messages[:min(len(e.Messages), eventNames)], ", "); len(e.Messages) > eventNames {
		e.Text += fmt.Sprintf(" and %d more", len(e.Messages)-eventNames)
	}
	d.report(e)
}

func (d *decision) tellTurn(old, t *Turn) {
	switch {
	case t.State != TurnOpen && old != nil:
		text := "is done"
		switch {
		case t.State == TurnInterrupted:
			text = "was interrupted: " + oneLine(t.Reason, eventText)
		case t.State == TurnFailed:
			text = "could not finish: " + oneLine(t.Reason, eventText)
		}
		d.report(Event{Source: FromColleague, Kind: EventDone, Colleague: d.s.nameOf(t.Colleague), Turn: t.ID, Step: t.Step, Outcome: string(t.State), Text: text})
	case t.State == TurnOpen && (old == nil || old.Attempt != t.Attempt || old.Waiting != t.Waiting):
		d.tellRun(t)
	}
}

// tellRun tells that an attempt of a turn runs.
func (d *decision) tellRun(t *Turn) {
	text := "runs"
	switch {
	case !t.Waiting.IsZero():
		text = "waits for its model's account until " + when(t.Waiting, d.now)
	case t.Onboarding:
		text = "runs for the first time: it is told how it takes part"
	case t.Attempt > 1:
		text = fmt.Sprintf("runs, for the %d. time in this turn", t.Attempt)
	}
	d.report(Event{Source: FromColleague, Kind: EventRunning, Colleague: d.s.nameOf(t.Colleague), Turn: t.ID, Step: t.Step, Text: text})
}

// tellStep tells of the model's answer.
func (d *decision) tellStep(t *Turn, calls int) {
	text := fmt.Sprintf("step %d: it has answered", t.Step)
	if calls > 0 {
		text = fmt.Sprintf("step %d: it calls %d tool(s)", t.Step, calls)
	}
	d.report(Event{Source: FromColleague, Kind: EventProgress, Colleague: d.s.nameOf(t.Colleague), Turn: t.ID, Step: t.Step, Text: text})
}

func (d *decision) tellCall(kind EventKind, t *Turn, c Call, failed bool) {
	e := Event{Source: FromColleague, Kind: kind, Colleague: d.s.nameOf(t.Colleague), Turn: t.ID, Step: t.Step, Tool: oneLine(c.Name, nameLimit), Class: c.Class}
	switch e.Text = c.Class.words() + ", " + toolWords(e.Tool); {
	case failed:
		e.Outcome = "failed"
		e.Text += ", has failed"
	case kind == EventToolEnded:
		e.Text += ", has ended"
	}
	d.report(e)
}

// words is what a class of calls is.
func (c CallClass) words() string {
	switch c {
	case OfficeCall:
		return "an office call"
	case PureCall:
		return "a look"
	default:
		return "a change"
	}
}

// toolWords is a tool's name in words: its class and its method, which the first
// dot parts, with a comma between them.
func toolWords(name string) string {
	class, method, two := strings.Cut(name, ".")
	if !two {
		return nameWords(name)
	}
	return nameWords(class) + ", " + nameWords(method)
}

// nameWords parts a name at its signs and where a capital begins a word.
func nameWords(name string) string {
	var b strings.Builder
	r := []rune(name)
	upper := func(i int) bool { return i >= 0 && i < len(r) && wake.Fold(string(r[i])) != string(r[i]) }
	for i, x := range r {
		switch {
		case x == '_' || x == '-' || x == ' ' || x == '.':
			b.WriteByte(' ')
			continue
		case i > 0 && upper(i) && (!upper(i-1) || i+1 < len(r) && !upper(i+1)):
			b.WriteByte(' ')
		}
		b.WriteRune(x)
	}
	return strings.ToLower(strings.Join(strings.Fields(b.String()), " "))
}

func (d *decision) tellQuestion(q *Question) {
	d.report(Event{Kind: EventNeedsYou, Colleague: d.s.nameOf(q.From), Turn: q.Turn, Text: "asks: " + d.questionText(q)})
}

func (d *decision) questionText(q *Question) string {
	switch text := oneLine(q.Text, eventText); {
	case d.s.between(q.Conv.Channel):
		return "something of one person alone"
	case text != "":
		return text
	default:
		return "a decision about what is said in " + d.s.placeName(q.Conv.Channel)
	}
}

// between says whether a channel is a talk with, or the mail of, a person who is
// not the owner: its texts are theirs.
func (s *State) between(id ChannelID) bool {
	ch := s.Channels[id]
	if ch == nil || ch.Person == "" {
		return false
	}
	p := s.People[ch.Person]
	return p == nil || !p.Owner
}

// placeName is what a channel is called.
func (s *State) placeName(id ChannelID) string {
	ch := s.Channels[id]
	switch {
	case ch == nil:
		return string(id)
	case ch.Kind == GeneralChannel || ch.Kind == GroupChannel:
		return "#" + ch.Name
	default:
		return ch.Name
	}
}

// tellMessage tells of a message that is new, or says something else now.
func (d *decision) tellMessage(m *Message) {
	e := Event{Source: d.s.sourceOf(m), Kind: EventMessage, Messages: []string{m.Anchor().String()}}
	if m.Author.Kind == ByColleague {
		e.Colleague = m.Author.Name
	}
	for _, old := range d.posted {
		switch {
		case old == m: // store puts what it has just added to posted
			d.report(e)
			d.tellings[len(d.tellings)-1].message = m
			return
		case old.Anchor() == m.Anchor():
			return
		}
	}
	switch {
	case m.Deleted:
		e.Text = m.Anchor().String() + " was deleted"
	case m.Edited:
		e.Text = m.Anchor().String() + " was edited: " + d.quote(m)
	default:
		return // a mark that nobody wrote
	}
	d.report(e)
}

// sourceOf is where a message comes from.
func (s *State) sourceOf(m *Message) string {
	switch m.Author.Kind {
	case ByColleague:
		return FromColleague
	case ByOffice:
		return FromOffice
	}
	if p := s.Portals[m.Via]; p != nil {
		return p.Platform
	}
	return FromTerminal
}

// quote is the beginning of a text, unless it is one person's alone.
func (d *decision) quote(m *Message) string {
	if d.s.between(m.Channel) {
		return "(for one person alone)"
	}
	return oneLine(m.Text, eventText)
}

// messageEvents are those of a new message: that it was written, and what became
// of each of its wakes.
func (d *decision) messageEvents(t telling) []Event {
	m, at := t.message, t.Messages[0]
	t.Text = fmt.Sprintf("%s by %s in %s, wake %s: %s", at, oneLine(m.Author.Name, nameLimit), d.s.placeName(m.Channel), m.Wake.Address(d.s.directory()), d.quote(m))
	all := []Event{t.Event}
	if len(m.Deliveries) > eventNames {
		return append(all, Event{At: t.At, Source: FromOffice, Kind: EventDelivery, Messages: t.Messages, Text: at + ": " + Tally(m.Deliveries)})
	}
	for _, x := range m.Deliveries {
		e := Event{At: t.At, Source: FromOffice, Kind: EventDelivery, Messages: t.Messages, Outcome: string(x.Outcome), Text: fmt.Sprintf("%s for %s: %s", at, x.Name, x.Outcome)}
		if x.Outcome != InMailbox {
			e.Colleague = x.Name
		}
		if x.Detail != "" {
			e.Text += " (" + x.Detail + ")"
		}
		all = append(all, e)
		if x.Outcome.holds() {
			e.Kind, e.Text = EventHold, fmt.Sprintf("%s is held for %s: %s", at, x.Name, x.Outcome)
			all = append(all, e)
		}
	}
	return all
}
