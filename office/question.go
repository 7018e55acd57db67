package office

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Question is a decision that the office asks of a person, with a button.
type Question struct {
	// ID cannot be guessed; it is used up when the question is decided.
	ID   string       `json:"id"`
	Conv Conversation `json:"conv"`
	At   time.Time    `json:"at"`
}

// tellHopLimit says once per conversation, there and to the owner, that
// colleagues waking each other have been stopped, with one button to let them
// go on. The office's own words wake nobody.
func (d *decision) tellHopLimit(m *Message, conv Conversation) {
	var held []string
	for _, x := range m.Deliveries {
		if x.Outcome == HopLimited {
			held = append(held, x.Name)
		}
	}
	if len(held) == 0 || d.openQuestion(conv) != nil {
		return
	}
	q := Question{ID: d.random(), Conv: conv, At: d.now}
	d.put(PutQuestion{q})
	text := fmt.Sprintf("%s is held for %s: colleagues have woken each other %d times in a row. Let them go on, or write there yourself.",
		m.Anchor(), strings.Join(held, ", "), d.s.Limits.Depth)
	by := Author{Kind: ByOffice, Name: "office"}
	if o := d.s.owner(); o != nil {
		d.mail(o, &Message{Author: by, Text: text, Origin: m.Anchor(), Wake: wake.Wake{Kind: wake.Nobody}, Question: q.ID})
	}
	if d.s.Channels[m.Channel].Kind != DirectChannel {
		n := &Message{Channel: m.Channel, Root: conv.Root, Author: by, Text: text, Wake: wake.Wake{Kind: wake.Nobody}, Question: q.ID}
		d.store(n)
	}
}

func (d *decision) openQuestion(conv Conversation) *Question {
	for _, id := range keys(d.s.Questions) {
		if q := d.s.Questions[id]; q.Conv == conv {
			return q
		}
	}
	return nil
}

// press is a person's answer to a question.
type press struct {
	ID string
	By PersonID
}

func (r press) decide(d *decision) (any, error) {
	who := d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, fmt.Errorf("only the owner and the admins may decide this")
	}
	q := d.s.Questions[r.ID]
	if q == nil {
		return nil, fmt.Errorf("this has been decided already")
	}
	d.put(DeleteQuestion{ID: q.ID})
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
	return fmt.Sprintf("%s lets them go on: %d message(s) released.", who.Name, allowed), nil
}

// decided drops the question of a conversation whose held messages are free.
func (d *decision) decided(conv Conversation) {
	q := d.openQuestion(conv)
	if q == nil {
		return
	}
	left := slices.ContainsFunc(keys(d.s.Items), func(id int64) bool { it := d.s.Items[id]; return it.Hop && it.Conv == conv })
	if !left {
		d.put(DeleteQuestion{ID: q.ID})
	}
}

// Audit is one line of what somebody had the office do.
type Audit struct {
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	From    string    `json:"from,omitempty"` // the platform or place
	What    string    `json:"what"`
	Outcome string    `json:"outcome"`
}

func (d *decision) audit(a Audit) {
	a.At = d.now
	d.put(AppendAudit{a})
}
