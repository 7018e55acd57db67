package office

import (
	"fmt"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// What a channel may say of the last words of its turns.
const (
	FinalReply   = "reply"   // always posted, also when nobody addressed the colleague
	FinalPrivate = "private" // never: only tools speak there
)

// noReply is a final text that says that silence is the answer.
const noReply = "NO_REPLY"

// end ends a turn and, in the same commit, posts its final text or tells
// whoever asked that there is none. What joined it and no recorded answer has
// seen goes back to the queue; the fixpoint then starts whatever waits.
func (d *decision) end(t *Turn, state TurnState, reason, text string) {
	given := d.heldBy(t)
	d.dropQuestions(t)
	t.State, t.Reason, t.Ended = state, reason, d.now
	var dealt []*Item
	for _, it := range given {
		if state != TurnDone && it.Step > t.Step {
			back := *it
			back.Turn, back.Step = 0, 0
			d.put(PutItem{back})
			continue
		}
		dealt = append(dealt, it)
		d.put(DeleteItem{it.ID})
	}
	if state != TurnDone {
		d.closeCalls(t, "not run: the turn was cut off")
		for _, n := range t.Unseen {
			d.put(DropEntry{In: t.Context(), N: n})
			delete(d.s.tails, t.Context())
		}
		for _, r := range t.Reads {
			d.put(DropEntry{In: t.Context(), N: r.N})
			delete(d.s.tails, t.Context())
			d.entry(t, Entry{Kind: EntryResult, CallID: r.ID, Text: "[office] What was read here was not answered; it is handed over again."})
		}
		d.entry(t, Entry{Kind: EntryNotice, Text: fmt.Sprintf("[office] The turn above ended here without an answer: %s. Whoever asked has been told.", oneLine(reason, 500))})
	}
	t.Unseen, t.Reads, t.Calls, t.Notice = nil, nil, nil, ""
	if state == TurnDone {
		d.finish(t, dealt, text)
	} else {
		d.tell(t, given, reason)
	}
	d.endStreams(t)
	if t.Onboarding && state == TurnFailed {
		d.tellOwner(fmt.Sprintf("%s was hired, and its first turn came to nothing: %s. It can be written to all the same.", d.s.Colleagues[t.Colleague].Name, oneLine(strings.TrimSuffix(reason, "."), 500)))
	}
	c := *d.s.Colleagues[t.Colleague]
	c.LastActive = d.now
	d.put(PutColleague{c})
	d.put(PutTurn{*t})
	d.ended = append(d.ended, t.Ref())
	d.happens(TurnEnded, t, dealt)
}

// finish does with a turn's final text what those ask for whose messages it dealt
// with.
func (d *decision) finish(t *Turn, dealt []*Item, text string) {
	said := strings.TrimSpace(text)
	if said == "" || said == noReply {
		return
	}
	switch {
	case d.s.speaks(t):
		d.answer(t, text)
	case !t.Ask:
		d.tellAskers(t, dealt, text)
	}
}

// tellAskers gives the final text, once, to each colleague whose direct message the
// turn dealt with and to which it has sent nothing back.
func (d *decision) tellAskers(t *Turn, dealt []*Item, text string) {
	newest := map[ColleagueID]*Item{}
	var askers []ColleagueID
	for _, it := range dealt {
		who := it.asker()
		if who == "" || slices.Contains(t.SentTo, who) || d.s.Channels[it.Conv.Channel].Kind != DirectChannel {
			continue
		}
		switch old := newest[who]; {
		case old == nil:
			askers = append(askers, who)
			newest[who] = it
		case it.For != (Conversation{}) || old.For == (Conversation{}):
			newest[who] = it
		}
	}
	for _, who := range askers {
		d.note(t, newest[who], text)
	}
}

// speaks says whether the last words of a turn, if it ended now, were its answer.
func (s *State) speaks(t *Turn) bool {
	ask := t.Ask
	if ch := s.Channels[t.Conv.Channel]; ch != nil {
		switch ch.FinalText {
		case FinalReply:
			ask = true
		case FinalPrivate:
			ask = false
		}
	}
	return ask && !t.Answered
}

// answer posts the final text in the turn's conversation; it wakes nobody.
// Over the message limit it becomes several messages.
func (d *decision) answer(t *Turn, text string) {
	for i, part := range pieces(text, d.s.Limits.Message) {
		m := d.s.answerOf(t, part)
		d.store(m)
		if i == 0 {
			d.takeUp(t, m)
		}
	}
}

// answerOf is a message of a turn's answer.
func (s *State) answerOf(t *Turn, text string) *Message {
	c := s.Colleagues[t.Colleague]
	return &Message{
		Channel: t.Conv.Channel, Root: t.Conv.Root, ReplyTo: t.ReplyTo, Toward: t.Toward, Text: text,
		Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name}, Wake: wake.Wake{Kind: wake.Nobody},
	}
}

// note gives the colleague that wrote a message what came of it, in the context in
// which it did. It rides with the asker's next turn or step, and starts one only if a
// person waits for it.
func (d *decision) note(t *Turn, about *Item, text string) {
	to := about.asker()
	asker := d.s.Colleagues[to]
	if asker == nil || asker.Gone {
		return
	}
	c := d.s.Colleagues[t.Colleague]
	ch := d.direct(DirectBetween(c.ID, to), c.Name+" ↔ "+asker.Name, "", c.ID, to)
	e := errand{person: about.AskedIn, conv: Conversation{Channel: ch}, quiet: true, depth: t.Depth + 1}
	if about.For != (Conversation{}) && asker.Role != Boss { // which nothing wakes; the note waits for its next turn
		e.conv, e.ask, e.turnEnd = about.For, true, true
	}
	for _, part := range pieces(text, d.s.Limits.Message) {
		m := &Message{
			Channel: ch, Text: part, Wake: wake.Wake{Kind: wake.Nobody},
			Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name},
		}
		d.store(m)
		d.deliver(m, asker, e)
		d.tellHopLimit(m, e)
	}
}

// tell says to whoever asked that the turn came to nothing. The office's own
// words never wake anyone.
func (d *decision) tell(t *Turn, given []*Item, reason string) {
	c := d.s.Colleagues[t.Colleague]
	told := map[string]bool{}
	for _, it := range given {
		if it.Step > t.Step {
			continue // it is in the queue again
		}
		switch {
		case it.FromPerson || it.Ask:
			if key := it.Conv.key(); !told[key] {
				told[key] = true
				d.store(&Message{
					Channel: it.Conv.Channel, Root: it.Conv.Root, ReplyTo: replyIn(it), Toward: it.Body.Via, Wake: wake.Wake{Kind: wake.Nobody},
					Author: Author{Kind: ByOffice, Name: "office"},
					Text:   fmt.Sprintf("%s could not finish %s: %s.", c.Name, it.Message, oneLine(strings.TrimSuffix(reason, "."), 500)),
				})
			}
		case it.asker() != "":
			if from := string(it.asker()); !told[from] {
				told[from] = true
				d.note(t, it, fmt.Sprintf("(%s could not finish %s: %s)", c.Name, it.Message, oneLine(reason, 500)))
			}
		}
	}
}

func replyIn(it *Item) int64 {
	if it.Message.Channel == it.Conv.Channel {
		return it.Message.Seq
	}
	return 0
}

// closeCalls gives every call of the last answer that has no result one that
// says why: a transcript with half a pair is refused by providers.
func (d *decision) closeCalls(t *Turn, why string) {
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		if c := &t.Calls[i]; !c.Done {
			c.Done = true
			d.tellCall(EventToolEnded, t, *c, true)
			d.entry(t, Entry{Kind: EntryResult, CallID: c.ID, Failed: true, Text: why})
		}
	}
}

// pieces cuts a text into parts of at most limit characters, at the end of a
// line where there is one in the second half.
func pieces(text string, limit int) []string {
	var parts []string
	for {
		head := cut(text, limit)
		if len(head) == len(text) {
			return append(parts, text)
		}
		if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
			head = head[:i+1]
		}
		parts = append(parts, head)
		text = text[len(head):]
	}
}
