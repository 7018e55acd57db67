package office

import (
	"fmt"

	"bullpen/office/wake"
)

// IdleNotice is a question that the office asks when nobody has anything to do
// any more and something was written since it last asked.
type IdleNotice struct {
	Enabled bool
	Channel string   // where it is asked; empty: general
	Wake    []string // as in a tool's wake list; empty: ["$leader"]
	Text    string   // empty: defaultIdleText
}

const defaultIdleText = "Everybody has finished. Is there anything left to do, or anybody to tell? If not, say nothing."

// idleNotice asks, at a moment when the last running turn has just ended and
// nobody is ready. It never asks again by itself: its own message and the copies
// of it do not count as written.
func (d *decision) idleNotice() {
	n := d.s.Setup.IdleNotice
	switch {
	case !n.Enabled, len(d.ended) == 0, len(d.s.Turns) > 0, d.s.Closing:
		return
	case d.s.Meta.Pause.On, d.s.Meta.Silence.On, d.s.Meta.Message <= d.s.Meta.Asked:
		return
	}
	ch, w, err := d.idleWake(n)
	if err != nil {
		d.idleMissing(err)
		return
	}
	text := n.Text
	if text == "" {
		text = defaultIdleText
	}
	m := &Message{Channel: ch.ID, Author: Author{Kind: ByOffice, Name: "office"}, Text: text, Wake: w}
	d.store(m)
	d.copyToMailboxes(m, nil)
	for _, to := range d.audience(w, ch, "") {
		d.deliver(m, to, errand{conv: Conversation{Channel: ch.ID}, depth: 1})
	}
	d.meta = true
	d.s.Meta.Asked, d.s.Meta.IdleMissing = d.s.Meta.Message, false
}

// idleWake is where and whom the notice asks, or why that is nobody.
func (d *decision) idleWake(n IdleNotice) (*Channel, wake.Wake, error) {
	name := n.Channel
	if name == "" {
		name = string(General)
	}
	var ch *Channel
	for _, id := range keys(d.s.Channels) {
		c := d.s.Channels[id]
		if !c.Gone && (c.Kind == GeneralChannel || c.Kind == GroupChannel) && wake.Fold(c.Name) == wake.Fold(name) {
			ch = c
		}
	}
	if ch == nil {
		return nil, wake.Wake{}, fmt.Errorf("there is no channel %q; there are %s", oneLine(name, nameLimit), d.s.channelNames())
	}
	list := n.Wake
	if len(list) == 0 {
		list = []string{"$" + string(Leader)}
	}
	w, err := wake.ParseList(list, d.names())
	if err != nil {
		return nil, wake.Wake{}, err
	}
	if len(d.audience(w, ch, "")) == 0 && len(w.People) == 0 {
		return nil, wake.Wake{}, fmt.Errorf("it wakes nobody: %s reaches no colleague in #%s", w.Address(d.names()), ch.Name)
	}
	return ch, w, nil
}

// idleMissing tells the owner once that the notice cannot be asked; it is tried
// again at every idle moment.
func (d *decision) idleMissing(why error) {
	if d.s.Meta.IdleMissing {
		return
	}
	d.meta = true
	d.s.Meta.IdleMissing = true
	d.tellOwner(fmt.Sprintf("The idle notice cannot be asked: %s. It is tried again; mend it under office.idle_notice in office.yaml.", why))
}

// CheckIdleNotice says why the idle notice of a setup could never reach anybody.
func CheckIdleNotice(s Setup) error {
	if !s.IdleNotice.Enabled {
		return nil
	}
	state := newState(s)
	d := &decision{s: state, at: map[recordKey]int{}, grown: map[int64][]Entry{}, random: func() string { return "" }}
	if _, err := (configure{s}).decide(d); err != nil {
		return err
	}
	_, _, err := d.idleWake(s.IdleNotice)
	return err
}
