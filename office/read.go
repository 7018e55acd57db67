package office

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Bounds of a read.
const (
	readDefault = 20
	readMost    = 100
	readText    = 4000 // of one message, in characters
)

// ReadCall is office_read: a page of what a colleague may read.
type ReadCall struct {
	Channel  string // a channel's or a colleague's name, or * for all it may read
	From, To int64  // numbers within the channel, inclusive
	Limit    int    // 20 unless given, at most 100; the newest are kept
	Contains string
	Sender   string // a colleague's or a person's name
	// Mentions keeps what woke, or was mailed to, somebody: a name, or me.
	Mentions     string
	Since, Until time.Time
	Thread       int64 // the number with which a thread begins
}

// Reader is a colleague that reads, in one of its contexts.
type Reader struct {
	Colleague ColleagueID
	Person    PersonID
}

// Read renders a page for a colleague. It reads what it subscribes to and its
// own direct channels, one with a person only in that person's context, and
// never a mailbox. The error is for the colleague, as a refusal.
func (o *Office) Read(ctx context.Context, by Reader, call ReadCall) (Result, error) {
	if call.Limit <= 0 {
		call.Limit = readDefault
	}
	if call.From < 0 || call.To < 0 || call.To > 0 && call.From > call.To {
		return Result{}, fmt.Errorf("from %d to %d is no range; numbers begin at 1 and from comes first", call.From, call.To)
	}
	if !call.Since.IsZero() && !call.Until.IsZero() && call.Until.Before(call.Since) {
		return Result{}, fmt.Errorf("until is before since; nothing can be between")
	}
	q := MessageQuery{
		From: call.From, To: call.To, Limit: min(call.Limit, readMost), Contains: call.Contains, Newest: true,
		Since: call.Since, Until: call.Until, Root: call.Thread,
	}
	scope, err := look(ctx, o, func(s *State) readScope { return s.readScope(by, call) })
	if err == nil {
		err = scope.refusal
	}
	if err != nil {
		return Result{}, err
	}
	q.Channels, q.Author, q.Woke = scope.channels, scope.author, scope.mentions
	page, err := o.page(ctx, q, scope.ranges)
	messages := page.Messages
	switch {
	case err != nil:
		return Result{}, err
	case !page.Stored:
		return Result{Text: "No messages yet.", Structure: structure(ReadStructure{Messages: []MessageStructure{}})}, nil
	case len(messages) == 0:
		return Result{Text: "Nothing matches.", Structure: structure(ReadStructure{Messages: []MessageStructure{}})}, nil
	}
	var b strings.Builder
	if page.Total > len(messages) {
		total := strconv.Itoa(page.Total)
		if page.Total >= CountMost {
			total = fmt.Sprintf("%d or more", CountMost)
		}
		fmt.Fprintf(&b, "The newest %d of %s that match; narrow it with from and to.\n", len(messages), total)
	}
	for i := range messages {
		renderRead(&b, &messages[i], scope.names)
	}
	return Result{Text: b.String(), Structure: structure(readStructure(page.Total, messages, scope.names))}, nil
}

// readStructure is a page as programs read it.
func readStructure(total int, page []Message, names *wake.Directory) ReadStructure {
	r := ReadStructure{Total: total, Messages: []MessageStructure{}}
	for i := range page {
		m := &page[i]
		r.Messages = append(r.Messages, MessageStructure{
			Message: m.Anchor().String(), At: m.At, Kind: m.Author.Kind, Author: m.Author.Name,
			Wake: m.Wake.Address(names), Thread: m.Root, Text: cut(m.Shown(), readText),
		})
	}
	return r
}

// Page reads messages for a person. What a summary stands for is left out, and a
// range of numbers that leads to a summary begins with it.
func (o *Office) Page(ctx context.Context, q MessageQuery) (MessagePage, error) {
	ranges, err := look(ctx, o, func(s *State) map[ChannelID][]Range { return s.ranges(q.Channels) })
	if err != nil {
		return MessagePage{}, err
	}
	return o.page(ctx, q, ranges)
}

func (o *Office) page(ctx context.Context, q MessageQuery, ranges map[ChannelID][]Range) (MessagePage, error) {
	page, err := o.store.Messages(ctx, q)
	if err != nil || !page.Stored {
		return page, err
	}
	err = o.withSummaries(ctx, &page, ranges, q)
	return page, err
}

// ranges are those of channels that summaries stand for.
func (s *State) ranges(of []ChannelID) map[ChannelID][]Range {
	found := map[ChannelID][]Range{}
	for _, id := range of {
		if ch := s.Channels[id]; ch != nil && len(ch.Ranges) > 0 {
			found[id] = ch.Ranges // apply replaces records and never alters them
		}
	}
	return found
}

// withSummaries leaves out what a summary stands for, and puts a summary before
// the rest of a range that leads to it.
func (o *Office) withSummaries(ctx context.Context, page *MessagePage, ranges map[ChannelID][]Range, q MessageQuery) error {
	var first, rest []Message
	for id, all := range ranges {
		for _, r := range all {
			if q.From == 0 && q.To == 0 || r.To < q.From || q.To != 0 && r.From > q.To ||
				slices.ContainsFunc(page.Messages, func(m Message) bool { return m.Channel == id && m.Seq == r.Summary }) {
				continue
			}
			m, err := o.Message(ctx, Anchor{Channel: id, Seq: r.Summary})
			if err != nil {
				return err
			}
			first = append(first, *m)
		}
	}
	for _, m := range page.Messages {
		ch := Channel{Ranges: ranges[m.Channel]}
		if ch.covering(m.Seq) == nil {
			rest = append(rest, m)
		}
	}
	page.Total -= len(page.Messages) - len(rest)
	slices.SortFunc(first, func(a, b Message) int { return int(a.No - b.No) })
	page.Messages = append(first, rest...)
	return nil
}

// readScope is what a call means for its reader.
type readScope struct {
	channels []ChannelID
	author   string
	mentions string
	ranges   map[ChannelID][]Range // that summaries stand for
	names    *wake.Directory
	refusal  error
}

func (s *State) readScope(by Reader, call ReadCall) readScope {
	r := readScope{names: s.directory()}
	if r.channels, r.refusal = s.readable(by, call.Channel); r.refusal == nil && call.Sender != "" {
		r.author, r.refusal = s.authorNamed(call.Sender)
	}
	if m := strings.TrimPrefix(call.Mentions, "@"); r.refusal == nil && m != "" {
		if r.mentions = string(by.Colleague); wake.Fold(m) != "me" {
			r.mentions, r.refusal = s.authorNamed(m)
		}
	}
	r.ranges = s.ranges(r.channels)
	return r
}

func renderRead(b *strings.Builder, m *Message, names *wake.Directory) {
	text := m.Shown()
	fence := fenceFor(text)
	thread := ""
	if m.Root != 0 {
		thread = " · thread of " + Anchor{Channel: m.Channel, Seq: m.Root}.String()
	}
	fmt.Fprintf(b, "[%s · %s %s · %s · wake %s%s]\n%s\n%s\n%s\n", m.Anchor(), m.Author.Kind, quoted(m.Author.Name),
		m.At.UTC().Format(time.DateTime), m.Wake.Address(names), thread, fence, cut(text, readText), fence)
}

// readable finds the channels that a name means for a reader.
func (s *State) readable(by Reader, name string) ([]ChannelID, error) {
	if name == "" {
		return nil, fmt.Errorf("channel is missing; name one, like #general, or * for all that you may read")
	}
	var may []ChannelID
	for _, id := range keys(s.Channels) {
		if s.mayRead(by, s.Channels[id]) {
			may = append(may, id)
		}
	}
	if name == "*" {
		return may, nil
	}
	key := wake.Fold(strings.TrimLeft(name, "#@"))
	for _, id := range may {
		if ch := s.Channels[id]; wake.Fold(ch.Name) == key || wake.Fold(string(id)) == key || s.isDirectWith(ch, by, key) {
			return []ChannelID{id}, nil
		}
	}
	return nil, fmt.Errorf("%q is nothing that you may read; there are %s, and your direct channels by the other's name", name, strings.Join(s.readableNames(may), ", "))
}

func (s *State) readableNames(ids []ChannelID) []string {
	var names []string
	for _, id := range ids {
		if ch := s.Channels[id]; ch.Kind != DirectChannel {
			names = append(names, "#"+ch.Name)
		}
	}
	return names
}

func (s *State) mayRead(by Reader, ch *Channel) bool {
	if ch.Gone {
		return false
	}
	switch ch.Kind {
	case GeneralChannel:
		return true
	case GroupChannel:
		return slices.Contains(ch.Members, by.Colleague) || by.Colleague == BossID
	case DirectChannel:
		if !slices.Contains(ch.Members, by.Colleague) {
			return false
		}
		p, c := s.People[ch.Person], s.Colleagues[by.Colleague]
		switch {
		case ch.Person == "":
			return true
		case p == nil:
			return ch.Person == by.Person
		default:
			return contextFor(p, c) == by.Person // the owner's is the working one
		}
	default:
		return false
	}
}

// isDirectWith says whether ch is the reader's direct channel with somebody of
// the folded name.
func (s *State) isDirectWith(ch *Channel, by Reader, key string) bool {
	if ch.Kind != DirectChannel {
		return false
	}
	for _, id := range ch.Members {
		if c := s.Colleagues[id]; id != by.Colleague && c != nil && wake.Fold(c.Name) == key {
			return true
		}
	}
	p := s.People[ch.Person]
	return p != nil && (wake.Fold(p.Name) == key || p.Owner && key == string(DefaultOwner))
}

// Author finds the id under which the messages of somebody stand: of a colleague,
// also one who has left, or of a person. The error is for who asks.
func (o *Office) Author(ctx context.Context, name string) (string, error) {
	return lookFor(ctx, o, func(s *State) (string, error) { return s.authorNamed(name) })
}

func (s *State) authorNamed(name string) (string, error) {
	key := wake.Fold(strings.TrimPrefix(name, "@"))
	for _, id := range keys(s.Colleagues) {
		if wake.Fold(s.Colleagues[id].Name) == key {
			return string(id), nil
		}
	}
	for _, p := range s.People {
		if wake.Fold(p.Name) == key || p.Owner && key == string(DefaultOwner) {
			return string(p.ID), nil
		}
	}
	return "", fmt.Errorf("nobody is called %q; there are %s and %s", name, s.colleagueNames(), strings.Join(s.peopleNames(), ", "))
}

// Overhear finds the direct channel between two colleagues for a person who may
// read what colleagues say to each other: the owner and the admins. The error is
// for who asks.
func (o *Office) Overhear(ctx context.Context, by PersonID, a, b ColleagueID) (ChannelID, error) {
	return lookFor(ctx, o, func(s *State) (ChannelID, error) { return s.overhear(by, a, b) })
}

func (s *State) overhear(by PersonID, a, b ColleagueID) (ChannelID, error) {
	who := s.People[by]
	switch {
	case who == nil || !who.Owner && !who.Admin:
		return "", fmt.Errorf("only the owner and the admins may read what colleagues say to each other directly")
	case a == b:
		return "", fmt.Errorf("nobody talks to itself; name two colleagues")
	case s.Colleagues[a] == nil || s.Colleagues[b] == nil:
		return "", fmt.Errorf("there are no such two colleagues; there are %s", s.colleagueNames())
	}
	return DirectBetween(a, b), nil
}
