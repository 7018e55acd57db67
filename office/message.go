package office

import (
	"time"

	"bullpen/office/wake"
)

// AuthorKind says what kind of being wrote a message.
type AuthorKind string

// The kinds of author.
const (
	ByPerson    AuthorKind = "person"
	ByColleague AuthorKind = "colleague"
	ByOffice    AuthorKind = "office" // the product's own notices; they never wake anyone
)

// Author is who wrote a message, with the name it had then.
type Author struct {
	Kind AuthorKind `json:"kind"`
	ID   string     `json:"id,omitempty"`
	Name string     `json:"name"`
}

// Outcome is what became of a wake when its message was stored. It is stored
// with the message and never changes; what holds a delivery now is derived.
type Outcome string

// The outcomes, in the words of receipts and tool results.
const (
	Delivered    Outcome = "delivered"
	Steered      Outcome = "steered"
	Queued       Outcome = "queued"
	HopLimited   Outcome = "hop-limited"
	Paused       Outcome = "paused"
	DoNotDisturb Outcome = "do-not-disturb"
	OverBudget   Outcome = "over-budget"
	Silent       Outcome = "silent"
	OfDead       Outcome = "dead"
	Failed       Outcome = "failed"
	InMailbox    Outcome = "mailbox"
)

// Delivery is what became of one wake of one message.
type Delivery struct {
	To      string  `json:"to"` // a colleague's or, with outcome mailbox, a person's id
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail,omitempty"` // why, where it is not simply delivered
}

// Message is one entry of a channel.
type Message struct {
	// No is the message's number in the whole office: the order in which the
	// office took messages in, and the position of every viewer's cursor.
	No      int64     `json:"no"`
	Channel ChannelID `json:"channel"`
	Seq     int64     `json:"seq"`               // from 1 within the channel
	Root    int64     `json:"root,omitempty"`    // the thread it belongs to: the number of its first message
	ReplyTo int64     `json:"replyTo,omitempty"` // the message of this channel that it answers
	Author  Author    `json:"author"`
	// Text is what was said, unaltered. A person's may be up to MaxPersonText
	// long, a colleague's up to Limits.Message.
	Text string    `json:"text"`
	At   time.Time `json:"at"`
	Wake wake.Wake `json:"wake"`
	// Files came with it.
	Files []File `json:"files,omitempty"`
	// Note says why a person's message woke nobody although it tried to.
	Note string `json:"note,omitempty"`
	// Origin is the message that a mailbox copy was made of.
	Origin     Anchor     `json:"origin,omitzero"`
	Deliveries []Delivery `json:"deliveries,omitempty"`
	// Via is the portal through which it came; it is never shown there again.
	Via PortalID `json:"via,omitempty"`
	// Toward is the portal of the direct talk that it goes on, where a person has
	// several: it is shown there and nowhere else.
	Toward PortalID `json:"toward,omitempty"`
	// Version is the platform's stamp of the change that it shows, Edited and
	// Deleted what became of it.
	Version string `json:"version,omitempty"`
	Edited  bool   `json:"edited,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
	// Done says that its person has dealt with it, of mail.
	Done bool `json:"done,omitempty"`
	// Question offers a decision with the message: its id.
	Question string `json:"question,omitempty"`
	// Covers is what a summary stands for.
	Covers *Range `json:"covers,omitempty"`
	// Cut says that Text is only the beginning of what the record holds.
	Cut bool `json:"-"`
}

// MaxPersonText is the longest text of a person that the office takes in, in bytes.
const MaxPersonText = 1 << 20

// Anchor names the message.
func (m *Message) Anchor() Anchor { return Anchor{Channel: m.Channel, Seq: m.Seq} }

// thread is the number of the first message of the thread that it stands in or begins.
func (m *Message) thread() int64 {
	if m.Root != 0 {
		return m.Root
	}
	return m.Seq
}

// by says whether a person wrote the message.
func (m *Message) by(p PersonID) bool { return m.Author.Kind == ByPerson && m.Author.ID == string(p) }

// Receipt is what the writer of a message is told: where it stands and what
// became of each of its wakes.
type Receipt struct {
	Anchor     Anchor
	Wake       wake.Wake
	Note       string
	Deliveries []Delivery
	// Parked says that it waits to be taken in; nothing has been decided yet.
	Parked bool
	// Again says that this event had been taken in before; the rest is what was
	// decided then.
	Again bool
}

func receiptOf(m *Message) Receipt {
	return Receipt{Anchor: m.Anchor(), Wake: m.Wake, Note: m.Note, Deliveries: m.Deliveries}
}
