package office

import "time"

// Setup is what office.yaml says of an office: who is there and what bounds
// it. config makes it; Open compares it with the stored office and follows it.
type Setup struct {
	ID          string // the storage key
	Name        string // what people call the office
	Description string
	Timezone    string // an IANA name; empty is UTC
	People      []Person
	Channels    []ChannelSetup
	Colleagues  []ColleagueSetup // in the order of declaration
	Boss        *BossSetup       // nil: there is none
	FrontDesk   string           // a colleague's name: who answers a person's talk to the office itself
	IdleNotice  IdleNotice
	// MergeAll makes one turn of everything that waits for a working context, but
	// for what people asked elsewhere; otherwise each conversation has its own.
	MergeAll bool
	Limits   Limits
	// Windows says how many tokens the models of a provider take in, as far as that
	// is known: one hand-over fills a quarter of that at most.
	Windows map[string]int
	// Prices say what models cost, by their reference (provider:model-id), or by their
	// provider for all that are not there themselves. What is in neither way there
	// costs nobody knows what, which is never nothing.
	Prices map[string]Price
	// RolePermissions says what the colleagues of a role may do without being asked.
	RolePermissions map[Role]Preset
	// Env are the variables of all colleagues, as they are written.
	Env map[string]string
	// AskUserRoles are those that may ask people and wait for them (ask_user_roles).
	AskUserRoles []Role
}

// ChannelSetup declares a group channel, or settings of general.
type ChannelSetup struct {
	Name        string
	Topic       string
	Members     []string // colleagues' names
	DefaultWake []string // as in a tool's wake list
	// FinalText overrides where the last words of a turn go: FinalReply or
	// FinalPrivate; empty: to a person who asked.
	FinalText string
}

// ColleagueSetup declares a colleague.
type ColleagueSetup struct {
	Name string `json:"name"`
	Role Role   `json:"role"` // never empty: config fills in the default
	// RoleUnsaid says that nobody wrote its role: it leads while somebody reports to it.
	RoleUnsaid  bool     `json:"roleUnsaid,omitempty"`
	Description string   `json:"description,omitempty"`
	Model       string   `json:"model"` // provider:model-id
	Fallback    []string `json:"fallback,omitempty"`
	Thinking    string   `json:"thinking,omitempty"`
	Priority    int      `json:"priority,omitempty"` // higher goes first; normal is 0
	ReportsTo   string   `json:"reportsTo,omitempty"`
	Prompt      string   `json:"prompt,omitempty"` // prompt_inline
	Allow       []string `json:"allow,omitempty"`  // tools; empty is what the role holds
	Deny        []string `json:"deny,omitempty"`
	// Env are variables that it may see and its scripts find in their environment,
	// as they are written: ${VAR} stands for a value from elsewhere, which no record
	// keeps.
	Env map[string]string `json:"env,omitempty"`
	// Cwd is the folder of the machine that is its workspace, as it is written; empty
	// is a workspace of its own.
	Cwd string `json:"cwd,omitempty"`
	// Permission is the preset of its role, empty for full; the office fills it in.
	Permission Preset `json:"permission,omitempty"`
	// Approve are the tools that a person has to allow each call of.
	Approve []string `json:"approve,omitempty"`
	// AskUser says that it may ask people and wait for them (ask_user_roles).
	AskUser bool `json:"askUser,omitempty"`
	// SharedDM says that everybody's direct talk with it is in its working context
	// (dm_context: shared), so that it may tell each what the others said.
	SharedDM bool `json:"sharedDM,omitempty"`
}

// Limits keep an office sane. The zero value of a field means its default.
type Limits struct {
	// Message is the longest message of a colleague and how much of a person's
	// message is shown inline, in characters. Default 16,384.
	Message int
	// ConcurrentTurns is how many turns run at once in the office. Default 8.
	ConcurrentTurns int
	// Depth is how many colleagues may wake each other in a chain before a
	// person is asked. Default 8.
	Depth int
	// Queue is how many deliveries wait for one colleague before the oldest are
	// folded into one line. Default 1,000.
	Queue int
	// Steps is how many model requests one turn may take. Default 50.
	Steps int
	// Attempts is how many crashes one turn survives. Default 5.
	Attempts int
	// TurnTime is how long one attempt of a turn may take. Default 1 h.
	TurnTime time.Duration
	// Frame is how much text one hand-over may carry, in bytes, where the window of
	// the colleague's model is not known; what is over joins at a step's end or
	// waits. Default 128 KiB.
	Frame int
	// Posts is how many messages a colleague may post in one channel within
	// RateWindow, Messages how many it may send to colleagues. Default 5, 10, 30 s.
	Posts, Messages int
	RateWindow      time.Duration
	// QuietMost is the longest do-not-disturb. Default 4 h.
	QuietMost time.Duration
	// Cost and ColleagueCost bound what models cost in a day of the office's time
	// zone: all together, and each colleague. Default 20 and 5 USD.
	Cost, ColleagueCost Money
	// Tokens and ColleagueTokens bound what models read and write in a day. Zero
	// bounds only tokens whose price is unknown: 20 and 5 million of them.
	Tokens, ColleagueTokens int64
	// StuckAfter is how long a turn may give no sign of life. Default 2 min.
	StuckAfter time.Duration
	// SendTime is how long a send may take to leave, SettleTime how long nobody
	// looks for it after that. Default 10 s each.
	SendTime, SettleTime time.Duration
	// Retention is how long messages, closed turns, usage and audit lines stay in
	// the record before they are archived. Default 2160 h (90 days).
	Retention time.Duration
	// Parked is how many events of one portal may wait. Default 1,000.
	Parked int
	// FileSize is the biggest file that is taken from, or sent to, people, in bytes.
	// Default 20 MiB.
	FileSize int64
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Message, 16_384)
	def(&l.ConcurrentTurns, 8)
	def(&l.Depth, 8)
	def(&l.Queue, 1000)
	def(&l.Steps, 50)
	def(&l.Attempts, 5)
	def(&l.Frame, 128<<10)
	def(&l.Parked, 1000)
	def(&l.Posts, 5)
	def(&l.Messages, 10)
	if l.Cost <= 0 {
		l.Cost = 20 * Dollar
	}
	if l.ColleagueCost <= 0 {
		l.ColleagueCost = 5 * Dollar
	}
	if l.FileSize <= 0 {
		l.FileSize = 20 << 20
	}
	if l.RateWindow <= 0 {
		l.RateWindow = 30 * time.Second
	}
	if l.Retention <= 0 {
		l.Retention = 90 * 24 * time.Hour
	}
	if l.QuietMost <= 0 {
		l.QuietMost = 4 * time.Hour
	}
	if l.TurnTime <= 0 {
		l.TurnTime = time.Hour
	}
	if l.StuckAfter <= 0 {
		l.StuckAfter = 2 * time.Minute
	}
	if l.SendTime <= 0 {
		l.SendTime = 10 * time.Second
	}
	if l.SettleTime <= 0 {
		l.SettleTime = 10 * time.Second
	}
	return l
}
