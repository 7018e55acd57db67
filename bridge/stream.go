package bridge

import (
	"context"
	"errors"
	"strings"
	"time"

	"bullpen/internal/fault"
	"bullpen/office"
)

// Streamer is an Adapter whose platform can show an answer while it is written as a
// message that grows, to which text can be added and none taken back until it is
// finished.
type Streamer interface {
	Poster
	// Streams says whether one may begin now where out goes; what it allows is used up.
	Streams(out Outgoing) bool
	// Begin shows out as a message that grows. The request leaves before ctx's deadline
	// or not at all. An error is a *PostError.
	Begin(ctx context.Context, out Outgoing) (Posted, error)
	// Grow makes the message show out, which begins with what it shows: before. It says
	// how soon more may follow; after an error it grows no more.
	Grow(ctx context.Context, native string, out Outgoing, before string) (next time.Duration, err error)
	// Finish makes the message the one that Post would have shown, and once more changes
	// nothing. An error is a *PostError.
	Finish(ctx context.Context, native string, out Outgoing) error
	// Break ends a message for which there is no answer where it is. Once more changes
	// nothing. An error is a *PostError.
	Break(ctx context.Context, native string, out Outgoing) error
}

// grow shows an answer as a message that grows, once in a turn and place: what was shown
// cannot be taken back, so what a later step writes is seen when the turn has ended.
func (w *writing) grow(ctx context.Context, to Streamer, s office.Send, d office.Draft) error {
	begun := d
	s.Parts = []string{""}
	out, _, err := w.b.outgoing(ctx, w.b.office, s)
	if err != nil {
		return err
	}
	for out.Text = w.beginning(d); out.Text == ""; out.Text = w.beginning(d) {
		if d, err = w.b.office.Draft(ctx, w.turn, d.N); err != nil || d.Step != begun.Step || d.Try != begun.Try {
			return err
		}
	}
	if out.For, err = w.asker(ctx, s); err != nil || !to.Streams(out) {
		return err
	}
	native, err := w.begin(ctx, to, s.Portal, d.N, out)
	if native == "" {
		return err
	}
	for {
		if d, err = w.b.office.Draft(ctx, w.turn, d.N); err != nil || d.Step != begun.Step || d.Try != begun.Try {
			return err
		}
		before := out.Text
		if out.Text = w.beginning(d); !strings.HasPrefix(out.Text, before) {
			return errNoDraft
		}
		if out.Text == before {
			continue
		}
		next, err := w.more(ctx, to, penAt{s.Portal, w.turn}, native, d.N, out, before)
		if err == nil {
			err = Pause(ctx, next)
		}
		if err != nil {
			return err
		}
	}
}

// begin commits that the message begins, begins it and has its end recorded. Without an
// error and a name nothing was begun, or nobody knows.
func (w *writing) begin(ctx context.Context, to Streamer, at office.PortalID, n int64, out Outgoing) (native string, err error) {
	s, ok, err := w.b.office.BeginStream(ctx, w.turn, at, out.Text)
	if err != nil || !ok {
		return "", err
	}
	v := office.Verdict{Kind: office.NotSent}
	if w.b.office.ShowDraft(w.turn, n) && time.Now().Before(s.LeaveBy) {
		call, cancel := context.WithDeadline(ctx, s.LeaveBy)
		defer cancel()
		fault.Point("stream.before")
		var posted Posted
		posted, err = to.Begin(call, out)
		fault.Point("stream.after")
		if v = verdictOf(err); err == nil {
			v = office.Verdict{Kind: office.Sent, Native: posted.ID, Thread: posted.Thread}
		}
	}
	if v.Kind == office.Refused {
		v = office.Verdict{Kind: office.NotSent}
	}
	w.b.office.StreamBegan(w.turn, s.ID, v)
	return v.Native, err
}

// more makes one call that adds to the message.
func (w *writing) more(ctx context.Context, to Streamer, pen penAt, native string, n int64, out Outgoing, before string) (time.Duration, error) {
	if !w.b.pens.take(pen, w.turn) {
		return 0, errNoDraft
	}
	defer w.b.pens.drop(pen, w.turn)
	defer w.b.pens.rest(pen)
	if !w.b.office.ShowDraft(w.turn, n) {
		return 0, errNoDraft
	}
	ctx, cancel := context.WithTimeout(ctx, draftTime)
	defer cancel()
	fault.Point("draft.before")
	next, err := to.Grow(ctx, native, out, before)
	fault.Point("draft.after")
	return next, err
}

// asker is the account on this platform of the person whom a message answers, if it has
// one.
func (w *writing) asker(ctx context.Context, s office.Send) (string, error) {
	if s.ReplyTo == 0 {
		return "", nil
	}
	m, err := w.b.office.Message(ctx, office.Anchor{Channel: s.Message.Channel, Seq: s.ReplyTo})
	if err != nil || m.Author.Kind != office.ByPerson {
		return "", err
	}
	v, err := w.b.office.View(ctx)
	for _, p := range v.People {
		if string(p.ID) != m.Author.ID {
			continue
		}
		for _, a := range append(append([]office.Account(nil), p.Accounts...), p.Paired...) {
			if a.Platform == w.to.Platform() {
				return a.ID, err
			}
		}
	}
	return "", err
}

// sendStream carries out an attempt to finish a message that grew, or looks whether
// there is one. To finish it again changes nothing, so what is in doubt is done again.
func (b *Bridge) sendStream(ctx context.Context, o *office.Office, s office.Send) office.Verdict {
	looks, shown := s.State == office.SendLooking, *s.Stream
	if looks && shown.Native != "" {
		return office.Verdict{Kind: office.Clean}
	}
	if s.Change {
		s.Parts = []string{""}
	}
	s.At = shown.At
	out, poster, err := b.outgoing(ctx, o, s)
	to, ok := poster.(Streamer)
	switch {
	case looks && err == nil:
		out.Head = shown.Head
		return look(ctx, poster, out, nil)
	case looks:
		return office.Verdict{Kind: office.NoLook}
	case err != nil:
		return office.Verdict{Kind: office.NotSent}
	case !ok:
		return office.Verdict{Kind: office.Refused, Reason: errors.ErrUnsupported.Error()}
	}
	ctx, cancel := context.WithDeadline(ctx, s.LeaveBy)
	defer cancel()
	if b.pens.quiet(ctx, penAt{s.Portal, shown.Turn}); !time.Now().Before(s.LeaveBy) {
		return office.Verdict{Kind: office.NotSent}
	}
	if s.Change {
		err = to.Break(ctx, shown.Native, out)
	} else {
		err = to.Finish(ctx, shown.Native, out)
	}
	if err != nil {
		return verdictOf(err)
	}
	return office.Verdict{Kind: office.Sent, Native: shown.Native, Thread: shown.Thread}
}
