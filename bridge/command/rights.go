package command

import "slices"

// Way is how something reached the office.
type Way string

// The ways in.
const (
	BySlash   Way = "slash"        // a command of the platform's own
	ByText    Way = "text"         // a text in a channel that begins with a slash
	ByMention Way = "mention"      // a text that calls the office's bot
	ByDirect  Way = "dm"           // a text in a talk with the office's bot
	ByButton  Way = "button"       // a button or a form
	ByShell   Way = "command line" // a shell at the office's folder
	ByConsole Way = "console"      // the terminal in which the office runs

	// The ways by which nothing is ever commanded.
	ByEdit     Way = "edit"     // a message that was changed
	ByForward  Way = "forward"  // somebody else's words, passed on
	ByReplay   Way = "replay"   // read back from the history
	ByReaction Way = "reaction" // an emoji under a message
	ByTool     Way = "tool"     // a colleague's call
	BySchedule Way = "schedule" // the clock
)

// commanding are the ways by which commands are given; there are no others.
var commanding = map[Way]bool{
	BySlash: true, ByText: true, ByMention: true, ByDirect: true, ByButton: true, ByShell: true, ByConsole: true,
}

// Sender is who gives a command, as far as rights go.
type Sender string

// The senders.
const (
	OwnerSender  Sender = "owner"
	AdminSender  Sender = "admin"
	PersonSender Sender = "person"

	// A colleague gives no command; its tools do what the commands do, by the same
	// table, for those who lead: any leader, or the one to whom the colleague that
	// it is about reports, directly or through others.
	Leader       Sender = "leader"
	ItsOwnLeader Sender = "colleague's leader"

	// Those who have no right at all.
	Stranger  Sender = "stranger"              // nobody knows them
	Guest     Sender = "guest"                 // of the workspace, and not listed
	Foreign   Sender = "member of another one" // of another workspace, whatever they are there
	Gone      Sender = "deleted account"       //
	Bot       Sender = "bot"                   //
	Colleague Sender = "colleague"             // one of our own
)

// ranks are the people with rights, needs what each right takes of them. What
// is in neither has none.
var (
	ranks = map[Sender]int{PersonSender: 1, AdminSender: 2, OwnerSender: 3}
	needs = map[Right]int{Anyone: 1, Leaders: 2, Leads: 2, Admins: 2, Owner: 3}
)

// byTool are the colleagues for whom a right is, by their tools alone. Nobody
// reports to a person, so that leading gives people no right.
var byTool = map[Right][]Sender{Leaders: {Leader, ItsOwnLeader}, Leads: {ItsOwnLeader}}

// Allowed is the one table of rights: whether a sender may use a command of a
// right by this way in. Whatever it does not name is forbidden.
func Allowed(way Way, s Sender, r Right) bool {
	if way == ByTool {
		return slices.Contains(byTool[r], s)
	}
	need := needs[r]
	return commanding[way] && need > 0 && ranks[s] >= need
}

// who names those who have a right, for refusals.
func (r Right) who() string {
	switch r {
	case Owner:
		return "the owner"
	case Admins, Leaders, Leads:
		return "the owner and the admins"
	default:
		return "people"
	}
}

// For says for whom a command is, with the colleagues who do the same by a tool.
func (c *Command) For() string {
	switch c.Right {
	case Leaders:
		return c.Right.who() + ", and for leaders by their tool " + c.Tool
	case Leads:
		return c.Right.who() + ", and for leaders by their tool " + c.Tool + ", of those who report to them"
	default:
		return c.Right.who()
	}
}

// Refusal says that a command is not for who gave it.
type Refusal struct{ Sentence string }

// Error is the sentence for who may not.
func (e *Refusal) Error() string { return e.Sentence }

// refuse says why a call is not allowed, and nil if it is.
func refuse(c Call, r Right, what string) error {
	switch {
	case Allowed(c.Way, c.Sender, r):
		return nil
	case !commanding[c.Way]:
		return &Refusal{"no command is taken from " + article(string(c.Way)) + "; type it yourself"}
	case ranks[c.Sender] == 0:
		return &Refusal{"commands are for the people of this office, and you are not known as one of them; an admin can let you in"}
	default:
		return &Refusal{what + " is for " + r.who() + " of this office"}
	}
}

func article(noun string) string {
	switch noun[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + noun
	default:
		return "a " + noun
	}
}
