package office

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// ErrArchived means that a message is no longer in the record: it is in the
// archive.
var ErrArchived = errors.New("it is older than the office keeps messages, and in its archive")

// Archive takes what leaves the record, for people to read.
type Archive interface {
	// Append adds rows of a kind, durably. The same row may come again after a crash.
	Append(ctx context.Context, kind string, rows []json.RawMessage) error
}

// Log names what a record keeps of the past beside messages.
type Log string

// The logs.
const (
	LogSeen    Log = "seen"    // events without an identity of their own
	LogEarly   Log = "early"   // changes that came before their message
	LogTurns   Log = "turns"   // closed ones
	LogUsage   Log = "usage"   // see Usage
	LogAudit   Log = "audit"   // see Audit
	LogEntries Log = "entries" // one context's transcript
)

// OldQuery asks for what of a log may leave the record.
type OldQuery struct {
	Log    Log
	Before time.Time // what is younger stays
	Limit  int       // at most so many rows, of the oldest ones
	// In and Through are of LogEntries: entries of that context up to that number.
	In      ContextID
	Through int64
}

// Old is one row that may leave the record.
type Old struct {
	Key   string // for DropOld
	Value json.RawMessage
}

// Bounds of what leaves the record at a time.
const (
	// oldRows is how many rows one commit drops.
	oldRows = 200
	// oldRounds is how many such commits one sweep makes of each kind.
	oldRounds = 25
	// sweepEvery is how often the office looks for what is too old.
	sweepEvery = time.Hour
	sweepFirst = time.Minute
	// seenLife is how long an event without an identity of its own is known.
	seenLife = 24 * time.Hour
)

// Range is a part of a channel that a summary stands for.
type Range struct {
	From    int64 `json:"from"`
	To      int64 `json:"to"`
	Summary int64 `json:"summary"` // the number of the message that stands for it
	// Archived says that its messages have left the record.
	Archived bool `json:"archived,omitempty"`
}

// covering is the range of a channel that holds a number; nil if none does.
func (ch *Channel) covering(seq int64) *Range {
	for i := range ch.Ranges {
		if r := &ch.Ranges[i]; r.From <= seq && seq <= r.To && seq != r.Summary {
			return r
		}
	}
	return nil
}

// gone says whether a number of the channel is not in the record any more.
func (ch *Channel) gone(seq int64) bool {
	r := ch.covering(seq)
	return seq <= ch.Archived || r != nil && r.Archived
}

// allGone says whether no number of a range need be in the record.
func (ch *Channel) allGone(from, to int64) bool {
	for seq := from; seq <= to; seq++ {
		if r := ch.covering(seq); r == nil && seq > ch.Archived {
			return false
		}
	}
	return from <= to
}

// drop takes rows out of the record that stand in the archive.
type drop struct {
	Messages []Message
	// Ranges are those of a channel that have been archived as a whole.
	Ranges map[ChannelID][]Range
	// Spent are ranges of which not even the summary is in the record any more.
	Spent map[ChannelID][]Range
	// Places are what platforms call messages that were too old, these or others.
	Places []Native
	Log    Log
	In     ContextID
	Keys   []string
}

func (r drop) decide(d *decision) (any, error) {
	dropped, needed := 0, d.s.needed()
	for i := range r.Messages {
		m := &r.Messages[i]
		if needed[m.Anchor()] {
			continue
		}
		ch := d.s.Channels[m.Channel]
		covered := ch.covering(m.Seq) != nil
		if !covered && m.Seq != ch.Archived+1 && !ch.gone(m.Seq-1) {
			continue // an older one is needed: only the beginning of a channel leaves
		}
		d.put(DropMessage{Channel: m.Channel, Seq: m.Seq, No: m.No, Root: m.Root})
		dropped++
		if !covered {
			next := *ch
			next.Archived = m.Seq
			d.put(PutChannel{next})
		}
	}
	for _, id := range keys(r.Ranges) {
		next := *d.s.Channels[id]
		next.Ranges = slices.Clone(next.Ranges)
		for i := range next.Ranges {
			if slices.Contains(r.Ranges[id], next.Ranges[i]) {
				next.Ranges[i].Archived = true
			}
		}
		d.put(PutChannel{next})
	}
	d.forgetPlaces(r.Places)
	for _, id := range keys(r.Spent) {
		next := *d.s.Channels[id]
		next.Ranges = slices.DeleteFunc(slices.Clone(next.Ranges), func(x Range) bool { return slices.Contains(r.Spent[id], x) })
		d.put(PutChannel{next})
	}
	for _, key := range r.Keys {
		if r.Log != LogEntries {
			d.put(DropOld{Log: r.Log, Key: key})
		} else if n, err := strconv.ParseInt(key, 10, 64); err == nil {
			d.put(DropEntry{In: r.In, N: n})
		}
	}
	return dropped + len(r.Keys), nil
}

// forgetPlaces drops what platforms call messages that were too old to be kept. A
// thread that goes on keeps the name of its beginning; so does all that a summary
// stands for, which the platform may still show, change or deliver again.
func (d *decision) forgetPlaces(places []Native) {
	for _, n := range places {
		ch, p := d.s.Channels[n.Anchor.Channel], d.s.Portals[n.Portal]
		goesOn := p != nil && slices.ContainsFunc(p.Threads, func(t ThreadMark) bool { return t.Thread == n.ID && d.now.Sub(t.At) < threadLife })
		if ch != nil && n.Anchor.Seq <= ch.Archived && !goesOn {
			d.put(DropNative{Native: n})
		}
	}
}

// needed are the messages that something still refers to that is to happen.
func (s *State) needed() map[Anchor]bool {
	found := map[Anchor]bool{}
	for _, it := range s.Items {
		found[it.Message] = true
	}
	for _, x := range s.Sends {
		found[x.Message] = true
	}
	return found
}

// Message reads one message. One that a summary stands for gives the summary;
// one that has left the record is ErrArchived.
func (o *Office) Message(ctx context.Context, a Anchor) (*Message, error) {
	type found struct {
		gone    bool
		summary int64
	}
	f, err := look(ctx, o, func(s *State) (f found) {
		ch := s.Channels[a.Channel]
		if ch == nil {
			return f
		}
		f.gone = ch.gone(a.Seq)
		for r := ch.covering(a.Seq); r != nil; r = ch.covering(f.summary) {
			f.summary = r.Summary // which a later one may stand for
		}
		return f
	})
	switch {
	case err != nil:
		return nil, err
	case f.summary != 0:
		return o.stored(ctx, Anchor{Channel: a.Channel, Seq: f.summary})
	case f.gone:
		return nil, fmt.Errorf("%s: %w", a, ErrArchived)
	}
	return o.stored(ctx, a)
}

// stored reads a message as it is in the record.
func (o *Office) stored(ctx context.Context, a Anchor) (*Message, error) {
	page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{a.Channel}, From: a.Seq, To: a.Seq, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Messages) == 0 {
		return nil, fmt.Errorf("there is no message %s", a)
	}
	return &page.Messages[0], nil
}

// identified reads the message that a platform's id stands for. One that has left
// the record is nothing but its place.
func (o *Office) identified(ctx context.Context, a Anchor) (m *Message, here bool, err error) {
	page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{a.Channel}, From: a.Seq, To: a.Seq, Limit: 1})
	switch {
	case err != nil:
		return nil, false, err
	case len(page.Messages) == 0:
		return &Message{Channel: a.Channel, Seq: a.Seq}, false, nil
	default:
		return &page.Messages[0], true, nil
	}
}
