package office

import (
	"context"
	"fmt"

	"bullpen/office/wake"
)

// Preview says what a text of a person would do if it were posted now.
type Preview struct {
	// Wake is whom it addresses, as it is written; Note why it would wake nobody
	// although it tries to.
	Wake, Note string
	Deliveries []Delivery
}

// Preview tells whom a text of a person in a channel would wake, and with which
// outcome. Nothing is stored.
func (o *Office) Preview(ctx context.Context, by PersonID, channel ChannelID, text string, spans []wake.Span) (Preview, error) {
	return lookFor(ctx, o, func(s *State) (Preview, error) {
		return newDecision(s, o.now(), nil).preview(by, channel, text, spans)
	})
}

func (d *decision) preview(by PersonID, channel ChannelID, text string, spans []wake.Span) (Preview, error) {
	who, ch := d.s.People[by], d.s.Channels[channel]
	if who == nil {
		return Preview{}, fmt.Errorf("nobody called %q is known to this office", by)
	}
	if ch == nil || ch.Kind == MailboxChannel || ch.Kind == DirectChannel {
		return Preview{}, fmt.Errorf("there is no channel %q to write to; there are %s", channel, d.s.channelNames())
	}
	w, note := d.addressed(incoming{who: who, ch: ch, text: text, spans: spans})
	p := Preview{Wake: w.Address(d.names()), Note: note}
	for _, id := range w.People {
		if person := d.s.People[PersonID(id)]; person != nil {
			p.Deliveries = append(p.Deliveries, Delivery{To: id, Name: person.Name, Outcome: InMailbox})
		}
	}
	e := errand{conv: Conversation{Channel: ch.ID}, fromPerson: true, turnEnd: true, ask: w.Kind == wake.Names}
	for _, to := range d.audience(w, ch, "") {
		outcome, detail := d.outcome(to, e)
		p.Deliveries = append(p.Deliveries, Delivery{To: string(to.ID), Name: to.Name, Outcome: outcome, Detail: detail})
	}
	return p, nil
}
