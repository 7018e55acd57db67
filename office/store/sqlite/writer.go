package sqlite

import "context"

// write runs do in a transaction; s.mu is held. If do fails, nothing is
// written. Once begun it does not heed ctx's end: it is short, and cut off in
// its last step nobody would know how it ended.
func (s *Store) write(ctx context.Context, do func(*session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	w, err := s.openWriter(ctx)
	if err != nil {
		return err
	}
	w.ctx = ctx
	if err := w.exec("BEGIN IMMEDIATE"); err != nil {
		s.dropWriter()
		return err
	}
	if err = do(w); err == nil {
		err = w.exec("COMMIT")
	}
	if err != nil && !w.rollback() {
		s.dropWriter()
	}
	return err
}

// openWriter is the session that writes; s.mu is held.
func (s *Store) openWriter(ctx context.Context) (*session, error) {
	if s.closed {
		return nil, errClosed
	}
	s.rest.touch()
	if s.writer != nil {
		return s.writer, nil
	}
	w, err := openSession(ctx, s.writes)
	if err != nil {
		return nil, err
	}
	s.writer = w
	return w, nil
}

// dropWriter makes the next write open a session of its own.
func (s *Store) dropWriter() {
	if s.writer != nil {
		s.writer.close()
		s.writer = nil
	}
}
