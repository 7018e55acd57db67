package bridge

import (
	"bullpen/office"
	"bullpen/office/wake"
)

// Account is somebody on a platform, by the platform's own stable id.
type Account struct {
	Platform string
	ID       string
}

// Event is a message that a platform told us of.
type Event struct {
	// ID identifies the message for ever on its platform, so that it is taken in
	// once however often it comes; empty where the platform gives none.
	ID     string
	Author Account
	// Channel is where it was said; empty for a direct message to To.
	Channel office.ChannelID
	To      office.ColleagueID
	// Root is the thread's first message, ReplyTo what it answers natively; both
	// are numbers within Channel, 0 for none.
	Root, ReplyTo int64
	// Text is the lossless decoding of what was received, Mentions the platform's
	// own mentions in it.
	Text     string
	Mentions []wake.Span
}
