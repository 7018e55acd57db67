package sqlite

import (
	"context"
	"errors"
	"fmt"

	"bullpen/office"
)

// errRepeated ends the transaction of a batch that is already there.
var errRepeated = errors.New("this batch is stored")

// Commit writes the batch as one transaction. A lease that is not current is
// refused with office.ErrFenced, also for a batch that is stored already. If a
// change cannot be written nothing is. An error of the disk in the last step
// leaves the end unknown: ask Head.
func (s *Store) Commit(ctx context.Context, lease office.Lease, b office.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.write(ctx, func(w *session) error {
		if err := w.advance(lease, b); err != nil {
			return err
		}
		w.rows.clear()
		for _, c := range b.Changes {
			if err := w.put(c); err != nil {
				return fmt.Errorf("batch %d: %T: %w", b.N, c, err)
			}
		}
		if err := w.writeGathered(); err != nil {
			return fmt.Errorf("batch %d: %w", b.N, err)
		}
		return nil
	})
	if errors.Is(err, errRepeated) {
		return nil
	}
	return s.fault("commit to", err)
}

// advance moves the record's head on to the batch if the lease is current and
// the batch is the next one.
func (w *session) advance(lease office.Lease, b office.Batch) error {
	if lease.Nonce == "" { // that of a record that nobody owns
		return office.ErrFenced
	}
	n, err := w.count(`UPDATE office SET n = ?, id = ? WHERE fence = ? AND nonce = ? AND n = ?`,
		b.N, b.ID, lease.Fence, lease.Nonce, b.N-1)
	if err != nil || n == 1 {
		return err
	}
	var same bool
	err = w.one([]any{&same}, `SELECT count(*) FROM office WHERE fence = ? AND nonce = ? AND n = ? AND id = ?`,
		lease.Fence, lease.Nonce, b.N, b.ID)
	if err != nil {
		return err
	}
	if same {
		return errRepeated
	}
	return office.ErrFenced
}
