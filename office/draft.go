package office

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// draftMost bounds the text of a draft, in bytes: no platform shows more of an answer
// before it is finished.
const draftMost = 64 << 10

// Draft is what a colleague has written so far of one step's text. It is no message and
// is not stored: only the newest is at hand, and whoever is slow misses those between.
type Draft struct {
	N    int64 // ascending within its turn
	Step int   // of the turn, from 1
	Try  int   // how often what it wrote came to nothing and was begun anew
	Text string
}

// drafts are those of the open turns.
type drafts struct {
	mu   sync.Mutex
	open map[int64]*drafting // by turn, of each turn that is open
}

// drafting is what one attempt of a turn writes.
type drafting struct {
	Draft
	attempt int
	// since is the newest N that must not be shown any more: it was of another step, or
	// was taken back. shown says that something newer was.
	since   int64
	shown   bool
	changed chan struct{} // closed at the next change; nil while nobody waits
}

// stir wakes whoever waits for a change.
func (w *drafting) stir() {
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

// void makes what was written so far nothing.
func (w *drafting) void() {
	w.N++
	w.Try++
	w.since, w.Text, w.shown = w.N, "", false
	w.stir()
}

// begin makes room for what an attempt writes.
func (s *drafts) begin(ref TurnRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.open[ref.Turn]
	if w == nil {
		if s.open == nil {
			s.open = map[int64]*drafting{}
		}
		s.open[ref.Turn] = &drafting{attempt: ref.Attempt}
		return
	}
	w.attempt = ref.Attempt
	w.void()
}

// end forgets what a turn wrote.
func (s *drafts) end(turn int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.open[turn]; w != nil {
		delete(s.open, turn)
		w.stir()
	}
}

// of is what an attempt writes, nil if it is over.
func (s *drafts) of(ref TurnRef) *drafting {
	if w := s.open[ref.Turn]; w != nil && w.attempt == ref.Attempt {
		return w
	}
	return nil
}

// writes says whether an attempt is the newest one of a turn that is open.
func (s *drafts) writes(ref TurnRef) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(ref) != nil
}

// WriteDraft says what an attempt has written so far of its next step, counted from 1.
// It waits for nobody. What is over draftMost, or of an attempt that is over, is dropped.
func (o *Office) WriteDraft(ref TurnRef, step int, text string) {
	o.drafts.mu.Lock()
	defer o.drafts.mu.Unlock()
	w := o.drafts.of(ref)
	if w == nil || len(text) > draftMost {
		return
	}
	if w.Step != step {
		w.since, w.shown = w.N, false
	}
	w.N++
	w.Step, w.Text = step, text
	w.stir()
}

// WithdrawDraft takes back what an attempt has written of the step that it is at, so
// that it may be written anew. It is false, and changes nothing, if something of it was
// shown.
func (o *Office) WithdrawDraft(ref TurnRef) bool {
	o.drafts.mu.Lock()
	defer o.drafts.mu.Unlock()
	w := o.drafts.of(ref)
	if w == nil {
		return true
	}
	if w.shown {
		return false
	}
	w.void()
	return true
}

// ShowDraft says whether draft n of a turn may be shown now, and that it is. Once a turn
// has ended, before its answer leaves, nothing of it may be.
func (o *Office) ShowDraft(turn, n int64) bool {
	o.drafts.mu.Lock()
	defer o.drafts.mu.Unlock()
	w := o.drafts.open[turn]
	if w == nil || n <= w.since {
		return false
	}
	w.shown = true
	return true
}

// Draft waits for a draft of a turn that is newer than n, and gives the newest. The
// error is ErrStale when the turn is over, ctx's when it ends first, and the office's
// when it has closed.
func (o *Office) Draft(ctx context.Context, turn, n int64) (Draft, error) {
	for {
		found, changed, err := o.drafts.after(turn, n)
		if err != nil || found.N > n {
			return found, err
		}
		select {
		case <-changed:
		case <-o.done:
			return Draft{}, o.closedErr()
		case <-ctx.Done():
			return Draft{}, ctx.Err()
		}
	}
}

func (s *drafts) after(turn, n int64) (Draft, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.open[turn]
	switch {
	case w == nil:
		return Draft{}, nil, fmt.Errorf("turn %d: %w", turn, ErrStale)
	case w.N > n:
		return w.Draft, nil, nil
	case w.changed == nil:
		w.changed = make(chan struct{})
	}
	return Draft{}, w.changed, nil
}

// Answering gives what the outbox would hold of a turn's answer if it ended now with
// some words: an entry for each portal that would show them, without texts. There is
// none while its last words would be posted nowhere, or after it has ended.
func (o *Office) Answering(ctx context.Context, turn int64) ([]Send, error) {
	return look(ctx, o, func(s *State) []Send { return s.answering(s.Turns[turn], o.now()) })
}

// answering is what Answering tells of a turn; of nil, nothing.
func (s *State) answering(t *Turn, now time.Time) []Send {
	if t == nil || !s.speaks(t) {
		return nil
	}
	m := s.answerOf(t, "")
	m.At = now
	var out []Send
	for _, p := range s.portalsOf(m) {
		out = append(out, s.entryFor(p, m))
	}
	return out
}
