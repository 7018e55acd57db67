package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// mostSends is how often one commit is sent when connections break.
const mostSends = 3

// Commit writes the batch as one script. A lease that is not current is refused
// with office.ErrFenced, also for a batch that is stored already. If a change
// cannot be written nothing is. When connections break it finds out what became
// of the batch, and sends it again if that is: not there. If that cannot be
// found out either the end is unknown: ask Head.
func (s *Store) Commit(ctx context.Context, lease office.Lease, b office.Batch) error {
	s.commits.Lock()
	defer s.commits.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.fate.unknown() {
		if _, err := s.settle(ctx); err != nil {
			return err
		}
	}
	w, err := s.prepare(ctx, lease, b)
	if err != nil {
		return err
	}
	done, err := s.insist(ctx, lease, b, w)
	s.places.follow(lease, b.N, w.moved, done)
	return err
}

// insist sends the batch until its end is known, or cannot be known. done says
// that these very commands have run.
func (s *Store) insist(ctx context.Context, lease office.Lease, b office.Batch, w *batch) (done bool, err error) {
	for n := 1; ; n++ {
		reply, err := s.runOnce(ctx, commitScript, commitText, w.keyNames(), w.args(lease, s.fate.current(lease), b))
		if err == nil {
			return reply == "done", w.verdict(reply)
		}
		var said driver.Error
		if errors.As(err, &said) {
			return false, s.fault("commit to", err) // Redis says that it did not run
		}
		s.fate.lost(lease)
		if n == mostSends || ctx.Err() != nil || errors.Is(err, driver.ErrClosed) {
			return false, s.fault("commit to", err)
		}
		h, headErr := s.settle(ctx)
		switch {
		case headErr != nil:
			return false, s.fault("commit to", err)
		case h.Lease != lease:
			return false, office.ErrFenced
		case h.N == b.N && h.ID == b.ID:
			return true, nil
		case h.N != b.N-1:
			return false, office.ErrFenced
		}
	}
}

// keyNames are the script's keys.
func (w *batch) keyNames() []string {
	names := make([]string, 0, 1+len(w.touched))
	names = append(names, w.keys.head())
	for _, k := range w.touched {
		names = append(names, k.name)
	}
	return names
}

// args are the script's arguments.
func (w *batch) args(lease office.Lease, attempt string, b office.Batch) []any {
	args := make([]any, 0, 7+len(w.touched)+len(w.checks)+len(w.ops))
	args = append(args, lease.Fence, lease.Nonce, attempt, b.N-1, b.N, b.ID, len(w.checked))
	for _, k := range w.touched {
		args = append(args, k.kind)
	}
	args = append(args, w.checks...)
	return append(args, w.ops...)
}

// verdict is what the script's answer means.
func (w *batch) verdict(reply string) error {
	what, which, _ := strings.Cut(reply, " ")
	i, err := strconv.Atoi(which)
	i--
	switch {
	case what == "done", what == "again":
		return nil
	case what == "fenced":
		return office.ErrFenced
	case what == "taken" && err == nil && i >= 0 && i < len(w.checked):
		return fmt.Errorf("the batch was refused: %s", w.checked[i])
	case what == "kind" && err == nil && i >= 0 && i < len(w.touched):
		k := w.touched[i]
		return fmt.Errorf("the key %s in Redis is no %s, so another program wrote it: move it away with redis-cli rename", k.name, k.kind)
	default:
		return fmt.Errorf("the script that commits answered %q", reply)
	}
}
