package bridge

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"bullpen/bridge/render"
	"bullpen/internal/fault"
	"bullpen/office"
)

// Drafter is a Poster whose platform can show an answer while it is written, beside its
// messages: what it shows is no message and owed to nobody, and goes away when the
// answer comes, or by itself soon after.
type Drafter interface {
	Poster
	// Drafts says whether it can do so in a place.
	Drafts(place string) bool
	// Draft shows the beginning of an answer, in place of what was shown under the same
	// number, which is never 0. The request leaves before ctx's deadline. After an error
	// nothing more of that answer is shown.
	Draft(ctx context.Context, out Outgoing, number int64) (Pace, error)
}

// Pace says when a draft may be shown again: Next is how soon more of it, Renew when the
// same, so that it stays.
type Pace struct{ Next, Renew time.Duration }

const (
	// draftHeld is how many characters of an answer have to be there before any of it is
	// shown: what says that there is none is shorter.
	draftHeld = 256
	// draftTime is how long one call may take; the answer itself waits for it.
	draftTime = 3 * time.Second
	// draftLongest is how long a draft is kept in sight to which nothing is added.
	draftLongest = 10 * time.Minute
	// draftBusy is how soon a place is looked at again in which another draft stands.
	draftBusy = time.Second
)

// errNoDraft ends the show of a draft.
var errNoDraft = errors.New("nothing more is shown of it")

// penAt is where something is written: a place and, where several can write there at
// once, a turn.
type penAt struct {
	portal office.PortalID
	turn   int64
}

// pens are the places in which an answer is shown while it is written: one at a time in
// each, so that nobody has to read two that take turns. The zero value is ready.
type pens struct {
	mu sync.Mutex
	in map[penAt]*pen
}

// pen is one place's: whose turn has it, and whether a call is on its way.
type pen struct {
	turn int64
	rest chan struct{} // closed when the call has ended; nil while there is none
}

// take gives the pen of a place to a turn for one call, unless another one has it.
func (s *pens) take(at penAt, turn int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.in[at]
	if p == nil {
		p = &pen{turn: turn}
		if s.in == nil {
			s.in = map[penAt]*pen{}
		}
		s.in[at] = p
	}
	if p.turn != turn {
		return false
	}
	p.rest = make(chan struct{})
	return true
}

// rest says that the call has ended.
func (s *pens) rest(at penAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.in[at]
	close(p.rest)
	p.rest = nil
}

// drop gives the pen of a place away, if a turn has it.
func (s *pens) drop(at penAt, turn int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.in[at]; p != nil && p.turn == turn {
		delete(s.in, at)
	}
}

// quiet waits until no call is on its way to a place, or ctx ends: a draft that comes
// after its answer would stand below it.
func (s *pens) quiet(ctx context.Context, at penAt) {
	s.mu.Lock()
	var rest chan struct{}
	if p := s.in[at]; p != nil {
		rest = p.rest
	}
	s.mu.Unlock()
	if rest == nil {
		return
	}
	select {
	case <-rest:
	case <-ctx.Done():
	}
}

// writing shows on one platform what one turn writes.
type writing struct {
	b    *Bridge
	to   Poster
	turn int64
	log  *slog.Logger

	mu      sync.Mutex
	natives map[office.PortalID]string // the messages that grow
}

// writes says whether a platform can show what is written.
func writes(a Adapter) (Poster, bool) {
	switch to := a.(type) {
	case Drafter:
		return to, true
	case Streamer:
		return to, true
	}
	return nil, false
}

// run shows it until the turn is over, the platform will not have it, or ctx ends.
func (w *writing) run(ctx context.Context) {
	defer func() {
		if r := recover(); r != nil {
			w.log.Error("showing what is written failed", "turn", w.turn, "panic", r, "stack", string(debug.Stack()))
		}
	}()
	type what struct{ step, try int }
	for n, shown := int64(0), (what{}); ; {
		d, err := w.b.office.Draft(ctx, w.turn, n)
		if err != nil {
			return
		}
		n = d.N
		if shown == (what{d.Step, d.Try}) || utf8.RuneCountInString(strings.TrimSpace(d.Text)) <= draftHeld {
			continue
		}
		shown = what{d.Step, d.Try}
		if err := w.step(ctx, d); err != nil {
			w.log.Debug("an answer is no longer shown while it is written", "turn", w.turn, "err", err)
			return
		}
	}
}

// step shows what is written of one step wherever its answer would be shown.
func (w *writing) step(ctx context.Context, d office.Draft) error {
	sends, err := w.b.office.Answering(ctx, w.turn)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	failed := make([]error, len(sends))
	for i, s := range sends {
		p, ok, err := w.b.office.Portal(ctx, s.Portal)
		if err != nil || !ok || p.Platform != w.to.Platform() {
			continue
		}
		switch to := w.to.(type) {
		case Drafter:
			if to.Drafts(p.Place) {
				all.Go(func() { failed[i] = w.show(ctx, to, s, d) })
			}
		case Streamer:
			all.Go(func() { failed[i] = w.grow(ctx, to, s, d) })
		}
	}
	all.Wait()
	return errors.Join(failed...)
}

// show keeps the draft of one step in sight in one place, until another step is written
// or this one anew.
func (w *writing) show(ctx context.Context, to Drafter, s office.Send, d office.Draft) error {
	defer w.b.pens.drop(penAt{portal: s.Portal}, w.turn)
	s.Parts = []string{""}
	out, _, err := w.b.outgoing(ctx, w.b.office, s)
	if err != nil {
		return err
	}
	begun, due, idle := d, time.Now(), time.Now().Add(draftLongest)
	for d.Step == begun.Step && d.Try == begun.Try && time.Now().Before(idle) {
		grown := false
		if text := w.beginning(d); len(text) > len(out.Text) {
			out.Text, grown = text, true
			idle = time.Now().Add(draftLongest)
		}
		if out.Text != "" && (grown || !time.Now().Before(due)) {
			pace, err := w.once(ctx, to, penAt{portal: s.Portal}, d.N, out)
			if err != nil {
				return err
			}
			due = time.Now().Add(pace.Renew)
			if err := Pause(ctx, pace.Next); err != nil {
				return err
			}
		}
		if d, err = w.newer(ctx, d, due); err != nil {
			return err
		}
	}
	return nil
}

// beginning is what may be shown of a draft: what fits one message. The rest of a longer
// answer waits for the end.
func (w *writing) beginning(d office.Draft) string {
	if parts := w.to.Split(render.Stable(d.Text)); len(parts) > 0 {
		return parts[0]
	}
	return ""
}

// once makes one call, if its place is free and the draft still stands; where it does
// not, it says when to look again.
func (w *writing) once(ctx context.Context, to Drafter, at penAt, n int64, out Outgoing) (Pace, error) {
	if !w.b.pens.take(at, w.turn) {
		return Pace{Renew: draftBusy}, nil
	}
	defer w.b.pens.rest(at)
	if !w.b.office.ShowDraft(w.turn, n) {
		return Pace{Renew: draftBusy}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, draftTime)
	defer cancel()
	fault.Point("draft.before")
	pace, err := to.Draft(ctx, out, w.turn)
	fault.Point("draft.after")
	if err != nil {
		return Pace{}, errors.Join(errNoDraft, err)
	}
	return pace, nil
}

// newer waits for a newer draft than d, but not longer than until due, and gives d then.
func (w *writing) newer(ctx context.Context, d office.Draft, due time.Time) (office.Draft, error) {
	some, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	next, err := w.b.office.Draft(some, w.turn, d.N)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return d, nil
	}
	return next, err
}
