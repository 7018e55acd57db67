package sqlite

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bullpen/office"

	"github.com/gofrs/flock"
)

var errClosed = errors.New("the office's record is closed")

// Acquire locks the folder, raises the fence by one under a fresh random nonce,
// and leaves word of the holder for the next who tries. The lock ends with the
// process, however it ends.
func (s *Store) Acquire(ctx context.Context, holder office.Holder) (office.Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return office.Lease{}, errClosed
	}
	lock, err := s.takeLock()
	if err != nil {
		return office.Lease{}, err
	}
	lease, err := s.raiseFence(ctx, holder)
	if err != nil {
		return office.Lease{}, errors.Join(err, lock.Unlock())
	}
	s.lock, s.lease = lock, lease
	return lease, nil
}

// raiseFence makes every earlier lease stale.
func (s *Store) raiseFence(ctx context.Context, holder office.Holder) (office.Lease, error) {
	lease := office.Lease{Nonce: rand.Text()}
	err := s.write(ctx, func(w *session) error {
		return w.one([]any{&lease.Fence}, `UPDATE office SET fence = fence + 1, nonce = ? RETURNING fence`, lease.Nonce)
	})
	if err != nil {
		return office.Lease{}, s.fault("acquire", err)
	}
	if err := s.writeHolder(holder); err != nil {
		return office.Lease{}, fmt.Errorf("cannot leave word of who runs the office: %w", err)
	}
	return lease, nil
}

// Release takes the lease's nonce out of the record and unlocks the folder.
func (s *Store) Release(ctx context.Context, lease office.Lease) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.lock == nil || lease != s.lease {
		return nil
	}
	err := s.write(ctx, func(w *session) error {
		return w.exec(`UPDATE office SET nonce = '' WHERE fence = ? AND nonce = ?`, lease.Fence, lease.Nonce)
	})
	// Even if that failed, the office is free: who takes it next raises the fence.
	return errors.Join(s.fault("release", err), s.unlock())
}

// Head reads where the record stands.
func (s *Store) Head(ctx context.Context) (office.Head, error) {
	var h office.Head
	err := s.read(ctx, func(r *session) error {
		return r.one([]any{&h.Fence, &h.Nonce, &h.N, &h.ID}, `SELECT fence, nonce, n, id FROM office`)
	})
	if err != nil {
		return office.Head{}, err
	}
	return h, nil
}

// takeLock locks the folder. The caller owns the lock.
func (s *Store) takeLock() (*flock.Flock, error) {
	lock := flock.New(filepath.Join(s.dir, lockName))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("the office's lock %s cannot be taken: %w", lock.Path(), err)
	}
	if !ok {
		return nil, &office.HeldError{Holder: s.readHolder()}
	}
	return lock, nil
}

// HolderOf tells who runs the office in a folder. held is false while nobody
// does; the record is not opened.
func HolderOf(dir string) (who office.Holder, held bool, err error) {
	s := &Store{dir: dir}
	if !fileExists(filepath.Join(dir, holderName)) {
		return office.Holder{}, false, nil // each holder leaves word
	}
	lock, err := s.takeLock()
	var other *office.HeldError
	switch {
	case errors.As(err, &other):
		return other.Holder, true, nil
	case err != nil:
		return office.Holder{}, false, err
	}
	return office.Holder{}, false, lock.Unlock()
}

// unlock gives up the lease's lock; s.mu is held.
func (s *Store) unlock() error {
	if s.lock == nil {
		return nil
	}
	// First the word, then the lock: the next holder's word must not be lost.
	err := os.Remove(filepath.Join(s.dir, holderName))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, s.lock.Unlock())
	s.lock, s.lease = nil, office.Lease{}
	return err
}

// writeHolder replaces the word of the holder at once, as others may be reading.
func (s *Store) writeHolder(h office.Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, holderName)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// readHolder tells who holds the lock, as far as that is known: between taking
// the lock and leaving word there is a moment.
func (s *Store) readHolder() office.Holder {
	text, err := os.ReadFile(filepath.Join(s.dir, holderName))
	if err != nil {
		return office.Holder{}
	}
	var h office.Holder
	if err := json.Unmarshal(text, &h); err != nil {
		return office.Holder{}
	}
	return h
}
