package shell

import (
	"encoding/json"

	"bullpen/bridge/command"
)

// Request is what a command line asks of a running office.
type Request struct {
	// Words are the command and its arguments, as the shell cut them.
	Words []string `json:"words,omitempty"`
	// Yes confirms a dangerous command.
	Yes bool `json:"yes,omitempty"`
	// Complete asks instead what the argument of this name may be, of the command
	// that Words name, given its beginning.
	Complete *Complete `json:"complete,omitempty"`
	// Follow asks instead for the office's events, from now on.
	Follow *Follow `json:"follow,omitempty"`
}

// Follow says which events are asked for: those that fit all lists that are not
// empty.
type Follow struct {
	Sources    []string `json:"sources,omitempty"`
	Kinds      []string `json:"kinds,omitempty"`
	Colleagues []string `json:"colleagues,omitempty"`
}

// Complete asks for what an argument may be.
type Complete struct {
	Root   command.Root `json:"root"`
	Name   string       `json:"name"`
	Arg    string       `json:"arg"`
	Prefix string       `json:"prefix"`
}

// Answer is what the office says.
type Answer struct {
	Text  string          `json:"text,omitempty"`
	Table *command.Table  `json:"table,omitempty"`
	Data  json.RawMessage `json:"data,omitempty"`
	// Confirm says that Text is what would be done, and that nothing was.
	Confirm bool     `json:"confirm,omitempty"`
	Choices []string `json:"choices,omitempty"`
	// Error is why it was not done, Kind what sort of reason that is.
	Error string `json:"error,omitempty"`
	Kind  Kind   `json:"kind,omitempty"`
}

// Kind says why something was not done.
type Kind string

// The kinds.
const (
	Failed  Kind = "failed"  // the office could not
	Usage   Kind = "usage"   // it was typed wrongly
	Refused Kind = "refused" // it is not allowed
)
