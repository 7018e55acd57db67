package office

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Stream is a message that grows on a portal while a turn writes its answer. It is
// committed before its first byte leaves. When the turn ends its answer takes the
// message over, or, where there is none, it is ended where it is.
type Stream struct {
	ID     int64    `json:"id"` // from the counter of the outbox
	Portal PortalID `json:"portal"`
	Turn   int64    `json:"turn"`
	// Native is what the platform calls it and Thread where it stands; empty until that
	// is known, and Head, what it begins with, is what it is looked for by.
	Native string `json:"native,omitempty"`
	Thread string `json:"thread,omitempty"`
	Head   string `json:"head"`
	// At is when it was begun, LeaveBy by when its beginning must have left.
	At      time.Time `json:"at"`
	LeaveBy time.Time `json:"leaveBy"`
}

// beginStream asks whether a turn may show its answer on a portal while it writes it.
// It may once, while its last words would be posted there and nothing else is owed to
// the portal, which would come too late.
type beginStream struct {
	Turn   int64
	Portal PortalID
	Head   string
}

func (r beginStream) decide(d *decision) (any, error) {
	cur := d.s.Turns[r.Turn]
	shown := d.s.answering(cur, d.now)
	here := slices.IndexFunc(shown, func(s Send) bool { return s.Portal == r.Portal })
	if here < 0 || d.s.Closing || len(d.s.lanes[r.Portal]) > 0 || streamsOn(cur, r.Portal) {
		return Send{}, nil
	}
	t, s := *cur, shown[here]
	st := Stream{
		ID: d.next(&d.s.Meta.Send), Portal: s.Portal, Turn: t.ID, Head: r.Head, At: d.now, LeaveBy: d.now.Add(d.s.Limits.SendTime),
	}
	s.ID, s.LeaveBy, s.Parts = st.ID, st.LeaveBy, []string{r.Head}
	t.Streams = append(slices.Clone(t.Streams), st)
	d.put(PutTurn{t})
	return s, nil
}

func streamsOn(t *Turn, p PortalID) bool {
	return slices.ContainsFunc(t.Streams, func(x Stream) bool { return x.Portal == p })
}

// streamed says how the beginning of a stream ended: Sent, NotSent or Uncertain. The
// turn may be over by then, and its answer wait for this.
type streamed struct {
	Turn   int64
	Stream int64
	Verdict
}

func (r streamed) decide(d *decision) (any, error) {
	if cur := d.s.Turns[r.Turn]; cur != nil {
		i := slices.IndexFunc(cur.Streams, func(x Stream) bool { return x.ID == r.Stream })
		if i < 0 {
			return nil, fmt.Errorf("stream %d of turn %d: %w", r.Stream, r.Turn, ErrStale)
		}
		t := *cur
		t.Streams = slices.Clone(t.Streams)
		switch r.Kind {
		case Sent:
			t.Streams[i].Native, t.Streams[i].Thread = r.Native, r.Verdict.Thread
		case NotSent:
			t.Streams = slices.Delete(t.Streams, i, i+1)
		default:
			return nil, nil
		}
		d.put(PutTurn{t})
		return nil, nil
	}
	for _, id := range keys(d.s.Sends) {
		x := d.s.Sends[id]
		if x.Stream == nil || x.Stream.ID != r.Stream || x.Stream.Native != "" || x.State != SendUnknown {
			continue
		}
		next := *x
		switch r.Kind {
		case Sent:
			d.stands(&next, r.Verdict)
		case NotSent:
			d.standsNowhere(&next)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("stream %d of turn %d: %w", r.Stream, r.Turn, ErrStale)
}

// stands takes in where the message of a stream is, which is finished there next.
func (d *decision) stands(s *Send, v Verdict) {
	st := *s.Stream
	st.Native, st.Thread = v.Native, v.Thread
	s.Stream, s.State, s.Doubts, s.NotBefore = &st, SendOwed, 0, time.Time{}
	d.put(PutSend{*s})
}

// standsNowhere takes in that there is no message of a stream: its answer is a message
// like any other.
func (d *decision) standsNowhere(s *Send) {
	if s.Change {
		d.put(DeleteSend{ID: s.ID})
		return
	}
	s.Stream, s.State, s.Doubts, s.NotBefore = nil, SendOwed, 0, time.Time{}
	d.put(PutSend{*s})
}

// takeUp has the first message of a turn's answer finish what grew on portals.
func (d *decision) takeUp(t *Turn, m *Message) {
	for _, x := range slices.Clone(t.Streams) {
		for _, s := range d.s.lanes[x.Portal] {
			if s.Message == m.Anchor() && !s.Change && len(s.Parts) > 0 {
				next := *s
				d.finishes(&next, x)
				t.Streams = slices.DeleteFunc(slices.Clone(t.Streams), func(y Stream) bool { return y.ID == x.ID })
				break
			}
		}
	}
}

// endStreams ends what grew on portals where no answer takes it over.
func (d *decision) endStreams(t *Turn) {
	for _, x := range t.Streams {
		p := d.s.Portals[x.Portal]
		if p == nil || p.Closed != "" || p.Unlinked || t.ReplyTo == 0 {
			continue
		}
		d.finishes(&Send{
			ID: d.next(&d.s.Meta.Send), Portal: x.Portal, Message: Anchor{Channel: t.Conv.Channel, Seq: t.ReplyTo}, At: d.now, Change: true,
			Root: t.Conv.Root, ReplyTo: t.ReplyTo,
		}, x)
	}
	t.Streams = nil
}

// finishes makes an entry one that finishes a stream. Where nobody knows yet whether its
// beginning arrived, that is found out first.
func (d *decision) finishes(s *Send, x Stream) {
	s.Stream, s.State = &x, SendOwed
	if x.Native == "" {
		s.State, s.Doubts, s.NotBefore = SendUnknown, 1, later(d.now, x.LeaveBy).Add(d.s.Limits.SettleTime)
	}
	d.put(PutSend{*s})
}

// doubtStreams is what a new owner makes of streams of which its predecessor did not
// record that they began: nobody looks before they must have left, counted from now.
func (d *decision) doubtStreams(t *Turn) {
	t.Streams = slices.Clone(t.Streams)
	for i := range t.Streams {
		if x := &t.Streams[i]; x.Native == "" {
			x.LeaveBy = d.now.Add(d.s.Limits.SendTime)
		}
	}
}

// BeginStream commits that a turn's answer begins to grow on a portal, with what it
// begins with, and gives what has to leave before its LeaveBy. ok is false where it may
// not: the answer is shown when it is finished.
func (o *Office) BeginStream(ctx context.Context, turn int64, portal PortalID, head string) (s Send, ok bool, err error) {
	out, err := o.do(ctx, beginStream{turn, portal, head})
	if err != nil {
		return Send{}, false, err
	}
	s = out.(Send)
	return s, s.ID != 0, nil
}

// StreamBegan says how the beginning of a stream ended: Sent with what the platform
// calls it, NotSent, or Uncertain. It is recorded however long that takes.
func (o *Office) StreamBegan(turn, stream int64, v Verdict) {
	o.insist(streamed{turn, stream, v})
}
