package office

import (
	"encoding/json"
	"slices"
	"time"
)

// TurnState says whether a turn still runs and how it ended.
type TurnState string

// The states of a turn.
const (
	TurnOpen        TurnState = "open"
	TurnDone        TurnState = "done"
	TurnFailed      TurnState = "failed"
	TurnInterrupted TurnState = "interrupted"
)

// Turn is one run of a colleague in one context, from the messages that
// started it to its last step.
type Turn struct {
	ID        int64        `json:"id"`
	Colleague ColleagueID  `json:"colleague"`
	Person    PersonID     `json:"person,omitempty"` // whose private context; empty is the working one
	Conv      Conversation `json:"conv"`             // where its answer belongs; fixed at the start
	State     TurnState    `json:"state"`
	Reason    string       `json:"reason,omitempty"` // how it ended, if not well
	// Attempt fences: what an earlier attempt still says is refused.
	Attempt int `json:"attempt"`
	// Crashes counts the attempts that a crash cut short.
	Crashes int  `json:"crashes,omitempty"`
	Parked  bool `json:"parked,omitempty"` // left behind by an orderly stop
	// Step counts the model's recorded answers.
	Step    int       `json:"step"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	Depth   int       `json:"depth,omitempty"` // of the deepest message given since the last person's
	// Ask says that a person waits for the final text, in Conv; ReplyTo is the
	// newest message that asked.
	Ask     bool  `json:"ask,omitempty"`
	ReplyTo int64 `json:"replyTo,omitempty"`
	// Toward is the portal through which that came; empty for none.
	Toward PortalID `json:"toward,omitempty"`
	// For is the person's conversation for which a colleague that asked it directly
	// was working; of several the newest.
	For Conversation `json:"for,omitzero"`
	// SentTo are the colleagues to whom it has written since it was last given a
	// message of theirs.
	SentTo []ColleagueID `json:"sentTo,omitempty"`
	// Calls are those of the last recorded answer.
	Calls []Call `json:"calls,omitempty"`
	// Answered says that the last step with calls posted in Conv and woke no
	// colleague with it: that was the answer, and no final text follows.
	Answered bool `json:"answered,omitempty"`
	// Waiting is until when it waits for its model's exhausted account.
	Waiting time.Time `json:"waiting,omitzero"`
	// Unseen are the frames and notices that came since the last recorded answer.
	Unseen []int64 `json:"unseen,omitempty"`
	// Reads are the results that showed messages since then, as office_read_notifications does.
	Reads []CallRead `json:"reads,omitempty"`
	// Stuck is when it was last started again because it gave no sign of life;
	// zero once it has given an answer since.
	Stuck time.Time `json:"stuck,omitzero"`
	// Onboarding turns are started by a hire, not by a message, and have no
	// conversation.
	Onboarding bool `json:"onboarding,omitempty"`
	// Streams are the messages that grow while it writes its answer, one a portal.
	Streams []Stream `json:"streams,omitempty"`
	// Notice waits to be told to the model before its next request.
	Notice string `json:"notice,omitempty"`
}

// Context is the transcript that the turn continues.
func (t *Turn) Context() ContextID { return ContextID{Colleague: t.Colleague, Person: t.Person} }

// sent remembers that the turn has written to a colleague.
func (t *Turn) sent(to ColleagueID) {
	if !slices.Contains(t.SentTo, to) {
		t.SentTo = append(slices.Clone(t.SentTo), to)
	}
}

// Ref is what a turn's runner shows to prove that it is the current attempt.
func (t *Turn) Ref() TurnRef { return TurnRef{Turn: t.ID, Attempt: t.Attempt} }

// TurnRef names one attempt of one turn.
type TurnRef struct {
	Turn    int64
	Attempt int
}

// CallClass says what may be done about a call that a crash cut short.
type CallClass string

// The classes of calls.
const (
	// OfficeCall is decided by the office itself and commits with its result.
	OfficeCall CallClass = "office"
	// PureCall has no effects: it is run again.
	PureCall CallClass = "pure"
	// EffectCall may have run: it is never run again by us.
	EffectCall CallClass = "effect"
)

// Call is one tool call of the model's last answer. It is keyed (turn, step,
// call): Key is its position, since providers' ids may repeat.
type Call struct {
	Key   int       `json:"key"`
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Class CallClass `json:"class"`
	Done  bool      `json:"done,omitempty"`
	// Question is what a person is asked before it goes on: for its result, or for
	// leave to run. Answer is the result, once it is known, Allowed the leave.
	Question string  `json:"question,omitempty"`
	Answer   *Result `json:"answer,omitempty"`
	Allowed  bool    `json:"allowed,omitempty"`
}

// CallRead is a call's result that shows messages: its entry, and the call's id.
type CallRead struct {
	N  int64  `json:"n"`
	ID string `json:"id"`
}

// EntryKind says what an entry of a transcript is.
type EntryKind string

// The kinds of entry.
const (
	EntryFrame  EntryKind = "frame"  // messages handed to the colleague
	EntryNotice EntryKind = "notice" // what the office tells the colleague about its own turn
	EntryReply  EntryKind = "reply"  // the model's answer with its calls
	EntryResult EntryKind = "result" // what one call returned
	// EntrySummary stands for the oldest part of its context: see ContextMark.
	EntrySummary EntryKind = "summary"
)

// Entry is one entry of a transcript, in terms of no provider.
type Entry struct {
	N      int64      `json:"n"` // the office's counter; ascending within a context
	In     ContextID  `json:"in"`
	Turn   int64      `json:"turn"`
	Step   int        `json:"step"`
	Kind   EntryKind  `json:"kind"`
	At     time.Time  `json:"at"`
	Text   string     `json:"text,omitempty"`
	Calls  []ToolCall `json:"calls,omitempty"`  // of a reply
	CallID string     `json:"callID,omitempty"` // of a result
	Failed bool       `json:"failed,omitempty"` // of a result
	// Structure is what a result says for programs; models do not see it.
	Structure json.RawMessage `json:"structure,omitempty"`
	// Items are those that a frame shows.
	Items []int64 `json:"items,omitempty"`
	// Files names messages of a frame of which something is to stand in the
	// colleague's workspace: a text that is too long for a frame, or files.
	Files []Anchor `json:"files,omitempty"`
	// Extra is the provider's own matter: see model.Message.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// ToolCall is a call as the model wrote it.
type ToolCall struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args"`
	Broken string          `json:"broken,omitempty"`
}
