package main

import (
	"slices"
	"strings"

	"bullpen/office"
)

// wantHeldForAReason: what still waits when nothing runs any more is held by a
// state that is on at this moment, and nobody who could be woken was forgotten.
func (c *chaos) wantHeldForAReason(r *record) {
	c.t.Helper()
	for _, turn := range r.snap.Turns {
		if !r.snap.Meta.Pause.On {
			c.t.Errorf("turn %d of %s is open and the office is at rest", turn.ID, turn.Colleague)
		}
	}
	quiet := map[office.ColleagueID]bool{}
	for _, x := range r.snap.Colleagues {
		quiet[x.ID] = x.Quiet.On
	}
	for _, it := range r.snap.Items {
		switch {
		case it.Turn != 0, it.Quiet, it.Hop, quiet[it.To], r.snap.Meta.Pause.On:
		default:
			c.t.Errorf("%s waits for %s (%s) and nothing holds it", it.Message, it.To, it.Outcome)
		}
	}
}

// wantAll looks at an office that was let go of everything.
func (c *chaos) wantAll(r *record) {
	c.t.Helper()
	r.wantSound(c.t)
	for _, turn := range r.snap.Turns {
		c.t.Errorf("turn %d of %s is still open", turn.ID, turn.Colleague)
	}
	for _, it := range r.snap.Items {
		if waits(it) {
			c.t.Errorf("%s still waits for %s: %+v", it.Message, it.To, it)
		}
	}
	c.wantTaken(r)
	c.wantDelivered(r)
	c.wantOrder(r)
	r.wantShown(c.t, c.all...)
}

// wantTaken: what a process gave a receipt for is in the record, once; what it gave
// none for is there once at most; and what it took in is in the order in which it
// was told.
func (c *chaos) wantTaken(r *record) {
	c.t.Helper()
	at := map[string][]*office.Message{}
	for i := range r.messages {
		m := &r.messages[i]
		if m.Author.Kind == office.ByPerson && m.Origin == (office.Anchor{}) {
			at[m.Text] = append(at[m.Text], m)
		}
	}
	for p, lines := range c.fed {
		promised := receipts(p)
		var last int64
		for _, line := range lines {
			found := at[line]
			delete(at, line)
			switch {
			case len(found) > 1:
				c.t.Errorf("%q is in the record %d times", line, len(found))
			case len(found) == 0:
				continue
			case found[0].No < last:
				c.t.Errorf("%q was taken in before what was said before it", line)
			}
			last = found[0].No
			promised = slices.DeleteFunc(promised, func(a string) bool { return a == found[0].Anchor().String() })
		}
		if len(promised) > 0 {
			c.t.Errorf("process %d gave receipts for what is not in the record, or not its own: %v", p.cmd.Process.Pid, promised)
		}
	}
	for text := range at {
		c.t.Errorf("nobody said %q", text)
	}
}

// shows says whether an entry shows messages to its colleague: a frame, or what it
// read on request.
func shows(e office.Entry) bool {
	return e.Kind == office.EntryFrame ||
		e.Kind == office.EntryResult && strings.HasPrefix(e.Text, "[office] ") && strings.Contains(e.Text, "were waiting for you, read here on request")
}

// wantDelivered: each delivery was shown to its colleague in one frame. One who was
// dismissed may have missed it.
func (c *chaos) wantDelivered(r *record) {
	c.t.Helper()
	colleague, gone := map[string]bool{}, map[string]bool{}
	for _, x := range r.snap.Colleagues {
		colleague[string(x.ID)], gone[string(x.ID)] = true, x.Gone
	}
	// By colleague and mark. What a turn read on request and did not come to answer is
	// given back, and shown again.
	answered, shown := map[string]int{}, map[string]int{}
	for in, entries := range r.transcripts {
		for i, e := range entries {
			if !shows(e) {
				continue
			}
			count := answered
			if !slices.ContainsFunc(entries[i:], func(x office.Entry) bool { return x.Turn == e.Turn && x.Kind == office.EntryReply }) {
				count = shown
			}
			for _, m := range mark.FindAllString(e.Text, -1) {
				count[string(in.Colleague)+m]++
			}
		}
	}
	for i := range r.messages {
		m := &r.messages[i]
		is := mark.FindString(m.Text)
		if is == "" || m.Author.Kind != office.ByPerson || m.Origin != (office.Anchor{}) {
			continue
		}
		for _, d := range m.Deliveries {
			if strings.HasPrefix(d.Detail, "it answers what ") {
				c.wantAnswer(r, m, d)
				continue
			}
			n, more := answered[d.To+is], shown[d.To+is]
			if n > 1 || n+more == 0 && colleague[d.To] && !gone[d.To] {
				c.t.Errorf("%s (%s) was shown to %s and answered %d times, and shown %d times more; it was %s", m.Anchor(), is, d.Name, n, more, d.Outcome)
			}
		}
	}
}

// wantAnswer: what answered a question of a colleague's is the result of its call, or
// the call was cut off before it went on.
func (c *chaos) wantAnswer(r *record, m *office.Message, d office.Delivery) {
	c.t.Helper()
	is, found, cutOff := mark.FindString(m.Text), 0, false
	asks := map[string]bool{}
	for _, e := range r.transcripts[office.ContextID{Colleague: office.ColleagueID(d.To)}] {
		for _, call := range e.Calls {
			asks[call.ID] = asks[call.ID] || call.Name == "ask_user"
		}
		if e.Kind != office.EntryResult || !asks[e.CallID] {
			continue
		}
		if strings.Contains(e.Text, " answered:\n") && strings.Contains(e.Text, is) {
			found++
		}
		cutOff = cutOff || e.Failed
	}
	if found > 1 || found == 0 && !cutOff {
		c.t.Errorf("%s (%s) answered %s and is %d times in its transcript", m.Anchor(), is, d.Name, found)
	}
}

// wantOrder: within a conversation a colleague was shown what people said in the
// order in which it was said.
func (c *chaos) wantOrder(r *record) {
	c.t.Helper()
	said := map[string]*office.Message{}
	for i := range r.messages {
		if is := mark.FindString(r.messages[i].Text); is != "" && r.messages[i].Author.Kind == office.ByPerson && r.messages[i].Origin == (office.Anchor{}) {
			said[is] = &r.messages[i]
		}
	}
	for in, entries := range r.transcripts {
		last, again := map[office.ChannelID]*office.Message{}, map[string]bool{}
		for _, e := range entries {
			if !shows(e) {
				continue
			}
			for _, is := range mark.FindAllString(e.Text, -1) {
				m := said[is]
				if m == nil {
					c.t.Errorf("%v was shown %s, which is not in the record", in, is)
					continue
				}
				// What was given back and is shown again goes on from there.
				if before := last[m.Channel]; before != nil && before.No > m.No && !again[is] {
					c.t.Errorf("%v was shown %s after %s", in, m.Anchor(), before.Anchor())
				}
				last[m.Channel], again[is] = m, true
			}
		}
	}
}
