package office

import (
	"context"
	"fmt"
	"sync"
)

// bells wake runners whose turn's call waits for a person. The zero value is
// ready for use.
type bells struct {
	mu  sync.Mutex
	out map[int64]chan struct{} // by turn; closed when it is rung
}

// of is the bell of a turn, to be waited for until it rings.
func (b *bells) of(turn int64) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out == nil {
		b.out = map[int64]chan struct{}{}
	}
	if b.out[turn] == nil {
		b.out[turn] = make(chan struct{})
	}
	return b.out[turn]
}

func (b *bells) ring(turn int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bell := b.out[turn]; bell != nil {
		close(bell)
		delete(b.out, turn)
	}
}

// Await returns when the call of a turn that waits for a person waits no
// longer; the runner then goes on with Proceed. ErrStale: the attempt is over.
// ErrClosed: the office closes, and the wait goes on when it is open again.
func (o *Office) Await(ctx context.Context, ref TurnRef) error {
	for {
		bell := o.bells.of(ref.Turn) // before the look, so that no answer falls between
		waits, err := lookFor(ctx, o, func(s *State) (bool, error) { return s.awaits(ref) })
		if err != nil || !waits {
			o.bells.ring(ref.Turn) // nobody listens to it
			return err
		}
		select {
		case <-bell:
		case <-o.done:
			return o.closedErr()
		case <-ctx.Done():
			o.bells.ring(ref.Turn)
			return ctx.Err()
		}
	}
}

// awaits says whether the call of a turn waits for a person; see Await.
func (s *State) awaits(ref TurnRef) (bool, error) {
	t := s.Turns[ref.Turn]
	switch {
	case t == nil || t.Attempt != ref.Attempt:
		return false, fmt.Errorf("turn %d, attempt %d: %w", ref.Turn, ref.Attempt, ErrStale)
	case t.asks() == "":
		return false, nil
	case s.Closing:
		return false, ErrClosed
	default:
		return true, nil
	}
}
