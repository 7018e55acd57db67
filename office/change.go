package office

import "time"

// Change is one typed change of an office's record. A batch of them is what a
// commit makes durable; State.apply gives each its meaning in memory, a Store
// its place on disk. Neither decides anything.
type Change interface{ isChange() }

// Meta holds the office's counters. They only grow, and never depend on a
// clock: order comes from here.
type Meta struct {
	Message   int64 `json:"message"`   // the last message's No
	Item      int64 `json:"item"`      // the last item's ID
	Turn      int64 `json:"turn"`      // the last turn's ID
	Entry     int64 `json:"entry"`     // the last transcript entry's N
	Colleague int64 `json:"colleague"` // the last colleague's number
}

// The changes. A Put replaces what has the same key.
type (
	// PutMeta replaces the counters.
	PutMeta struct{ Meta Meta }
	// PutColleague has the key Colleague.ID.
	PutColleague struct{ Colleague Colleague }
	// PutPerson has the key Person.ID.
	PutPerson struct{ Person Person }
	// DeletePerson removes a person; messages keep the name.
	DeletePerson struct{ ID PersonID }
	// PutChannel has the key Channel.ID.
	PutChannel struct{ Channel Channel }
	// PutMessage has the key Message.Channel, Message.Seq.
	PutMessage struct{ Message *Message }
	// PutSeen records that an event was taken in as a message.
	PutSeen struct {
		Event  string
		Anchor Anchor
		At     time.Time
	}
	// PutItem has the key Item.ID; Item.Body is not stored.
	PutItem struct{ Item Item }
	// DeleteItem removes an item that reached its colleague or was dropped.
	DeleteItem struct{ ID int64 }
	// PutTurn has the key Turn.ID. A turn that is no longer open leaves the
	// state and stays in the record.
	PutTurn struct{ Turn Turn }
	// AppendEntry adds to a transcript.
	AppendEntry struct{ Entry Entry }
	// DropEntry takes an entry back that no recorded answer has seen.
	DropEntry struct {
		In ContextID
		N  int64
	}
	// PutCursor remembers up to which Message.No a viewer has shown.
	PutCursor struct {
		Viewer string
		No     int64
	}
)

func (PutMeta) isChange()      {}
func (PutColleague) isChange() {}
func (PutPerson) isChange()    {}
func (DeletePerson) isChange() {}
func (PutChannel) isChange()   {}
func (PutMessage) isChange()   {}
func (PutSeen) isChange()      {}
func (PutItem) isChange()      {}
func (DeleteItem) isChange()   {}
func (PutTurn) isChange()      {}
func (AppendEntry) isChange()  {}
func (DropEntry) isChange()    {}
func (PutCursor) isChange()    {}

// Batch is what one commit writes: all of its changes, in order, or none.
type Batch struct {
	// N is the stored batch number plus one; ID tells a repetition of this very
	// batch, which succeeds without effect, from another one of that number.
	N       int64
	ID      string
	Changes []Change
}
