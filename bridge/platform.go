package bridge

import (
	"context"
	"errors"
	"time"
)

// Poster is an Adapter whose platform is owed messages.
type Poster interface {
	Adapter
	// Post shows one part of a message and says what the platform calls it. The
	// request leaves before ctx's deadline or not at all. An error is a *PostError.
	Post(ctx context.Context, out Outgoing) (Posted, error)
	// Find looks in the platform's history whether an earlier attempt to post out
	// arrived. An error means that it cannot be told now; ErrBlind, that this
	// platform can never be read back.
	Find(ctx context.Context, out Outgoing) (Posted, bool, error)
	// Split cuts a text into parts that the platform can show, each with room for
	// what Post adds. It is a function of the text alone.
	Split(text string) []string
}

// Outgoing is one part of a message on its way to a platform.
type Outgoing struct {
	// Key is the same for every attempt at this part and for nothing else; it is
	// at most 40 characters of [a-z0-9.-].
	Key string
	// Since is when the first attempt may have left: nothing older need be looked at.
	Since time.Time
	// Place is the platform's id of where to show it, Thread that of the thread,
	// ReplyTo that of the message that it answers; the last two may be empty.
	Place, Thread, ReplyTo string
	// Again says that an earlier attempt may have arrived: the part is to be marked
	// as possibly the second copy.
	Again bool
	// Text is Markdown.
	Text string
	// File is what an Uploader shows in place of a Text; Find looks for it.
	File *Attachment
	// Persona is the name to speak under; empty is the office's own.
	Persona string
	// Mentions finds what an @name or a #channel in Text is called natively.
	Mentions func(token string) (Native, bool)
	// Question is the id of a decision to offer with it; empty for none. Buttons
	// are its answers; a press of one goes to Bridge.Press with the button's Value.
	Question string
	Buttons  []Button
	// Head is what a Streamer's message began with: Find looks for one of ours that
	// begins so and has no Key yet. Empty: it looks for Key.
	Head string
	// For is the account of who asked, in the platform's id, for a Streamer; it may be
	// empty.
	For string
}

// Button is one answer to a question.
type Button struct {
	Label string // at most office.LabelMost characters
	Value string // what Bridge.Press wants: at most 40 bytes
}

// Native is something that a platform can mention by itself.
type Native struct {
	Kind  NativeKind
	ID    string
	Label string
}

// NativeKind says what a mention names.
type NativeKind string

// The kinds of mention.
const (
	NativePerson  NativeKind = "person"
	NativeChannel NativeKind = "channel"
)

// Posted says where a part stands on the platform.
type Posted struct {
	ID     string
	Thread string
}

// PostError says how an attempt to post ended, which decides whether it may be
// made again.
type PostError struct {
	Kind PostErrorKind
	// After is how long the platform asks to wait; 0 when it did not say.
	After time.Duration
	// Reason is one line for the writer: what the platform said and what mends it.
	Reason string
	// Closed says that nothing can be shown in this place until somebody mends it.
	Closed bool
	Err    error
}

// PostErrorKind classifies failed posts.
type PostErrorKind string

// The kinds of failure.
const (
	// PostRefused is final: the platform said no.
	PostRefused PostErrorKind = "refused"
	// PostNotSent is certain: the platform does not have it. It is tried again.
	PostNotSent PostErrorKind = "not-sent"
	// PostUnknown may have arrived. It is looked up before anything else.
	PostUnknown PostErrorKind = "unknown"
)

// Error is the reason, with the cause behind it.
func (e *PostError) Error() string {
	if e.Err == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *PostError) Unwrap() error { return e.Err }

// ErrBlind says that a platform gives no means to look whether a post arrived.
var ErrBlind = errors.New("this platform cannot be read back")

// errNoPoster means that no adapter serves a portal in this process.
var errNoPoster = errors.New("no adapter for this platform runs in this office")

// StateKind enumerates what a connection can be.
type StateKind string

// The states of a connection.
const (
	Connecting   StateKind = "connecting"
	Connected    StateKind = "connected"
	Reconnecting StateKind = "reconnecting"
	Filling      StateKind = "filling the gap"
	// Stopped needs a person: waiting mends nothing.
	Stopped StateKind = "stopped"
)

// State is what a connection is, with a sentence for people.
type State struct {
	Kind     StateKind
	Sentence string
	Since    time.Time
}
