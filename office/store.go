package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Store keeps the record of one office. Implementations pass the contract in
// office/store/storetest and are safe for concurrent use: commits come from
// one goroutine, reads from many.
type Store interface {
	// Acquire makes this process the owner of the office: it takes the lock and
	// raises the fence. While another process holds it the error is a *HeldError.
	Acquire(ctx context.Context, holder Holder) (Lease, error)
	// Release gives the office up. A lease that is no longer current is nil error.
	Release(ctx context.Context, lease Lease) error
	// Head tells the current fence, nonce and batch, to learn the fate of a
	// commit whose end is unknown.
	Head(ctx context.Context) (Head, error)
	// Load reads the live state.
	Load(ctx context.Context) (*Snapshot, error)
	// Commit writes a batch, durably and whole, if the lease is current and the
	// stored batch number is b.N-1. If the stored batch is b itself (number and
	// id) nothing is written and the error is nil. Otherwise ErrFenced, and
	// nothing is written. Any other error leaves the end unknown: ask Head.
	Commit(ctx context.Context, lease Lease, b Batch) error

	// Seen looks up an event; ok is false if it was never taken in.
	Seen(ctx context.Context, event string) (a Anchor, ok bool, err error)
	// Native finds the message that a platform calls id in a portal's place; ok is
	// false if the record has none.
	Native(ctx context.Context, portal PortalID, id string) (n Native, ok bool, err error)
	// Natives lists what the platforms call a message, by portal and part.
	Natives(ctx context.Context, a Anchor) ([]Native, error)
	// Revisions lists what is archived of a message, or kept for it, oldest first.
	Revisions(ctx context.Context, portal PortalID, native string) ([]Revision, error)
	// Messages reads a page of messages.
	Messages(ctx context.Context, q MessageQuery) (MessagePage, error)
	// Transcript reads the newest entries of a context, oldest first: at most
	// limit of them (0: all).
	Transcript(ctx context.Context, in ContextID, limit int) ([]Entry, error)
	// Audits reads a page of the audit log: the newest lines, at most limit of them,
	// that are older than the one called before; empty: the newest of all. They come
	// oldest first. earlier is what the next older page is asked with; empty if there
	// is none. What a line is called is the store's own affair.
	Audits(ctx context.Context, before string, limit int) (lines []Audit, earlier string, err error)
	// Old reads what of a log may leave the record, of its oldest rows; DropOld, or
	// DropEntry, then takes each out by its key.
	Old(ctx context.Context, q OldQuery) ([]Old, error)
	// Close releases what the process holds open. A lease not released stays
	// until its process is gone or its time is up.
	Close() error
}

// Holder says who wants to own an office, for the sentence that refuses the next.
type Holder struct {
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	Program string    `json:"program"` // how it was started: "bullpen up"
}

// Lease proves ownership. Both parts are compared for equality.
type Lease struct {
	Fence int64
	Nonce string
}

// Head is where the record stands.
type Head struct {
	Lease
	N  int64
	ID string
}

// ErrFenced means that another process owns the office now, or that the record
// is not where this process believed it to be.
var ErrFenced = errors.New("another process owns this office now")

// ErrUnreachable means that a store is away and not that it refused: what could
// not be committed can be committed once it answers again. A store wraps it.
var ErrUnreachable = errors.New("the store is away")

// HeldError means that the office is owned by a living process.
type HeldError struct{ Holder Holder }

// Error says who holds the office and how to end that.
func (e *HeldError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return "this office is already running in another process; stop that one first"
	}
	return fmt.Sprintf("this office is already running: %s, process %d on %s, since %s; talk to it there, or stop it with: kill %d",
		h.Program, h.PID, h.Host, h.Since.Format(time.DateTime), h.PID)
}

// Snapshot is the live state as stored. Slices are in no particular order.
type Snapshot struct {
	Head       Head
	Meta       Meta
	Colleagues []Colleague
	People     []Person
	Channels   []Channel
	Items      []Item // Body filled in
	Turns      []Turn // open ones
	Cursors    map[string]int64
	Portals    []Portal
	Sends      []Send
	Parked     []Parked
	Questions  []Question
	Pairings   []Pairing
}

// MessageQuery narrows a read. Zero fields do not narrow; all that are set must hold.
type MessageQuery struct {
	// Channels to read; empty means all.
	Channels []ChannelID
	// From and To bound the number within the channel, inclusively.
	From, To int64
	// After keeps what the office took in later than this No.
	After int64
	// Root keeps one thread with its first message.
	Root     int64
	Author   string // an author's id
	Contains string // anywhere in the text, without regard to case
	// Since and Until bound when the office took it in, inclusively.
	Since, Until time.Time
	// Woke keeps what woke, or was mailed to, a colleague or person: its id.
	Woke string
	// Limit is the page size. Newest says which end of the matches it keeps:
	// the last ones, or the first. Either way they come in order of No.
	Limit  int
	Newest bool
}

// Sees says whether the fields let a message through that an index of numbers,
// threads and authors does not know: Since, Until and Woke.
func (q MessageQuery) Sees(m *Message) bool {
	return (q.Since.IsZero() || !m.At.Before(q.Since)) && (q.Until.IsZero() || !m.At.After(q.Until)) &&
		(q.Woke == "" || slices.ContainsFunc(m.Deliveries, func(d Delivery) bool { return d.To == q.Woke }))
}

// Looks says whether Sees has to be asked.
func (q MessageQuery) Looks() bool { return !q.Since.IsZero() || !q.Until.IsZero() || q.Woke != "" }

// CountMost is up to where a page's Total is exact for each channel.
const CountMost = 1000

// MessagePage is a page and how much there is; a store may stop counting at
// CountMost. Of channels named in the query, Stored says whether they hold any
// message at all, so that "no messages yet" and "nothing matches" are different
// answers.
type MessagePage struct {
	Messages []Message
	Total    int
	Stored   bool
}
