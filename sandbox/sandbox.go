// Package sandbox is for running a colleague's commands where they can do no
// harm: the interface that every kind of sandbox keeps, and the words for a
// command and what became of it.
//
// A sandbox belongs to one colleague and its workspace. Files are not its
// business: the file tools reach the workspace themselves.
package sandbox

import (
	"context"
	"time"
)

// Sandbox runs commands in the workspace of one colleague. Its methods may be
// called concurrently.
type Sandbox interface {
	// Run runs a command to its end. What the command itself does wrong, a
	// failure or a time-out, is in the Result; the error, a sentence, says that
	// it could not be run at all or that ctx ended, and then wraps ctx's cause
	// and comes with the output so far. When Run returns, nothing that the
	// command started lives on, as far as the sandbox confines.
	Run(ctx context.Context, c Command) (Result, error)
	// Confined tells whether commands reach nothing but the workspace, and
	// says in a sentence what confines them or why nothing does.
	Confined() (bool, string)
}

// Command is what to run.
type Command struct {
	// Shell is a script for bash; Argv is a program with its arguments. One of
	// the two is given.
	Shell string
	Argv  []string
	// Dir is where it starts, relative to the workspace; empty is the
	// workspace itself.
	Dir string
	// Env is added to the few variables that every command gets. Nothing else
	// of the office's environment reaches it.
	Env map[string]string
	// Stdin is what the command reads; when it is read, its input ends.
	Stdin string
	// Timeout ends the command; zero is the sandbox's default, and more than
	// the sandbox's longest is that.
	Timeout time.Duration
	// OutputLimit is how much of the output is returned, in bytes; zero is the
	// sandbox's default.
	OutputLimit int
	// Watch, if given, is called with each piece of output as it comes, by one
	// goroutine at a time. It must return soon and not keep the slice.
	Watch func(piece []byte)
}

// Result is what became of a command.
type Result struct {
	// Output is what the command wrote to its standard output and error, in
	// the order in which it came, as valid UTF-8. Of more than the limit it has
	// the beginning and the end, and between them a note of what is left out.
	Output string
	// Exit is the command's exit status: 128 and the signal's number if a
	// signal ended it.
	Exit int
	// TimedOut says that the command was ended because its time was up.
	TimedOut bool
	// Truncated says that Output is not all.
	Truncated bool
	// FullOutput names the file, relative to the workspace, that holds all of
	// a truncated output, or of a very long one as much as the sandbox keeps.
	FullOutput string
}
