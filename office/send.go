package office

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullpen/office/wake"
)

// SendState says where an entry of the outbox stands.
type SendState string

// The states of an entry. One that has settled leaves the outbox.
const (
	SendOwed    SendState = "owed"    // waits for its lane, or for NotBefore
	SendGoing   SendState = "going"   // its next part may be on the wire until LeaveBy
	SendUnknown SendState = "unknown" // its next part may have arrived: to be looked up from NotBefore on
	SendLooking SendState = "looking" // being looked up
)

// Send is an entry of the outbox: one message owed to one portal.
type Send struct {
	ID      int64    `json:"id"`
	Portal  PortalID `json:"portal"`
	Message Anchor   `json:"message"`
	// ReplyTo, Question, At, Root and Author are the message's own.
	ReplyTo  int64     `json:"replyTo,omitempty"`
	Question string    `json:"question,omitempty"`
	At       time.Time `json:"at"`
	// Thread is the platform's id of the message's thread, where it was at hand
	// when the entry was made.
	Thread string    `json:"thread,omitempty"`
	Root   int64     `json:"root,omitempty"`
	Author Author    `json:"author"`
	State  SendState `json:"state"`
	// Parts are the texts into which the message was split, once and for all;
	// Part is the next one to send.
	Parts []string `json:"parts"`
	// Files are the parts behind those.
	Files []File `json:"files,omitempty"`
	Part  int    `json:"part"`
	// Change says that nothing new is shown: what stands there of the message is to
	// look as the record has it, with Note below it.
	Change bool   `json:"change,omitempty"`
	Note   string `json:"note,omitempty"`
	// Stream is what has grown there while the message was written, which its first part
	// takes over; of a Change it is ended where it is.
	Stream *Stream `json:"stream,omitempty"`
	// Attempt counts what was sent of this entry, before the wire; it goes on
	// from part to part, so that a verdict is of one part alone.
	Attempt int `json:"attempt"`
	// Doubts counts the attempts of this part whose end is unknown.
	Doubts int `json:"doubts,omitempty"`
	// Tries counts what did not leave, for the pause before the next try.
	Tries int `json:"tries,omitempty"`
	// Refused are the portals of the same person that would not show it.
	Refused []PortalID `json:"refused,omitempty"`
	// Again marks a part as possibly the second copy.
	Again     bool      `json:"again,omitempty"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	LeaveBy   time.Time `json:"leaveBy,omitzero"`
}

// VerdictKind is how an attempt to send a part ended.
type VerdictKind string

// The verdicts. Found and Clean are those of a look.
const (
	Sent      VerdictKind = "sent"
	Refused   VerdictKind = "refused"  // final: the platform said no
	NotSent   VerdictKind = "not-sent" // certainly not there: 429, or an error before the request was written
	Uncertain VerdictKind = "unknown"  // the request was written and no answer came, or a 5xx
	Found     VerdictKind = "found"    // looked up: it is there
	Clean     VerdictKind = "clean"    // looked up: it is not there
	NoLook    VerdictKind = "no-look"  // it cannot be looked up now; again at RetryAt
	Blind     VerdictKind = "blind"    // this platform cannot be read back at all
)

// Verdict tells the office how an attempt ended.
type Verdict struct {
	Send    int64
	Attempt int
	Kind    VerdictKind
	// Native is what the platform calls the part, if Sent or Found; Thread the
	// thread it stands in.
	Native, Thread string
	// RetryAt is when a NotSent may be tried again; zero leaves it to the office.
	RetryAt time.Time
	// Reason says why it was refused, for its writer.
	Reason string
	// Close says that the whole place is closed to us, not only this message.
	Close bool
}

// How sends are paced when nobody says better.
const (
	retryFirst = time.Second
	retryMost  = time.Minute
)

// owe puts a message into the outbox of every portal that is to show it.
func (d *decision) owe(m *Message) {
	for _, p := range d.s.portalsOf(m) {
		s := d.s.entryFor(p, m)
		s.ID = d.next(&d.s.Meta.Send)
		if d.s.load(&s, p, m); s.Total() == 0 {
			continue
		}
		d.put(PutSend{s})
	}
}

// entryFor is an entry of a message for a portal, before it has a number and parts.
func (s *State) entryFor(p *Portal, m *Message) Send {
	return Send{
		Portal: p.ID, Message: m.Anchor(), Root: m.Root, Author: m.Author, State: SendOwed,
		ReplyTo: m.ReplyTo, Question: m.Question, At: m.At, Thread: s.threadIn(p, m),
	}
}

// threadIn is the platform's id of a message's thread on a portal, if it is at hand.
func (s *State) threadIn(p *Portal, m *Message) string {
	if p.Kind != ChannelPortal || m.Root == 0 {
		return ""
	}
	return s.natives.threads[threadKey{p.ID, Anchor{Channel: m.Channel, Seq: m.Root}}]
}

// settleSends lets the head of every free lane go, and looks up what is in doubt.
func (d *decision) settleSends() {
	if d.s.Closing {
		return
	}
	for _, lane := range keys(d.s.lanes) {
		head := *d.s.lanes[lane][0]
		if head.NotBefore.After(d.now) {
			continue
		}
		switch head.State {
		case SendOwed:
			head.State, head.NotBefore = SendGoing, time.Time{}
			head.Attempt++
			head.LeaveBy = d.now.Add(d.s.leaveTime(&head))
			d.put(PutSend{head})
			d.going = append(d.going, head)
		case SendUnknown:
			head.State, head.NotBefore = SendLooking, time.Time{}
			d.put(PutSend{head})
			d.going = append(d.going, head)
		}
	}
}

// fileTimes is how many times as long as a text a file may take to leave.
const fileTimes = 12

// leaveTime is how long an entry's next part may take to leave.
func (s *State) leaveTime(x *Send) time.Duration {
	if x.File() != nil {
		return fileTimes * s.Limits.SendTime
	}
	return s.Limits.SendTime
}

// nextDeadline is the earliest time at which something may go on by itself: a
// send that waits, or mail that the day's budget holds.
func (s *State) nextDeadline(now time.Time) time.Time {
	var first time.Time
	for _, lane := range s.lanes {
		if t := lane[0].NotBefore; !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if t := s.quietDeadline(); !t.IsZero() && (first.IsZero() || t.Before(first)) {
		first = t
	}
	if t := s.questionDeadline(); !t.IsZero() && (first.IsZero() || t.Before(first)) {
		first = t
	}
	if d := (decision{s: s, now: now}); len(s.queues) > 0 && d.budgetHolds() {
		if t := d.midnight(); first.IsZero() || t.Before(first) {
			first = t
		}
	}
	return first
}

// tick lets what waited for a time go on.
type tick struct{}

func (tick) decide(d *decision) (any, error) {
	d.expireQuiet()
	d.expireQuestions()
	return nil, nil
}

// recoverSends is what a new owner makes of sends that its predecessor began:
// whether they arrived is unknown, and nobody looks before they must have left
// and settled, counted from now.
type recoverSends struct{}

func (recoverSends) decide(d *decision) (any, error) {
	for _, id := range keys(d.s.Sends) {
		s := *d.s.Sends[id]
		if s.State == SendGoing || s.State == SendLooking {
			if s.State == SendGoing {
				s.Doubts++
			}
			s.State = SendUnknown
			s.NotBefore = d.now.Add(d.s.leaveTime(&s) + d.s.Limits.SettleTime)
			d.put(PutSend{s})
		}
	}
	return nil, nil
}

func (v Verdict) decide(d *decision) (any, error) {
	cur := d.s.Sends[v.Send]
	if cur == nil || cur.Attempt != v.Attempt || cur.State != SendGoing && cur.State != SendLooking {
		return nil, fmt.Errorf("send %d, attempt %d: %w", v.Send, v.Attempt, ErrStale)
	}
	s := *cur
	s.LeaveBy = time.Time{}
	switch {
	case s.Stream == nil:
	case s.Stream.Native == "" && v.Kind == Found:
		d.stands(&s, v)
		return nil, nil
	case s.Stream.Native == "" && v.Kind == Clean, v.Kind == Refused && !v.Close:
		d.standsNowhere(&s)
		d.unpark(s.Portal)
		return nil, nil
	}
	switch v.Kind {
	case Sent, Found:
		d.sent(&s, v)
	case Refused:
		d.refuseSend(&s, v)
	case NotSent:
		s.State = SendOwed
		s.Attempt--
		s.Tries++
		s.NotBefore = v.RetryAt
		if s.NotBefore.IsZero() {
			s.NotBefore = d.now.Add(backoff(s.Tries))
		}
		d.put(PutSend{s})
	case Uncertain:
		s.State = SendUnknown
		s.Doubts++
		// Not even its own sender knows that it will not leave any more.
		s.NotBefore = later(d.now, cur.LeaveBy).Add(d.s.Limits.SettleTime)
		d.put(PutSend{s})
	case Clean:
		s.State, s.NotBefore = SendOwed, time.Time{}
		d.put(PutSend{s})
	case NoLook:
		s.State = SendUnknown
		s.NotBefore = v.RetryAt
		if s.NotBefore.IsZero() {
			s.NotBefore = d.now.Add(retryMost)
		}
		d.put(PutSend{s})
	case Blind:
		d.blind(&s)
	default:
		return nil, errors.New("a send ended in no way that the office knows: " + string(v.Kind))
	}
	d.unpark(s.Portal)
	return nil, nil
}

// blind decides about a part in doubt where the platform gives no means to look:
// one more copy, marked as possibly the second; when that is in doubt as well
// it is final, and its writer is told that it may not have been shown.
func (d *decision) blind(s *Send) {
	if s.Doubts < 2 {
		s.State, s.NotBefore, s.Again = SendOwed, time.Time{}, true
		d.put(PutSend{*s})
		return
	}
	d.tellOwnerOf(s, fmt.Sprintf("%s may not have been shown on %s: twice nobody could tell whether it arrived.", s.Message, d.s.Portals[s.Portal].Platform))
	d.nextPart(s)
}

// nextPart goes on behind a part that has settled.
func (d *decision) nextPart(s *Send) {
	s.Part++
	if s.Part >= s.Total() {
		d.put(DeleteSend{ID: s.ID})
		return
	}
	s.State, s.Doubts, s.Tries, s.Again, s.NotBefore, s.Stream = SendOwed, 0, 0, false, time.Time{}, nil
	d.put(PutSend{*s})
}

// tellOwnerOf tells the owner what became of something that was owed to a
// platform, unless it is that very platform's mailbox that cannot be reached.
func (d *decision) tellOwnerOf(s *Send, text string) {
	o, p := d.s.owner(), d.s.Portals[s.Portal]
	if o == nil || p.Kind == DMPortal && p.Person == o.ID {
		return
	}
	d.mail(o, &Message{
		Author: Author{Kind: ByOffice, Name: "office"}, Origin: s.Message, Wake: wake.Wake{Kind: wake.Nobody}, Text: text,
	})
}

// sent records a part's place on the platform and goes on to the next part, or
// lets the lane go on.
func (d *decision) sent(s *Send, v Verdict) {
	if s.Change {
		d.nextPart(s)
		return
	}
	d.put(PutNative{Native{Portal: s.Portal, ID: v.Native, Anchor: s.Message, Thread: v.Thread, Part: s.Part}})
	d.showed(s.Portal, v.Thread)
	if s.Part == 0 {
		m := &Message{Channel: s.Message.Channel, Seq: s.Message.Seq, Root: s.Root, Author: s.Author}
		d.rememberNative(s.Portal, v.Native, thread{root: m, speaker: s.Author})
		d.s.natives.stands(s.Portal, Anchor{Channel: m.Channel, Seq: m.thread()}, cmp.Or(v.Thread, v.Native))
		d.s.natives.spoke(s.Portal, v.Thread, s.Author)
	}
	d.nextPart(s)
}

// refuseSend drops a message that the platform will not show, its later parts
// with it, and tells the owner once.
func (d *decision) refuseSend(s *Send, v Verdict) {
	d.put(DeleteSend{ID: s.ID})
	if s.Change && !v.Close {
		return // what cannot be changed there stays as it is
	}
	p := *d.s.Portals[s.Portal]
	moved := s.Change || d.elsewhere(s, &p)
	if v.Close {
		p.Closed = cmp.Or(v.Reason, "the platform refused it")
		d.put(PutPortal{p})
		for _, x := range slices.Clone(d.s.lanes[p.ID]) {
			d.put(DeleteSend{ID: x.ID}) // what waits behind it would be refused as well
			d.elsewhere(x, &p)
		}
	}
	if !moved {
		d.tellOwnerOf(s, fmt.Sprintf("%s is not shown on %s: %s.", s.Message, p.Platform, oneLine(v.Reason, 300)))
	}
}

// elsewhere owes what one platform of a person refused to another one of theirs;
// false where there is none that has not refused it.
func (d *decision) elsewhere(s *Send, refused *Portal) bool {
	if refused.Kind != DMPortal || s.Part > 0 || s.Change {
		return false
	}
	tried := append(slices.Clone(s.Refused), refused.ID)
	for _, p := range d.s.reach(refused.Person) {
		if slices.Contains(tried, p.ID) {
			continue
		}
		next := *s
		next.ID, next.Portal, next.Refused = d.next(&d.s.Meta.Send), p.ID, tried
		next.State, next.Attempt, next.Doubts, next.Tries, next.Again, next.Thread, next.Stream = SendOwed, 0, 0, 0, false, "", nil
		next.NotBefore, next.LeaveBy = time.Time{}, time.Time{}
		d.put(PutSend{next})
		return true
	}
	return false
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// backoff is the pause before the nth try of a send that did not leave.
func backoff(n int) time.Duration {
	return min(retryFirst<<min(n-1, 10), retryMost)
}

// unsettled says whether something sent to a portal has no platform id yet.
func (s *State) unsettled(id PortalID) bool {
	return slices.ContainsFunc(s.lanes[id], func(x *Send) bool { return !x.Change && (x.State != SendOwed || x.Part > 0) })
}
