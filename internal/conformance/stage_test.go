package conformance

import (
	"bullpen/bridge"
)

// The people of all stories: Maria owns the office, Kim is a full member of the
// channel, Eve is somebody whom nobody knows.
const (
	asMaria = "maria"
	asKim   = "kim"
	asEve   = "eve"
)

// where is a place on a platform: the channel #dev, a thread of it, or somebody's
// direct talk with the office's bot.
type where struct {
	dm     string // whose; "": the channel
	thread string // the message that it begins at; "": none
}

var inDev = where{}

func direct(who string) where { return where{dm: who} }

// said is what somebody writes.
type said struct {
	text  string
	reply string // the message that it answers natively, where the platform has that
	file  string // the name of a file with it; what it holds is "data of " and the name
}

// line is a message as people see it, whatever the platform calls its parts.
type line struct {
	id      string
	author  string // the colleague's or person's name, also where it stands in the text
	sender  string // whom the platform names as its author
	text    string
	ours    bool
	reply   string // what it answers natively
	thread  string
	only    string // the only one who sees it
	buttons []string
	files   map[string]string // name to content
	pings   []string          // groups of people whom it notified
	mark    string            // what the office's reaction to it says: seen, done, failed
	edited  bool
}

// trouble is a kind of bad day for the next call that shows something in #dev.
type trouble int

const (
	limited   trouble = iota // 429, 40 seconds
	replyLost                // it was accepted, and the answer was lost
	callLost                 // it never arrived
	broken                   // 503
)

// shortfall names something that a platform cannot show, and how its table of
// docs/platforms.md says so. A story says what it does instead.
type shortfall string

const (
	noThreads   shortfall = "no threads"   // answers stand in the channel, as replies
	noDeletions shortfall = "no deletions" // the bot is not told when somebody deletes
	noReplies   shortfall = "no replies"   // people cannot answer one message natively outside threads
	noReadback  shortfall = "no readback"  // a post of unknown end cannot be looked up
	noPersonas  shortfall = "no personas"  // the name stands in the text
)

// lacks is all that one platform cannot show, in one place: what its row of
// docs/platforms.md says in the line of each.
var lacks = map[string]map[shortfall]struct{ row, cell string }{
	"slack": {
		noReplies: {"native replies", "threads are those"},
	},
	"telegram": {
		noThreads:   {"threads", "shown as replies"},
		noDeletions: {"deletions by people", "does not tell bots"},
		noReadback:  {"a send of unknown end", "cannot be looked up"},
		noPersonas:  {"a colleague's name", "a bold line"},
	},
	"discord": {},
}

// stage is one platform: its stand-in, in which people act and look, and the real
// adapter on it.
type stage interface {
	// platform names it; account is a person's id there.
	platform() string
	account(who string) string
	// adapter makes a new adapter with #dev linked, as a start of the office does.
	adapter(inThread bool) (bridge.Poster, error)
	// settled says that nothing waits to be taken from the platform; up, that the
	// adapter listens.
	settled() bool
	up() bool
	close() error

	say(who string, at where, s said) (string, error)
	edit(who string, at where, id, text string) error
	remove(who string, at where, id string) error
	// press presses a button. What only its presser reads is among heard.
	press(who string, at where, id, label string) error
	// native uses the platform's own form of a command, given as "office status";
	// typed is the text form of one for a place.
	native(who string, at where, command string) error
	typed(at where, command string) string
	// shown are the messages of a place, oldest first, as one sees it.
	shown(who string, at where) []line
	// heard is what somebody was told that is no message of a place.
	heard(who string) []string

	fails(trouble)
	hangs(until <-chan struct{}) // the next call that shows something in #dev
	// expel takes the bot out of #dev, or from its sight; readmit undoes it.
	expel() error
	readmit() error
	network(on bool) // without it nothing reaches the platform, and people go on
	planned() int    // troubles that nobody met yet
	duplicates()     // the next event is delivered twice
	strange()        // an event comes of a kind that nobody knows
	summary() string
}
