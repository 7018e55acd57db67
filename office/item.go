package office

// Item is one delivery that will start or join a turn of its colleague. It
// waits (Turn 0), or a turn holds it until that turn ends.
type Item struct {
	// ID is the office's own counter: within a conversation a colleague sees
	// items in this order.
	ID      int64       `json:"id"`
	To      ColleagueID `json:"to"`
	Message Anchor      `json:"message"`
	// Person is whose private context it belongs to; empty is the working one.
	Person  PersonID     `json:"person,omitempty"`
	Conv    Conversation `json:"conv"`
	Outcome Outcome      `json:"outcome"` // as decided at arrival
	// TurnEnd items never join a turn of another conversation.
	TurnEnd bool `json:"turnEnd,omitempty"`
	// Ask marks what a person waits for an answer to: a turn that it starts or
	// joins posts its final text in Conv.
	Ask bool `json:"ask,omitempty"`
	// FromPerson resets the depth of what the turn causes.
	FromPerson bool `json:"fromPerson,omitempty"`
	// Quiet items ride with a turn or a boundary and start none themselves.
	Quiet bool `json:"quiet,omitempty"`
	// Hop items are over the depth limit and wait until somebody allows them.
	Hop   bool `json:"hop,omitempty"`
	Depth int  `json:"depth,omitempty"`
	// For is the person's conversation that the asking colleague was working
	// for, on a direct message between colleagues.
	For Conversation `json:"for,omitzero"`
	// AskedIn is the context in which the colleague that wrote it was working, which
	// what comes of it belongs to.
	AskedIn PersonID `json:"askedIn,omitempty"`

	// Folded older deliveries were dropped from a full queue in this one's
	// favour; FoldedFrom is the first of them.
	Folded     int    `json:"folded,omitempty"`
	FoldedFrom Anchor `json:"foldedFrom,omitzero"`

	Turn int64 `json:"turn,omitempty"` // the turn that holds it
	Step int   `json:"step,omitempty"` // the step before which it joined; 0 if it started the turn

	// Body is the message itself, its text cut at Limits.Message. It is not
	// stored with the item: a store fills it in when it loads the item.
	Body *Message `json:"-"`
}

// asker is the colleague that wrote it to its own; empty if it is a note, or
// somebody else's.
func (it *Item) asker() ColleagueID {
	if it.Quiet || it.Body.Author.Kind != ByColleague {
		return ""
	}
	return ColleagueID(it.Body.Author.ID)
}
