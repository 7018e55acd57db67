// Package command holds every command that people can type, once: its name,
// its arguments, its help, who may use it, and its code. Nothing about a
// platform is in it; each adapter shows the same set in its platform's form.
package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullpen/office"
)

// Right says who may use a command.
type Right string

// The rights.
const (
	Anyone Right = "person" // every person known to the office
	Admins Right = "admin"  // the owner and the admins
)

// Place is where somebody stands: what they write goes there. Exactly one of
// the two is set.
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
	// Args is what stood behind the command's name, trimmed.
	Args string
	// Place may be changed by the command.
	Place *Place
	// From is the platform on which it was typed.
	From string
	// Connections lists the platforms' connections, a line each.
	Connections func() []string
	set         *Set
}

// Answer is what a command says to who typed it.
type Answer struct {
	Text string
	// Quit asks the platform to end the conversation: the console leaves.
	Quit bool
}

// Command is one command.
type Command struct {
	// Name is what is typed, [a-z0-9_]{1,32}, because Discord and Telegram
	// allow nothing else.
	Name string
	// Args shows what may follow, for help: "<channel>".
	Args string
	// Help is one line of at most 100 characters (Discord's limit).
	Help  string
	Right Right
	Run   func(ctx context.Context, c Call) (Answer, error)
	// MinArgs and MaxArgs bound the number of words that may follow. In a text that
	// mentions the office's bot only a line that fits them is a command.
	MinArgs, MaxArgs int
	// Complete lists what may stand as the argument; nil: nothing.
	Complete func(ctx context.Context, o *office.Office) ([]string, error)
}

// Set is the commands of a program. It is read-only and safe for concurrent use.
type Set struct{ commands []Command }

// NewSet makes the set of the built-in commands.
func NewSet() *Set {
	return &Set{commands: []Command{
		mailCommand, inCommand, readCommand, statusCommand, pauseCommand, resumeCommand, interruptCommand, disturbCommand, approveCommand, helpCommand, quitCommand,
	}}
}

// All lists the commands in the order of the help.
func (s *Set) All() []Command { return slices.Clone(s.commands) }

// Find looks a command up by its name, in any case.
func (s *Set) Find(name string) (Command, bool) {
	for _, c := range s.commands {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Command{}, false
}

// Fits says whether a line is a command with as many arguments as it takes.
func (s *Set) Fits(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false
	}
	c, ok := s.Find(words[0])
	n := len(words) - 1
	return ok && n >= c.MinArgs && n <= c.MaxArgs
}

// Run carries out one line: a command's name and its arguments. The error is a
// sentence for who typed it.
func (s *Set) Run(ctx context.Context, call Call, line string) (Answer, error) {
	name, args, _ := strings.Cut(strings.TrimSpace(line), " ")
	c, ok := s.Find(name)
	if !ok {
		return Answer{}, fmt.Errorf("there is no command /%s; did you mean /%s? /help lists them all", clip(name), s.nearest(name))
	}
	if c.Right == Admins && !call.Person.Admin && !call.Person.Owner {
		return Answer{}, fmt.Errorf("/%s is for the owner and the admins of this office", c.Name)
	}
	call.Args, call.set = strings.TrimSpace(args), s
	return c.Run(ctx, call)
}

// nearest is the command that a mistyped name most likely meant.
func (s *Set) nearest(name string) string {
	best, least := s.commands[0].Name, 1<<30
	for _, c := range s.commands {
		if d := distance([]rune(strings.ToLower(clip(name))), []rune(c.Name)); d < least {
			best, least = c.Name, d
		}
	}
	return best
}

// clip bounds what a refusal repeats.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// distance is the number of single-letter edits between two names.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
