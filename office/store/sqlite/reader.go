package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// readers is a pool of sessions that read. They are opened as they are needed.
type readers struct {
	db   *sql.DB
	open chan struct{} // one element per session in use

	mu     sync.Mutex
	idle   []*session
	closed bool
}

func newReaders(db *sql.DB) *readers {
	return &readers{db: db, open: make(chan struct{}, openReaders)}
}

// read runs do on one state of the record: what it reads fits together.
func (s *Store) read(ctx context.Context, do func(*session) error) error {
	return s.lend(ctx, func(se *session) (sound bool, err error) {
		if err := se.exec("BEGIN"); err != nil {
			return false, err
		}
		err = do(se)
		// There is nothing to undo; this only ends the view.
		return se.rollback(), err
	})
}

// ask is read for a do of one statement, which sees one state by itself: that
// costs a third of a transaction's three.
func (s *Store) ask(ctx context.Context, do func(*session) error) error {
	return s.lend(ctx, func(se *session) (sound bool, err error) {
		err = do(se)
		return err == nil, err
	})
}

// lend gives do a session; one that is not sound any more is closed.
func (s *Store) lend(ctx context.Context, do func(*session) (sound bool, err error)) error {
	s.rest.touch()
	r := s.readers
	select {
	case r.open <- struct{}{}:
		defer func() { <-r.open }()
	case <-ctx.Done():
		return ctx.Err()
	}
	se, err := r.get(ctx)
	if err != nil {
		return s.readFault(err)
	}
	sound, err := do(se)
	r.put(se, sound)
	return s.readFault(err)
}

// get takes an idle session or opens one.
func (r *readers) get(ctx context.Context) (*session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	if last := len(r.idle) - 1; last >= 0 {
		se := r.idle[last]
		r.idle = r.idle[:last]
		se.ctx = ctx
		return se, nil
	}
	return openSession(ctx, r.db)
}

// put keeps a session for the next read, if it is sound and few are kept.
func (r *readers) put(se *session, sound bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !sound || r.closed || len(r.idle) >= idleReaders {
		se.close()
		return
	}
	se.ctx = nil // what ended must not be kept alive
	r.idle = append(r.idle, se)
}

// close waits for the reads that run.
func (r *readers) close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.drop()
	for range cap(r.open) {
		r.open <- struct{}{}
	}
	for range cap(r.open) {
		<-r.open
	}
	return r.db.Close()
}
