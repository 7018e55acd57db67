// Package command holds every command that people can type, once: its name, its
// typed arguments, its help, who may use it, and its code. Nothing about a
// platform is in it; each adapter shows the same set in its platform's form.
//
// A command is one file with one call of add. It then stands in the help, in
// every platform's menu and in the shell.
package command

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"bullpen/office"
)

// Root is the noun that a command belongs to. Discord allows a command 25
// subcommands, so that one noun does not do for all.
type Root string

// The roots that there are.
const (
	OfficeRoot  Root = "office"
	ChannelRoot Root = "channel"
	AgentRoot   Root = "agent"
)

// roots are the roots in their order, with a line for each of at most 100 characters.
var roots = []struct {
	root Root
	help string
}{
	{OfficeRoot, "The office: who is there, what they do, and how it runs."},
	{ChannelRoot, "The office's channels."},
	{AgentRoot, "The colleagues: who is on the roster and how each is set up."},
}

// AdminBundle is the group of the office's commands that are rarely needed.
const AdminBundle = "admin"

// BundleHelp is the line about a bundle of commands.
const BundleHelp = "What is rarely needed, for the owner and the admins."

// Right says who may use a command.
type Right string

// The rights, the weakest first.
const (
	Anyone  Right = "person"             // every person known to the office
	Leaders Right = "leader"             // the owner, the admins, and leaders by their tools
	Leads   Right = "colleague's leader" // the same, but of leaders its own alone
	Admins  Right = "admin"              // the owner and the admins
	Owner   Right = "owner"
)

// Group is the heading under which help lists a command.
type Group string

// The headings, in their order.
const (
	Look   Group = "Look"
	Talk   Group = "Talk"
	Steer  Group = "Steer"
	People Group = "People and places"
	About  Group = "About"
)

var groups = []Group{Look, Talk, Steer, People, About}

// Where some commands are to be had and others not.
const (
	Console = "console" // the terminal in which the office runs
	Shell   = "shell"   // the command line of another terminal
)

// Kind says what an argument is.
type Kind string

// The kinds of argument.
const (
	ColleagueKind Kind = "colleague" // a name on the roster
	TalkKind      Kind = "partner"   // the same, or the boss for whom it works
	ChannelKind   Kind = "channel"   // general or a group channel
	PersonKind    Kind = "person"
	PlaceKind     Kind = "place"   // a channel, or a direct talk with a colleague
	TextKind      Kind = "text"    // the rest of the line
	WordKind      Kind = "word"    // one word, or more in quotation marks
	NumberKind    Kind = "number"  // a whole one between Min and Max
	MoneyKind     Kind = "money"   // an amount above 0: 20 USD
	RangeKind     Kind = "range"   // 12, 12- or 12-20
	ChoiceKind    Kind = "choice"  // one of Choices
	BoolKind      Kind = "bool"    // on or off
	VerbKind      Kind = "command" // the name of a command
)

// TextMost bounds an argument, in characters.
const TextMost = 5000

// ChoiceMost is how many choices are offered at once: Discord shows no more.
const ChoiceMost = 25

// Choice is something that an argument may be.
type Choice struct {
	// Value is what is typed, Label what people see; an empty one is Value.
	Value, Label string
	// Right, if it is set, is what this choice needs beyond the command's own.
	Right Right
}

// Shown is the choice as people see it.
func (c Choice) Shown() string {
	if c.Label != "" {
		return c.Label
	}
	return c.Value
}

// Arg is an argument of a command.
type Arg struct {
	Name string // [a-z0-9_]{1,32}, as on Discord
	Kind Kind
	// Help is one line of at most 100 characters.
	Help     string
	Required bool
	// Option arguments have no place in the line: they are typed as name=value.
	Option bool
	// Private arguments are kept in no audit log.
	Private bool
	// Long asks for a field of several lines where a form is shown.
	Long bool
	// Step arguments only say which other one to ask for next, where one thing is
	// asked for at a time: a form, which shows all of them, leaves them out.
	Step     bool
	Min, Max int64 // of a number
	Choices  []Choice
	// Complete lists what may stand here, without regard to what was typed so
	// far; nil: what the kind says.
	Complete func(ctx context.Context, c Call) ([]Choice, error)
}

// Command is one command. Fields that are left out are right for most.
type Command struct {
	Root  Root   // empty: OfficeRoot
	Name  string // what is typed, [a-z0-9_]{1,32}
	Group Group  // empty: Look
	Args  []Arg
	// Help is one line of at most 100 characters (Discord's limit), More what help
	// about this command alone adds to it.
	Help, More string
	Right      Right // empty: Anyone
	// Tool is the colleagues' tool that does the same, or a part of it.
	Tool string
	// Only names the places where it is to be had; empty: everywhere.
	Only []string
	// Bundle names the group in which the command stands where a root has no room
	// for all of its commands side by side: on Discord it is /office admin reload.
	// It may be typed with the group's name everywhere, and need not.
	Bundle string
	// Direct commands of another root than office can be typed without it.
	Direct bool
	// Form says, by the arguments that were given alone, whether a form should ask
	// for more where the platform can show one; nil: never.
	Form func(given map[string]string) bool
	// Changes says that it changes something: what becomes of it is kept in the audit log.
	Changes bool
	// Preview says what a dangerous command would do; it is carried out only when
	// that was confirmed. An empty text needs no confirmation. nil: it is not dangerous.
	Preview func(ctx context.Context, c Call) (string, error)
	Run     func(ctx context.Context, c Call) (Answer, error)
}

// Dangerous says whether the command has to be confirmed.
func (c *Command) Dangerous() bool { return c.Preview != nil }

// Path is how the command is typed in full, without a slash: "agent hire".
func (c *Command) Path() string {
	if c.Root == OfficeRoot {
		return c.Name
	}
	return string(c.Root) + " " + c.Name
}

// Fields are the arguments that a form asks for: all that were not given.
func (c *Command) Fields(given map[string]string) []Arg {
	return slices.DeleteFunc(slices.Clone(c.Args), func(a Arg) bool { _, has := given[a.Name]; return has || a.Step })
}

// Arg finds an argument by its name.
func (c *Command) Arg(name string) (Arg, bool) {
	for _, a := range c.Args {
		if a.Name == name {
			return a, true
		}
	}
	return Arg{}, false
}

// Place is where somebody stands: what they write goes there. Exactly one of
// the first two is set.
type Place struct {
	Channel office.ChannelID
	To      office.ColleagueID
	// Label is how the place is called: "#dev", "@alice".
	Label string
}

// Call is one use of a command.
type Call struct {
	Office *office.Office
	Person office.Person
	// Sender is who gives it, Way how; the rights are decided by both.
	Sender Sender
	Way    Way
	// From is the platform on which it was given.
	From string
	// Portal is the place there; empty where there is none. Direct says that it is
	// a talk with this person alone.
	Portal office.PortalID
	Spot   string // the platform's own id of that place
	Direct bool
	// Event identifies what gave it, so that what it writes is written once; may be empty.
	Event string
	// Place may be changed by the command; nil is nowhere.
	Place *Place
	// Yes says that a dangerous command was confirmed. Shown is the preview that
	// was: one that reads otherwise by now has to be confirmed again. An empty one
	// confirms whatever it is.
	Yes   bool
	Shown string
	// Connections lists the platforms' connections, a line each.
	Connections func() []string
	Premises    Premises
	// Build makes the office's places on a platform; nil where that cannot be done.
	Build func(ctx context.Context, platform string) (string, error)
	// Link shows a channel in a place, Unlink no more; nil where no platform is.
	Link, Unlink func(ctx context.Context, l Link) (string, error)

	set    *Set
	cmd    *Command
	values map[string]value
}

// Premises are what commands can be told of the process around the office. Every
// field may be empty.
type Premises struct {
	Dir string // the office's folder
	Log string // the log file
	// Validate checks the office's files and says what it found.
	Validate func(ctx context.Context) (string, error)
	// Prompt composes the prompt of a colleague as it is now.
	Prompt func(ctx context.Context, c *office.Colleague) (Prompt, error)
	// Tools lists the tools that a colleague holds.
	Tools func(c *office.Colleague) []string
	// Models lists the models that can be had, as far as their makers tell.
	Models func(ctx context.Context) []Model
	// Workspace opens a colleague's folder, which the caller closes.
	Workspace func(c *office.Colleague) (*os.Root, error)
	// OpenFile opens a regular file of a workspace, and never waits for anything else.
	OpenFile func(workspace *os.Root, name string) (*os.File, fs.FileInfo, error)
}

// Prompt is what a colleague's model is told before all else.
type Prompt struct {
	// Version names the text of its first layer, Hash is the first 12 hex digits of
	// the SHA-256 of the whole Text.
	Version, Hash, Text string
	Layers              []PromptLayer
}

// PromptLayer is one part of a prompt.
type PromptLayer struct{ Name, Text string }

// Model is a model that can be had.
type Model struct {
	Ref  string // provider:model-id
	Note string // what else is known of it; may be empty
}

// Answer is what a command says to who gave it.
type Answer struct {
	Text string
	// Table is the same for a wide screen, Data for programs; both may be nil.
	Table *Table
	Data  any
	// Verb is the command's name.
	Verb string
	// Quit asks the platform to end the conversation: the console leaves.
	Quit bool
	// Confirm asks whether to do what Text says; the call with Yes does it.
	Confirm *Confirm
}

// Table is an answer in columns.
type Table struct {
	Head []string
	Rows [][]string
	Foot []string // lines below it
}

// Confirm is a command that waits for a yes.
type Confirm struct {
	Command *Command
	Values  map[string]string
	// Shown is the preview; see Call.
	Shown string
}
