package office

import (
	"fmt"
	"strconv"
	"strings"
)

// ColleagueID names a colleague for ever: a rename does not change it.
type ColleagueID string

// PersonID names a person: the key in office.yaml's people, or "user" for the
// owner of an office that lists nobody.
type PersonID string

// ChannelID names a channel; it begins every anchor of the channel's messages.
type ChannelID string

// General is the channel of everyone. It cannot be deleted.
const General ChannelID = "general"

// DefaultOwner is the owner's id where office.yaml names none.
const DefaultOwner PersonID = "user"

const (
	mailboxPrefix = "mailbox-"
	directPrefix  = "dm-"
)

// MailboxOf is the channel that holds a person's mail.
func MailboxOf(p PersonID) ChannelID { return ChannelID(mailboxPrefix + string(p)) }

// DirectWithPerson is the direct channel between a colleague and a person.
func DirectWithPerson(c ColleagueID, p PersonID) ChannelID {
	return ChannelID(directPrefix + string(c) + "-" + string(p))
}

// DirectBetween is the direct channel of two colleagues, the same from both sides.
func DirectBetween(a, b ColleagueID) ChannelID {
	if b < a {
		a, b = b, a
	}
	return ChannelID(directPrefix + string(a) + "-" + string(b))
}

// Anchor names one message: its channel and its number there.
type Anchor struct {
	Channel ChannelID `json:"channel,omitempty"`
	Seq     int64     `json:"seq,omitempty"`
}

// String is the anchor as people and colleagues write it: general-12.
func (a Anchor) String() string { return string(a.Channel) + "-" + strconv.FormatInt(a.Seq, 10) }

// ParseAnchor reads what String wrote.
func ParseAnchor(s string) (Anchor, error) {
	i := strings.LastIndexByte(s, '-')
	if i > 0 {
		if n, err := strconv.ParseInt(s[i+1:], 10, 64); err == nil && n > 0 {
			return Anchor{Channel: ChannelID(s[:i]), Seq: n}, nil
		}
	}
	return Anchor{}, fmt.Errorf("%q is not an anchor: write a channel and a number, like general-12", s)
}

// Conversation is where an answer belongs: a channel's top level (Root 0), one
// thread of it (the number of the thread's first message), or a direct channel.
type Conversation struct {
	Channel ChannelID `json:"channel,omitempty"`
	Root    int64     `json:"root,omitempty"`
}

// key is the conversation as a map key in words.
func (c Conversation) key() string { return Anchor{Channel: c.Channel, Seq: c.Root}.String() }

// ContextID names one transcript of a colleague: the working context (Person
// empty) or the private one of a person who talks to it directly.
type ContextID struct {
	Colleague ColleagueID `json:"colleague"`
	Person    PersonID    `json:"person,omitempty"`
}
