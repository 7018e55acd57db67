package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"bullpen/internal/fault"
	"bullpen/office"
)

// ErrLater says that Grow has left a text to the next time.
var ErrLater = errors.New("it is shown the next time")

// Streamer is an Adapter whose platform can show an answer while it is written as a
// message that grows.
type Streamer interface {
	Poster
	// Streams says whether one may begin now where out goes; what it allows is used up.
	Streams(out Outgoing) bool
	// Replaces says whether a message can show another text in place of what it shows;
	// where not, text can be added alone and none taken back until it is finished.
	Replaces() bool
	// Begin shows out as a message that grows. The request leaves before ctx's deadline
	// or not at all. An error is a *PostError.
	Begin(ctx context.Context, out Outgoing) (Posted, error)
	// Grow makes the message show out, which begins with what it shows: before. That is
	// empty where another text is replaced. It says how soon more may follow; after an
	// error other than ErrLater it grows no more.
	Grow(ctx context.Context, native string, out Outgoing, before string) (next time.Duration, err error)
	// Finish makes the message the one that Post would have shown, and once more changes
	// nothing. An error is a *PostError.
	Finish(ctx context.Context, native string, out Outgoing) error
	// Break ends a message for which there is no answer where it is. Once more changes
	// nothing. An error is a *PostError.
	Break(ctx context.Context, native string, out Outgoing) error
}

// grow shows an answer as a message that grows, one in a turn and place. Where what was
// shown cannot be taken back, what a later step writes is seen when the turn has ended.
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
	native, before := w.standing(s.Portal), ""
	switch {
	case native == "":
		if out.For, err = w.asker(ctx, s); err != nil || !to.Streams(out) {
			return err
		}
		if native, err = w.begin(ctx, to, s.Portal, d.N, out); native == "" {
			return err
		}
		before = out.Text
	case !to.Replaces():
		return nil
	}
	for d.Step == begun.Step && d.Try == begun.Try {
		if out.Text = w.beginning(d); !strings.HasPrefix(out.Text, before) {
			return errNoDraft
		}
		again := false
		if out.Text != before {
			next, err := w.more(ctx, to, penAt{s.Portal, w.turn}, native, d.N, out, before)
			if again = errors.Is(err, ErrLater); !again {
				before = out.Text
			}
			if err == nil || again {
				err = Pause(ctx, next)
			}
			if err != nil {
				return err
			}
		}
		if again {
			d, err = w.newer(ctx, d, time.Now().Add(time.Millisecond))
		} else {
			d, err = w.b.office.Draft(ctx, w.turn, d.N)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// standing is the message that grows on a portal in this turn; empty for none.
func (w *writing) standing(at office.PortalID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.natives[at]
}

func (w *writing) stands(at office.PortalID, native string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.natives == nil {
		w.natives = map[office.PortalID]string{}
	}
	w.natives[at] = native
}

// begin commits that the message begins, begins it and has its end recorded. Without an
// error and a name nothing was begun, or nobody knows.
func (w *writing) begin(ctx context.Context, to Streamer, at office.PortalID, n int64, out Outgoing) (native string, err error) {
	s, ok, err := w.b.office.BeginStream(ctx, w.turn, at, out.Text)
	if err != nil || !ok {
		return "", err
	}
	out.Key = fmt.Sprintf("%s.%d.%d", w.b.key, s.ID, 0)
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
	w.stands(at, v.Native)
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

// Letters are the letters and digits that a text begins with, at most so many of them, in
// lower case: by them a message is known whose platform keeps no Markdown.
func Letters(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == most {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
			n++
		}
	}
	return b.String()
}
