package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// fault puts a driver's error into a sentence that names the file and the mend.
// doing is what was tried, as in "cannot commit to".
func (s *Store) fault(doing string, err error) error {
	var e *driver.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the low byte is the kind, the rest its detail
	case codes.SQLITE_FULL:
		return fmt.Errorf("the disk is full, so %s takes nothing more: free space where %s is, then it goes on by itself: %w", s.path, s.dir, err)
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return s.damaged(err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("another program is writing to %s: end it, then try again: %w", s.path, err)
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_CANTOPEN, codes.SQLITE_AUTH:
		return fmt.Errorf("bullpen may not write to %s: make the folder %s and the files in it writable: %w", s.path, s.dir, err)
	case codes.SQLITE_IOERR:
		return fmt.Errorf("cannot %s %s: the disk reported an error; check the disk under %s: %w", doing, s.path, s.dir, err)
	default:
		return fmt.Errorf("cannot %s %s: %w", doing, s.path, err)
	}
}

// damaged says that the file is not what was written, and that it was left alone.
func (s *Store) damaged(why error) error {
	return fmt.Errorf("the office's record %s is damaged and was left as it is: restore it from a backup, or move %s* away to start an empty office: %w", s.path, s.path, why)
}

// readFault adds to fault what a reader may find: rows that SQLite took for
// whole and that are not what was written, or that should be there and are not.
func (s *Store) readFault(err error) error {
	var bad *badRow
	if errors.As(err, &bad) || errors.Is(err, sql.ErrNoRows) {
		return s.damaged(err)
	}
	return s.fault("read", err)
}

// badRow is a row whose value cannot be decoded.
type badRow struct {
	what string
	err  error
}

func (b *badRow) Error() string { return fmt.Sprintf("a stored %s cannot be read: %v", b.what, b.err) }
func (b *badRow) Unwrap() error { return b.err }
