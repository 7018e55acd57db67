package office

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bullpen/office/wake"
)

// Verb is what a colleague's office_* call asks of the office. It is decided
// in the commit of the answer that asked for it, and its result with it; a
// refusal is a result as well, so that the model can mend its call.
type Verb interface {
	run(d *decision, t *Turn) Result
}

// Notify says when a colleague that is working reads a message.
type Notify string

// The times.
const (
	StepEnd Notify = "step-end" // at its next step; the default
	TurnEnd Notify = "turn-end" // in a turn of its own
)

// PostCall is office_post: a message in a channel.
type PostCall struct {
	Channel string // a name; empty is the turn's own channel, or general
	Text    string
	Wake    []string // required; empty is a decision
	NoRoot  bool     // to the channel's top level, not the turn's thread
	Notify  Notify
}

func (p PostCall) run(d *decision, t *Turn) Result {
	if refusal := d.checkText(p.Text); refusal != "" {
		return refused(refusal)
	}
	ch, refusal := d.postable(p.Channel, t)
	if refusal != "" {
		return refused(refusal)
	}
	w, err := wake.ParseList(p.Wake, d.names())
	if err != nil {
		return refused(err.Error())
	}
	c := d.s.Colleagues[t.Colleague]
	m := &Message{
		Channel: ch.ID, Text: p.Text, Wake: w,
		Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name},
	}
	if ch.ID == t.Conv.Channel && !p.NoRoot {
		m.Root = t.Conv.Root
	}
	to := d.audience(w, ch, c.ID)
	if refusal := d.limited(c.ID, ch.ID, len(to) > 0); refusal != "" {
		return refused(refusal)
	}
	before := d.s.statuses(to)
	d.store(m)
	d.copyToMailboxes(m, nil)
	conv := Conversation{Channel: ch.ID, Root: m.Root}
	e := errand{conv: conv, turnEnd: p.Notify == TurnEnd, depth: t.Depth + 1, askedIn: t.Person}
	for _, x := range to {
		d.deliver(m, x, e)
		t.sent(x.ID)
	}
	d.tellHopLimit(m, e)
	if conv == t.Conv && len(to) == 0 {
		t.Answered = true
	}
	return d.spoke(t, posted(m, ch.Name, rendered(m, "#"+ch.Name), before))
}

// postable finds the channel of a post: any that is no mailbox and nobody
// else's direct channel.
func (d *decision) postable(name string, t *Turn) (*Channel, string) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "#")
	if name == "" {
		if ch := d.s.Channels[t.Conv.Channel]; ch != nil && ch.open() {
			return ch, ""
		}
		return d.s.Channels[General], ""
	}
	if ch := d.s.channelNamed(name); ch != nil {
		return ch, ""
	}
	return nil, fmt.Sprintf("there is no channel %q to post in; there are %s. For one colleague or a person use office_dm", name, d.s.channelNames())
}

// DMCall is office_dm: a message to exactly one colleague, or mail for a person.
type DMCall struct {
	Wake   []string
	Text   string
	Notify Notify
}

func (p DMCall) run(d *decision, t *Turn) Result {
	if refusal := d.checkText(p.Text); refusal != "" {
		return refused(refusal)
	}
	w, err := wake.ParseList(p.Wake, d.names())
	if err != nil {
		return refused(err.Error())
	}
	c := d.s.Colleagues[t.Colleague]
	m := &Message{Text: p.Text, Wake: w, Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name}}
	switch {
	case w.Kind == wake.Names && len(w.Names) == 1 && len(w.People) == 0:
		return d.dm(t, c, m, p.Notify)
	case len(w.Names) == 0 && len(w.People) == 1 && (w.Kind == wake.Nobody || w.Kind == ""):
		person := d.s.People[PersonID(w.People[0])]
		if refusal := d.limited(c.ID, MailboxOf(person.ID), false); refusal != "" {
			return refused(refusal)
		}
		d.mail(person, m)
		m.Deliveries = []Delivery{{To: string(person.ID), Name: person.Name, Outcome: InMailbox}}
		if t.Conv.Channel == DirectWithPerson(c.ID, person.ID) {
			t.Answered = true
		}
		return d.spoke(t, posted(m, person.Name+"'s mailbox", rendered(m, person.Name+"'s mailbox"), nil))
	default:
		return refused("office_dm takes exactly one colleague or one person in wake, like [\"@alice\"]; for several, a level or a channel use office_post")
	}
}

func (d *decision) dm(t *Turn, c *Colleague, m *Message, notify Notify) Result {
	to := d.s.Colleagues[ColleagueID(m.Wake.Names[0])]
	if to.ID == c.ID {
		return refused("a colleague cannot write to itself; name somebody else")
	}
	if refusal := d.limited(c.ID, "", true); refusal != "" {
		return refused(refusal)
	}
	status := d.s.status(to)
	m.Channel = d.direct(DirectBetween(c.ID, to.ID), c.Name+" ↔ "+to.Name, "", c.ID, to.ID)
	e := errand{conv: Conversation{Channel: m.Channel}, turnEnd: notify == TurnEnd, depth: t.Depth + 1, forConv: t.For, askedIn: t.Person}
	if t.Ask {
		e.forConv = t.Conv
	}
	d.store(m)
	d.deliver(m, to, e)
	d.tellHopLimit(m, e)
	t.sent(to.ID)
	text := rendered(m, to.Name) + fmt.Sprintf("\n(%s was %s when it arrived)", to.Name, status)
	return d.spoke(t, posted(m, d.s.Channels[m.Channel].Name, text, map[string]Status{string(to.ID): status}))
}

// ChannelsCall is office_channels: where one can write, and who reads there.
type ChannelsCall struct{}

func (ChannelsCall) run(d *decision, t *Turn) Result {
	var b strings.Builder
	all := []ChannelStructure{}
	for _, id := range keys(d.s.Channels) {
		ch := d.s.Channels[id]
		if !ch.open() {
			continue
		}
		all = append(all, ChannelStructure{
			Name: ch.Name, Topic: ch.Topic, Everyone: ch.Kind == GeneralChannel, Members: namesOf(d.s.membersOf(ch)),
			Reads: d.s.mayRead(Reader{Colleague: t.Colleague, Person: t.Person}, ch), Messages: ch.Last,
		})
		switch ch.Kind {
		case GeneralChannel:
			fmt.Fprintf(&b, "- #%s: everyone", ch.Name)
		case GroupChannel:
			var names []string
			for _, m := range ch.Members {
				names = append(names, d.s.Colleagues[m].Name)
			}
			fmt.Fprintf(&b, "- #%s: %s", ch.Name, orNobody(names))
			if slices.Contains(ch.Members, t.Colleague) {
				b.WriteString(" (you read it)")
			}
		default:
			continue
		}
		if ch.Topic != "" {
			fmt.Fprintf(&b, "; %s", oneLine(ch.Topic, 200))
		}
		fmt.Fprintf(&b, "; %d messages\n", ch.Last)
	}
	return Result{Text: b.String(), Structure: structure(all)}
}

func orNobody(names []string) string {
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

func (d *decision) checkText(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "the text is empty; write what you want to say"
	case n > d.s.Limits.Message:
		return fmt.Sprintf("the text has %d characters and a message holds %d; shorten it, or write it to a file and say where it is", n, d.s.Limits.Message)
	default:
		return ""
	}
}

func refused(why string) Result { return Result{Text: "[office] Refused: " + why + ".", Failed: true} }

// rendered is a tool result: where the message stands and what became of each wake.
func rendered(m *Message, where string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[office] Posted %s to %s.", m.Anchor(), where)
	if len(m.Deliveries) == 0 {
		b.WriteString(" Nobody was woken; it can be read there.")
		return b.String()
	}
	b.WriteString(" Delivery:")
	if len(m.Deliveries) > namesMost {
		b.WriteString("\n" + Tally(m.Deliveries))
		return b.String()
	}
	for _, x := range m.Deliveries {
		fmt.Fprintf(&b, "\n- %s: %s", x.Name, x.Outcome)
		if x.Detail != "" {
			fmt.Fprintf(&b, " (%s)", x.Detail)
		}
	}
	return b.String()
}

// Told says what became of each wake, by name: "alice delivered, bob paused (why)";
// by outcome where there are more than 20.
func Told(all []Delivery) string {
	switch {
	case len(all) == 0:
		return "Nobody was woken"
	case len(all) > namesMost:
		return Tally(all)
	}
	told := make([]string, 0, len(all))
	for _, x := range all {
		one := x.Name + " " + string(x.Outcome)
		if x.Detail != "" {
			one += " (" + x.Detail + ")"
		}
		told = append(told, one)
	}
	return strings.Join(told, ", ")
}

// namesMost is how many deliveries are told one by one; more are counted.
const namesMost = 20

// Tally counts deliveries by outcome: "delivered 19, paused 3".
func Tally(all []Delivery) string {
	counts := map[Outcome]int{}
	var order []Outcome
	for _, x := range all {
		if counts[x.Outcome]++; counts[x.Outcome] == 1 {
			order = append(order, x.Outcome)
		}
	}
	parts := make([]string, 0, len(order))
	for _, o := range order {
		parts = append(parts, fmt.Sprintf("%s %d", o, counts[o]))
	}
	return strings.Join(parts, ", ")
}
