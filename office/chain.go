package office

import (
	"fmt"
	"strings"

	"bullpen/office/wake"
)

// tellHopLimit says once per conversation, there and to the owner, that
// colleagues waking each other have been stopped, with one button to let them
// go on. The office's own words wake nobody.
func (d *decision) tellHopLimit(m *Message, e errand) {
	conv := e.conv
	var held []string
	for _, x := range m.Deliveries {
		hops := d.s.hopsIn(laneKey{ColleagueID(x.To), e.person, conv})
		if n := len(hops); n > 0 && hops[n-1].Message == m.Anchor() {
			held = append(held, x.Name)
		}
	}
	if len(held) == 0 || d.openChain(conv) != nil {
		return
	}
	text := fmt.Sprintf("%s is held for %s: colleagues have woken each other %d times in a row. Let them go on, or write there yourself.",
		m.Anchor(), strings.Join(held, ", "), d.s.Limits.Depth)
	q := Question{ID: d.random(), Kind: ChainQuestion, Conv: conv, Text: text, Options: []string{"Let them go on"}, At: d.now}
	d.put(PutQuestion{q})
	by := Author{Kind: ByOffice, Name: "office"}
	if o := d.s.owner(); o != nil {
		d.mail(o, &Message{Author: by, Text: text, Origin: m.Anchor(), Wake: wake.Wake{Kind: wake.Nobody}, Question: q.ID})
	}
	// What two colleagues say to each other no person reads.
	if ch := d.s.Channels[conv.Channel]; ch.Kind != DirectChannel || ch.Person != "" {
		n := &Message{Channel: conv.Channel, Root: conv.Root, Author: by, Text: text, Wake: wake.Wake{Kind: wake.Nobody}, Question: q.ID}
		d.store(n)
	}
}

// openChain is the question whether the chain of a conversation may go on.
func (d *decision) openChain(conv Conversation) *Question {
	for _, id := range keys(d.s.Questions) {
		if q := d.s.Questions[id]; q.Kind == ChainQuestion && q.Conv == conv {
			return q
		}
	}
	return nil
}

// letGoOn releases what the depth limit holds in the question's conversation.
func (d *decision) letGoOn(q *Question, who *Person) string {
	allowed := 0
	for _, id := range keys(d.s.Items) {
		if it := d.s.Items[id]; it.Hop && it.Conv == q.Conv {
			free := *it
			// A chain that was allowed begins anew.
			free.Hop, free.Depth = false, 1
			d.put(PutItem{free})
			allowed++
		}
	}
	d.audit(Audit{By: who.Name, What: "let colleagues go on in " + q.Conv.key(), Outcome: fmt.Sprintf("%d released", allowed)})
	return fmt.Sprintf("%s lets them go on: %d message(s) released.", who.Name, allowed)
}

// decided drops the question of a conversation whose held messages are free.
func (d *decision) decided(conv Conversation) {
	if d.s.backlog.hops[conv] > 0 {
		return
	}
	if q := d.openChain(conv); q != nil {
		d.closeQuestion(q, "They go on.")
	}
}
