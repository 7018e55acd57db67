package office

import (
	"slices"
	"strings"
	"time"
)

// look checks what must hold after every step.
func (c *chaos) look() {
	for id, it := range c.before {
		if _, still := c.rec.items[id]; !still {
			c.lookGone(it)
		}
	}
	for _, it := range c.rec.items {
		switch {
		case it.Turn == 0 && it.Hop && c.openChain(it.Conv) == nil:
			c.rt.Fatalf("item %d is held by the depth limit and nobody is asked: %+v", it.ID, it)
		case it.Turn != 0 && c.s.Turns[it.Turn] == nil:
			c.rt.Fatalf("item %d is held by turn %d, which is over", it.ID, it.Turn)
		}
	}
	c.lookTranscripts()
	c.lookBacklog()
	for ch := range c.rec.channels {
		c.desk.texts(ch) // fails on a gap
	}
}

func (c *chaos) openChain(conv Conversation) *Question {
	return (&decision{s: c.s}).openChain(conv)
}

// lookGone says why a delivery may be gone: its turn ended well and an answer
// was recorded after the frame that showed it, or whoever asked was told.
func (c *chaos) lookGone(it Item) {
	if c.s.Colleagues[it.To].Gone && c.toldOfDeparture(it) {
		return
	}
	var turn Turn
	for _, e := range c.rec.entries {
		if e.Kind == EntryFrame && slices.Contains(e.Items, it.ID) {
			turn = c.rec.ended[e.Turn]
			answered := slices.ContainsFunc(c.rec.entries, func(x Entry) bool {
				return x.Turn == e.Turn && x.Kind == EntryReply && x.N > e.N
			})
			if turn.State == TurnDone && answered {
				return
			}
			break
		}
	}
	if turn.ID == 0 && c.lookDropped(it) {
		return
	}
	if turn.State != TurnFailed && turn.State != TurnInterrupted {
		c.rt.Fatalf("item %d (%s for %s) is gone and no answer followed it; its turn is %+v", it.ID, it.Message, it.To, turn)
	}
	from := c.rec.messages[it.Message].Author
	if !it.FromPerson && !it.Ask && (it.Quiet || from.Kind != ByColleague || c.s.Colleagues[ColleagueID(from.ID)].Gone) {
		return // nobody asked, or who did has left the office
	}
	for a, m := range c.rec.messages {
		there := a.Channel == it.Conv.Channel
		if !it.FromPerson && !it.Ask {
			there = a.Channel == DirectBetween(it.To, ColleagueID(from.ID))
		}
		if m.No > c.since && there && strings.Contains(m.Text, "could not finish") {
			return
		}
	}
	c.rt.Fatalf("item %d (%s for %s) is gone with its turn, and whoever asked was not told", it.ID, it.Message, it.To)
}

// lookDropped says whether a person has dropped a delivery, and its writer was told.
func (c *chaos) lookDropped(it Item) bool {
	if it.Quiet || c.rec.messages[it.Message].Author.Kind == ByOffice {
		return true
	}
	for a, m := range c.rec.messages {
		if m.No > c.since && a.Channel == it.Conv.Channel && strings.HasPrefix(m.Text, "Dropped by ") {
			return true
		}
	}
	return false
}

// lookTranscripts: every message stands in one frame, within a conversation in
// order, and every call has one result, none missing when the turn is over.
func (c *chaos) lookTranscripts() {
	type place struct {
		in   ContextID
		conv Conversation
	}
	where := map[int64]int64{} // the turn that showed an item
	last := map[place]int64{}
	missing := map[int64]int{} // results, by turn
	for _, e := range c.rec.entries {
		switch e.Kind {
		case EntryFrame:
			for _, id := range e.Items {
				if other, again := where[id]; again {
					c.rt.Fatalf("item %d is shown by turns %d and %d", id, other, e.Turn)
				}
				where[id] = e.Turn
				it := c.seen(id)
				if it.Person != e.In.Person || it.To != e.In.Colleague {
					c.rt.Fatalf("item %d of %v is shown in the context of %v", id, (ContextID{Colleague: it.To, Person: it.Person}), e.In)
				}
				if it.Outcome == HopLimited {
					continue // what waited for a person may come later
				}
				p := place{e.In, it.Conv}
				if id < last[p] {
					c.rt.Fatalf("in %v item %d is shown after %d", p, id, last[p])
				}
				last[p] = id
			}
		case EntryReply:
			if missing[e.Turn] != 0 {
				c.rt.Fatalf("turn %d answers while %d results are missing", e.Turn, missing[e.Turn])
			}
			missing[e.Turn] = len(e.Calls)
		case EntryResult:
			if missing[e.Turn]--; missing[e.Turn] < 0 {
				c.rt.Fatalf("turn %d has more results than calls", e.Turn)
			}
		}
	}
	for turn, n := range missing {
		if n != 0 && c.s.Turns[turn] == nil {
			c.rt.Fatalf("turn %d is over and %d results are missing", turn, n)
		}
	}
}

// seen is an item as it was when it was last in the record.
func (c *chaos) seen(id int64) Item {
	if it, ok := c.rec.items[id]; ok {
		c.items[id] = it
	}
	return c.items[id]
}

// drain lets everything that can happen happen, and nothing fail: then nothing
// may be left.
func (c *chaos) drain() {
	for _, p := range keys(c.s.Portals) {
		c.step(fill{p, false})
	}
	c.step(pause{On: false, By: DefaultOwner})
	for range 1000 {
		switch {
		case len(c.wires) > 0:
			for _, s := range c.wires {
				c.verdict(s, true)
				break
			}
		case len(c.s.Turns) > 0:
			c.advance(c.s.Turns[keys(c.s.Turns)[0]], true)
		case len(c.s.Questions) > 0:
			c.press(keys(c.s.Questions)[0], 0)
		case !c.s.nextDeadline(c.now).IsZero():
			c.now = c.s.nextDeadline(c.now).Add(time.Second)
			c.step(tick{})
		default:
			c.lookEnd()
			return
		}
	}
	c.rt.Fatalf("the office does not come to rest: %d turns, %d sends", len(c.s.Turns), len(c.s.Sends))
}

func (c *chaos) lookEnd() {
	c.lookRoster()
	c.lookOnboarding()
	c.checkRecord()
	for _, it := range c.rec.items {
		if !it.Quiet || it.Ask {
			c.rt.Fatalf("item %d (%s for %s) waits for ever: %+v", it.ID, it.Message, it.To, it)
		}
	}
	if n := len(c.rec.sends) + len(c.rec.parked); n > 0 {
		c.rt.Fatalf("left over: %v, %v", c.rec.sends, c.rec.parked)
	}
	for _, in := range c.natives {
		n, ok := c.rec.natives[nativeKey(in.Portal, in.Native)]
		if !ok || n.Alias {
			c.rt.Fatalf("%s was accepted and is no message", in.Native)
		}
		if c.deleted[in.event()] || strings.HasPrefix(string(n.Anchor.Channel), directPrefix) {
			continue
		}
		mark, found := in.Text[strings.Index(in.Text, "<"):], 0
		for a, m := range c.rec.messages {
			if a.Channel == n.Anchor.Channel && strings.Contains(m.Text, mark) {
				found++
			}
		}
		if found != 1 {
			c.rt.Fatalf("%s is %d messages", in.Native, found)
		}
	}
}
