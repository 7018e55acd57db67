package bridge

// Arrival is a message that somebody wrote on a platform.
type Arrival struct {
	Author Author
	// Place is the platform's id of where it stands; Direct, that it is a talk
	// between the office's bot and this one person.
	Place  string
	Direct bool
	// Native identifies the message there for ever, Thread the thread it is in.
	Native, Thread string
	// Reply says that Thread is the very message that it answers natively, which need
	// not be the first of a thread. Answers is that message where Thread is a thread.
	Reply   bool
	Answers string
	// Text is the lossless decoding of what was received.
	Text     string
	Mentions []Mention
	// Command is the line of a command that the platform itself shows as one, without
	// its slash: it is none of talk, whatever stands in it.
	Command string
	// Forwarded marks somebody else's words: commands in it are not run.
	Forwarded bool
	// Files came with it; a Text is not needed then.
	Files []File
	// More are further native ids of it, where the platform has several for one
	// message (an album). Of is the Native of an earlier arrival of which this is a
	// part that came late.
	More []string
	Of   string
	// History marks what was read back after a gap: commands in it are not run.
	History bool
}

// File is something that came with a message.
type File struct {
	// ID is what Fetcher needs to read it, now and after a restart.
	ID   string
	Name string // as its sender called it, or a fitting one
	Type string // media type; may be empty
	Size int64  // bytes; 0: not known
}

// Mention is a native mention in a text: a range of bytes.
type Mention struct {
	Start, End int
	Kind       MentionKind
	ID         string
}

// MentionKind says what a native mention names.
type MentionKind string

// The kinds of native mention.
const (
	MentionAccount MentionKind = "account" // somebody's account
	MentionSelf    MentionKind = "self"    // the office's own bot
	MentionPlace   MentionKind = "place"   // a channel
	MentionHere    MentionKind = "here"    // everybody in this place
	// MentionColleague and MentionLevel are roles of the platform's that stand for
	// whom they are called after; their ID is that name.
	MentionColleague MentionKind = "colleague"
	MentionLevel     MentionKind = "level"
	// MentionColleagueID is one that the office remembers as a colleague's, whatever it
	// is called by now; its ID is the colleague's.
	MentionColleagueID MentionKind = "colleague id"
	MentionOther       MentionKind = "other" // something that means nothing to the office
)
