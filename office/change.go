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
	Send      int64 `json:"send"`      // the last outbox entry's ID
	Parked    int64 `json:"parked"`    // the last parked event's ID
	// Spent are the tokens of the office's day.
	Spent Spent `json:"spent,omitzero"`
	// Asked is the newest message when the idle notice last asked, IdleMissing that
	// it could not and the owner was told.
	Asked       int64 `json:"asked,omitempty"`
	IdleMissing bool  `json:"idleMissing,omitempty"`
	// Pause is the office's pause.
	Pause Pause `json:"pause,omitzero"`
	// Silence is that wakes are switched off.
	Silence Silence `json:"silence,omitzero"`
	// Roster counts changes of the roster.
	Roster int64 `json:"roster,omitempty"`
	// Made is what adapters made on their platforms: by what it stands for, such as
	// "discord role colleague:c1", what the platform calls it.
	Made map[string]string `json:"made,omitempty"`
	// Intent is the change of the roster that is being written to office.yaml.
	Intent Intent `json:"intent,omitzero"`
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
	// DropMessage takes a message out of the record; the archive has it. What
	// platforms call it stays known until DropNative says otherwise.
	DropMessage struct {
		Channel       ChannelID
		Seq, No, Root int64
	}
	// DropOld takes a row of a log out of the record, by its key: see Store.Old.
	DropOld struct {
		Log Log
		Key string
	}
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
	// PutPortal has the key Portal.ID.
	PutPortal struct{ Portal Portal }
	// PutNative records what a platform calls a message, or a part of it. Its key
	// is Native.Portal, Native.ID.
	PutNative struct{ Native Native }
	// DropNative forgets what a platform calls a message, by Native.Portal and
	// Native.ID, and what it said there before: its revisions.
	DropNative struct{ Native Native }
	// PutSend has the key Send.ID; DeleteSend removes a settled one.
	PutSend struct{ Send Send }
	// DeleteSend removes an entry of the outbox that has settled.
	DeleteSend struct{ ID int64 }
	// PutParked has the key Parked.ID; DeleteParked removes one that was taken in.
	PutParked struct{ Parked Parked }
	// DeleteParked removes an event that was taken in.
	DeleteParked struct{ ID int64 }
	// PutRevision archives what a message said before a change, or keeps a change
	// that came before its message.
	PutRevision struct{ Revision Revision }
	// PutQuestion has the key Question.ID; DeleteQuestion removes one that was decided.
	PutQuestion struct{ Question Question }
	// DeleteQuestion removes a question that was decided, or is none any more.
	DeleteQuestion struct{ ID string }
	// PutPairing has the key Pairing.Code.
	PutPairing struct{ Pairing Pairing }
	// DeletePairing removes one that was approved or whose time is up.
	DeletePairing struct{ Code string }
	// AppendUsage books what one model request used.
	AppendUsage struct{ Usage Usage }
	// AppendAudit records what somebody had the office do.
	AppendAudit struct{ Audit Audit }
	// PutCursor remembers up to which Message.No a viewer has shown.
	PutCursor struct {
		Viewer string
		No     int64
	}
)

func (PutMeta) isChange()        {}
func (PutColleague) isChange()   {}
func (PutPerson) isChange()      {}
func (DeletePerson) isChange()   {}
func (PutChannel) isChange()     {}
func (PutMessage) isChange()     {}
func (DropMessage) isChange()    {}
func (DropNative) isChange()     {}
func (DropOld) isChange()        {}
func (PutSeen) isChange()        {}
func (PutItem) isChange()        {}
func (DeleteItem) isChange()     {}
func (PutTurn) isChange()        {}
func (AppendEntry) isChange()    {}
func (DropEntry) isChange()      {}
func (PutCursor) isChange()      {}
func (PutPortal) isChange()      {}
func (PutNative) isChange()      {}
func (PutSend) isChange()        {}
func (DeleteSend) isChange()     {}
func (PutParked) isChange()      {}
func (DeleteParked) isChange()   {}
func (PutRevision) isChange()    {}
func (PutQuestion) isChange()    {}
func (DeleteQuestion) isChange() {}
func (PutPairing) isChange()     {}
func (DeletePairing) isChange()  {}
func (AppendUsage) isChange()    {}
func (AppendAudit) isChange()    {}

// Batch is what one commit writes: all of its changes, in order, or none.
type Batch struct {
	// N is the stored batch number plus one; ID tells a repetition of this very
	// batch, which succeeds without effect, from another one of that number.
	N       int64
	ID      string
	Changes []Change
}
