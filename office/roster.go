package office

import (
	"time"
)

// Role is what tools a colleague holds and the rung that $role calls.
type Role string

// The roles of colleagues, lowest first.
const (
	Member Role = "member"
	Leader Role = "leader"
)

// Boss is the role of the boss alone; it is no level, and on no roster.
const Boss Role = "boss"

// Colleague is one agent on the roster, with what office.yaml says of it.
type Colleague struct {
	ID    ColleagueID `json:"id"`
	Order int         `json:"order"` // its place in the declaration
	ColleagueSetup
	// Gone colleagues are off the roster; their messages keep their name.
	Gone bool `json:"gone,omitempty"`
	// Ephemeral colleagues are in the record alone, not in office.yaml, until they
	// are dismissed.
	Ephemeral bool `json:"ephemeral,omitempty"`
	// Joined is when it was hired, Left when it was dismissed; zero where it came
	// and goes with office.yaml.
	Joined time.Time `json:"joined,omitzero"`
	Left   time.Time `json:"left,omitzero"`
	// HiredBy is who hired it.
	HiredBy string `json:"hiredBy,omitempty"`
	// Dead is set while it is dead; Restarts are when it was lately stuck.
	Dead     Death       `json:"dead,omitzero"`
	Restarts []time.Time `json:"restarts,omitempty"`
	// Told is up to which change of the roster it has been told, if it leads.
	Told int64 `json:"told,omitempty"`
	// Call is the call that last hired, adopted or dismissed it, so that the same
	// call, run again after a crash, knows that it has succeeded.
	Call string `json:"call,omitempty"`
	// Onboard says that its onboarding turn is still to come.
	Onboard bool `json:"onboard,omitempty"`
	// Contexts says where each of its contexts begins: the working one (empty), and
	// those with people. One that is not listed begins with its first entry.
	Contexts map[PersonID]ContextMark `json:"contexts,omitempty"`
	// Spent are its tokens of the day.
	Spent Spent `json:"spent,omitzero"`
	// Quiet is its do-not-disturb.
	Quiet Quiet `json:"quiet,omitzero"`
	// LastActive is when its last turn ended; zero if it never ran.
	LastActive time.Time `json:"lastActive,omitzero"`
}

// ChannelKind says what a channel is.
type ChannelKind string

// The kinds of channel.
const (
	GeneralChannel ChannelKind = "general"
	GroupChannel   ChannelKind = "group"
	DirectChannel  ChannelKind = "direct"
	MailboxChannel ChannelKind = "mailbox"
)

// Channel is a place where messages stand in order.
type Channel struct {
	ID   ChannelID   `json:"id"`
	Kind ChannelKind `json:"kind"`
	// Name is what people call it: dev, or "alice ↔ bob".
	Name  string `json:"name"`
	Topic string `json:"topic,omitempty"`
	// Members are a group channel's subscribers or a direct channel's
	// colleagues; general's are the whole roster and are not listed.
	Members []ColleagueID `json:"members,omitempty"`
	// Person is whose mailbox it is, or the person of a direct channel.
	Person PersonID `json:"person,omitempty"`
	// DefaultWake is whom a person's message that addresses nobody wakes here.
	DefaultWake []string `json:"defaultWake,omitempty"`
	// Gone channels are deleted: nobody addresses them any more, and their messages stay.
	Gone bool `json:"gone,omitempty"`
	// FinalText overrides where the last words of a turn of this channel go.
	FinalText string `json:"finalText,omitempty"`
	// Ranges are those that summaries stand for, Archived the last of the numbers
	// that were too old to be kept.
	Ranges   []Range `json:"ranges,omitempty"`
	Archived int64   `json:"archived,omitempty"`
	// Last is the number of its newest message.
	Last int64 `json:"last"`
}

// Person is a human known to the office.
type Person struct {
	ID    PersonID `json:"id"`
	Name  string   `json:"name"`
	Owner bool     `json:"owner,omitempty"`
	Admin bool     `json:"admin,omitempty"`
	// Accounts are those that office.yaml lists, Paired those that were linked
	// since, by a code.
	Accounts []Account `json:"accounts,omitempty"`
	Paired   []Account `json:"paired,omitempty"`
	// Approved says that an admin let them in, rather than a channel's rule.
	Approved bool `json:"approved,omitempty"`
	// Mail are the platforms for what is sent to them, in order of preference; others
	// come after, by name.
	Mail []string `json:"mail,omitempty"`
	// Muted are the colleagues whose mail is filed and not shown on platforms.
	Muted []ColleagueID `json:"muted,omitempty"`
}

// Account is somebody on a platform, by the platform's own stable id. Names
// never count: anybody can take one.
type Account struct {
	Platform string `json:"platform"`
	ID       string `json:"id"`
}

// Status is what a colleague is doing.
type Status string

// The statuses.
const (
	Running Status = "running"
	Idle    Status = "idle"
	// QuotaRetry waits, within a turn, for its model's account.
	QuotaRetry Status = "quota-retry"
	Inactive   Status = "inactive" // never ran
	// Stuck runs, gave no sign of life, and was started again; Dead was so too often.
	Stuck Status = "stuck"
	Dead  Status = "dead"
)
