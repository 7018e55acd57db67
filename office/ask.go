package office

import (
	"fmt"
	"slices"
	"time"

	"bullpen/office/wake"
)

// Times of questions whose answer a call waits for.
const (
	// AskMost is the longest that a call waits for a person.
	AskMost = 15 * time.Minute
	// lateLife is how long an answer that nobody waits for is still taken as mail.
	lateLife = 7 * 24 * time.Hour
)

// AskCall is ask_user: a question to the person whom the turn works for, or to
// the owner where it works for nobody. The call waits for the answer, also over
// a restart; the first answer counts.
type AskCall struct {
	Text    string
	Options []string      // at most OptionsMost
	Free    bool          // a text answers it too; without options it always does
	Wait    time.Duration // 0: AskMost
}

func (p AskCall) run(d *decision, t *Turn) Result {
	c := d.s.Colleagues[t.Colleague]
	switch {
	case !c.AskUser:
		return refused(fmt.Sprintf("a %s may not ask people and wait here (ask_user_roles in office.yaml); write to %s with office_dm", c.Role, d.leaderOf(c)))
	case p.Wait < 0 || p.Wait > AskMost:
		return refused(fmt.Sprintf("a question waits at most %s; name a shorter time", AskMost))
	}
	refusal := d.checkText(p.Text)
	if refusal == "" {
		refusal = checkOptions(p.Options)
	}
	if refusal != "" {
		return refused(refusal)
	}
	q := Question{Kind: AskQuestion, Text: p.Text, Options: p.Options, Free: p.Free || len(p.Options) == 0}
	if p.Wait == 0 {
		p.Wait = AskMost
	}
	return d.wait(t, q, p.Wait)
}

// leaderOf names whom a colleague can turn to instead of a person.
func (d *decision) leaderOf(c *Colleague) string {
	for _, id := range d.s.roster {
		if l := d.s.Colleagues[id]; l.Role == Leader && l.ID != c.ID && (c.ReportsTo == "" || wake.Fold(l.Name) == wake.Fold(c.ReportsTo)) {
			return l.Name
		}
	}
	return "@user"
}

// wait asks a question on behalf of the turn's first open call and makes the
// call wait for what becomes of it.
func (d *decision) wait(t *Turn, q Question, most time.Duration) Result {
	c := d.s.Colleagues[t.Colleague]
	q.ID, q.At, q.Until = d.random(), d.now, d.now.Add(most)
	q.From, q.Person, q.Turn, q.Call = c.ID, t.Person, t.ID, slices.IndexFunc(t.Calls, func(c Call) bool { return !c.Done })
	owner := d.s.owner()
	m := &Message{
		Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name}, Wake: wake.Wake{Kind: wake.Nobody},
		Text: q.Text, Question: q.ID,
	}
	if list := q.choices(); list != "" {
		m.Text += "\n\n" + list
	}
	askers := d.askers(t)
	here := t.Ask && len(askers) > 0
	if q.Kind == ApproveQuestion {
		here = here && slices.ContainsFunc(askers, func(id PersonID) bool { return q.may(d.s.People[id]) })
	}
	switch {
	case here:
		m.Channel, m.Root, m.ReplyTo, m.Toward, q.Conv = t.Conv.Channel, t.Conv.Root, t.ReplyTo, t.Toward, t.Conv
		if q.Kind == AskQuestion {
			q.For = askers
			if t.Person == "" && owner != nil && !slices.Contains(q.For, owner.ID) {
				q.For = append(q.For, owner.ID)
			}
		}
	case owner == nil:
		return refused("there is nobody to ask: this office has no owner")
	default:
		m.Channel, q.Conv = MailboxOf(owner.ID), Conversation{Channel: MailboxOf(owner.ID)}
		if q.Kind == AskQuestion {
			q.For = []PersonID{owner.ID}
		}
	}
	d.store(m)
	q.Message = m.Anchor()
	d.put(PutQuestion{q})
	return Result{Question: q.ID}
}

// askers are the people whose messages were given to a turn, in that order.
func (d *decision) askers(t *Turn) []PersonID {
	var ids []PersonID
	for _, it := range d.heldBy(t) {
		id := PersonID(it.Body.Author.ID)
		if it.FromPerson && it.Body.Author.Kind == ByPerson && d.s.People[id] != nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// answered gives a colleague the answer to its question: as the result of the
// call that waits for it, or, when none does any more, as mail.
func (d *decision) answered(q *Question, who *Person, a response) string {
	said := q.words(a)
	c := d.s.Colleagues[q.From]
	d.audit(Audit{By: who.Name, What: "answer " + q.Message.String() + " of " + c.Name, Outcome: oneLine(said, 200)})
	if q.Late {
		d.mailAnswer(q, who, said)
	} else {
		fence := fenceFor(said)
		d.settleCall(q, &Result{Text: fmt.Sprintf("[office] %s answered:\n%s\n%s\n%s", quoted(who.Name), fence, said, fence)}, false)
	}
	if a.option < 0 {
		return fmt.Sprintf("%s answered; %s has it.", who.Name, c.Name)
	}
	return fmt.Sprintf("%s answered: %s.", who.Name, said)
}

// mailAnswer delivers an answer that came after its call had gone on.
func (d *decision) mailAnswer(q *Question, who *Person, said string) {
	if !d.s.mayTalk(who.ID, d.s.Colleagues[q.From]) {
		return
	}
	c := d.s.Colleagues[q.From]
	text := fmt.Sprintf("My answer to %q: %s", oneLine(q.Text, 200), said)
	ch := d.s.Channels[q.Conv.Channel]
	if ch.Kind == DirectChannel || ch.Kind == MailboxChannel {
		d.direct1(who, c, incoming{text: text})
		return
	}
	m := &Message{
		Channel: ch.ID, Root: q.Conv.Root, ReplyTo: q.Message.Seq, Text: text,
		Author: Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name},
		Wake:   wake.Wake{Kind: wake.Names, Names: []string{string(c.ID)}},
	}
	d.store(m)
	d.deliver(m, c, errand{conv: q.Conv, person: q.Person, fromPerson: true, turnEnd: true, ask: true})
}

// settleCall ends the wait of a question's call: with a result, or with leave
// to run. It goes on when its runner hears of it.
func (d *decision) settleCall(q *Question, res *Result, allowed bool) {
	open := d.s.Turns[q.Turn]
	if open == nil || q.Call >= len(open.Calls) || open.Calls[q.Call].Question != q.ID {
		return
	}
	t := *open
	t.Calls = slices.Clone(t.Calls)
	c := &t.Calls[q.Call]
	if c.Answer, c.Allowed = res, allowed; allowed {
		c.Question = "" // it may have one of its own
	}
	if res != nil && !res.Failed {
		t.Depth = 0 // a person has spoken to it
	}
	d.put(PutTurn{t})
	d.settled = append(d.settled, t.ID)
}

// expireQuestions ends the waits whose time is up.
func (d *decision) expireQuestions() {
	for _, id := range keys(d.s.Questions) {
		q := d.s.Questions[id]
		if q.Until.IsZero() || d.now.Before(q.Until) {
			continue
		}
		switch {
		case q.Kind == ApproveQuestion:
			d.closeQuestion(q, "Nobody decided in time.")
			d.settleCall(q, &Result{Failed: true, Text: fmt.Sprintf("[office] Refused: nobody allowed this within %s; it was not run.", q.Until.Sub(q.At))}, false)
		case q.Late || q.Kind == PlaceQuestion:
			d.closeQuestion(q, "Nobody answered in time.")
		default:
			late := *q
			late.Late, late.Until = true, d.now.Add(lateLife)
			d.put(PutQuestion{late})
			d.settleCall(q, &Result{Text: fmt.Sprintf("[office] Nobody answered within %s. The answer will come as mail; go on without it, or end your turn.", q.Until.Sub(q.At))}, false)
		}
	}
}

// questionDeadline is when the first wait for an answer ends.
func (s *State) questionDeadline() time.Time {
	var first time.Time
	for _, q := range s.Questions {
		if !q.Until.IsZero() && (first.IsZero() || q.Until.Before(first)) {
			first = q.Until
		}
	}
	return first
}

// dropQuestions withdraws what the calls of a turn that ends still ask.
func (d *decision) dropQuestions(t *Turn) {
	for _, c := range t.Calls {
		if q := d.s.Questions[c.Question]; q != nil && !c.Done && !q.Late {
			d.closeQuestion(q, "This is asked no more.")
		}
	}
}

// takeAnswer lets a person's message answer what a colleague asks: it replies to
// the question natively (to), or it is addressed to the colleague where that
// asks, or directly. true: it has been given to the colleague.
func (d *decision) takeAnswer(m *Message, who *Person, conv Conversation, to Anchor, c *Colleague) bool {
	t := d.s.running[c.ID]
	if t == nil {
		return false
	}
	q := d.s.Questions[t.asks()]
	if q == nil || q.Late || !q.may(who) {
		return false
	}
	a, ok := q.read(m.Text)
	near := to == q.Message && to != Anchor{} || conv == q.Conv
	// Elsewhere only what can be nothing else counts.
	near = near || a.option >= 0 && d.s.Channels[conv.Channel].Kind == DirectChannel && t.Person == contextFor(who, c)
	if !ok || !near {
		return false
	}
	m.Deliveries = append(m.Deliveries, Delivery{To: string(c.ID), Name: c.Name, Outcome: Steered, Detail: "it answers what " + c.Name + " asked"})
	d.decideQuestion(q, who, a)
	return true
}

// asks is the question that the turn's next call waits for; empty if none does.
func (t *Turn) asks() string {
	for _, c := range t.Calls {
		if !c.Done {
			if c.waits() {
				return c.Question
			}
			return ""
		}
	}
	return ""
}

// waits says whether the call waits for a person.
func (c Call) waits() bool { return !c.Done && c.Question != "" && c.Answer == nil }
