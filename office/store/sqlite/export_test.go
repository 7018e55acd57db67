package sqlite

import (
	"context"
	"fmt"
)

// limitPages lets the file grow to so many pages more, as a disk that fills up
// would; 0 lifts the limit.
func (s *Store) limitPages(ctx context.Context, more int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.openWriter(ctx)
	if err != nil {
		return err
	}
	var pages int
	if err := w.conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		return err
	}
	limit := pages + more
	if more == 0 {
		limit = 1 << 30
	}
	_, err = w.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", limit))
	return err
}
