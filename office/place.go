package office

import (
	"fmt"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Placed is what a person wrote to the office's bot although it calls a whole
// room: it is posted where that is once the person says so.
type Placed struct {
	Text  string      `json:"text"`
	Spans []wake.Span `json:"spans,omitempty"`
	Files []File      `json:"files,omitempty"`
}

// placeLife is how long a person may think about where something goes.
const placeLife = 24 * time.Hour

// wantsRoom is the channel that a direct talk's wake is meant for; nil if it
// calls no room. A level calls the whole office, in general.
func (d *decision) wantsRoom(w wake.Wake) *Channel {
	switch w.Kind {
	case wake.Level:
		return d.s.Channels[General]
	case wake.Channel:
		if ch := d.s.Channels[ChannelID(w.Channel)]; ch != nil && ch.open() {
			return ch
		}
	}
	return nil
}

// askPlace asks the writer of m, which stands in a direct talk, whether it is to
// be posted in ch, where it wakes whom it calls. One such question is open for
// each person.
func (d *decision) askPlace(who *Person, ch *Channel, m *Message, said Placed) {
	for _, id := range keys(d.s.Questions) {
		if q := d.s.Questions[id]; q.Kind == PlaceQuestion && q.may(who) {
			d.closeQuestion(q, "This is asked no more.")
		}
	}
	q := Question{
		ID: d.random(), Kind: PlaceQuestion, Conv: Conversation{Channel: ch.ID}, For: []PersonID{who.ID}, Placed: &said,
		Text:    fmt.Sprintf("This calls a whole room, and this is a direct talk: nobody was woken. Post it in #%s?", ch.Name),
		Options: []string{cut("Post it in #"+ch.Name, LabelMost), "No"}, At: d.now, Until: d.now.Add(placeLife),
	}
	d.put(PutQuestion{q})
	d.store(&Message{
		Channel: m.Channel, ReplyTo: m.Seq, Author: Author{Kind: ByOffice, Name: "office"}, Toward: m.Via,
		Wake: wake.Wake{Kind: wake.Nobody}, Text: q.Text, Question: q.ID,
	})
}

// putWhere posts what was asked about, or does not. The text says what became of it.
func (d *decision) putWhere(q *Question, who *Person, a response) string {
	ch := d.s.Channels[q.Conv.Channel]
	switch {
	case a.option != 0 || q.Placed == nil:
		return "It is not posted."
	case ch == nil || !ch.open():
		return "It is not posted: the channel is gone."
	}
	m := d.takeIn(incoming{who: who, ch: ch, text: q.Placed.Text, spans: q.Placed.Spans, files: q.Placed.Files})
	if m.Note != "" {
		return fmt.Sprintf("Posted as %s. Nobody was woken: %s.", m.Anchor(), strings.TrimSuffix(m.Note, "."))
	}
	return fmt.Sprintf("Posted as %s. %s.", m.Anchor(), Told(m.Deliveries))
}
