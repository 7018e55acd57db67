package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// migrations are the steps from an empty file to the present format, in the
// order of their names; the format's number is how many have been taken.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks the file as ours: "Bull".
const applicationID = 0x42756c6c

// upgrade refuses a file that is not ours or of a newer program, and takes the
// steps that an older one lacks.
func (s *Store) upgrade(ctx context.Context) (err error) {
	var app, version int
	err = s.writes.QueryRowContext(ctx, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").Scan(&app, &version)
	if err != nil {
		return s.fault("open", err)
	}
	if app != applicationID {
		return fmt.Errorf("%s is a database of another program, not an office's record; move it away or name another folder", s.path)
	}
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	switch {
	case version > len(steps):
		return fmt.Errorf("%s was written by a newer bullpen (format %d; this one knows up to %d): update bullpen", s.path, version, len(steps))
	case version == len(steps):
		return s.readHead(ctx)
	}
	lock, err := s.takeLock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return s.fault("bring up to date", migrate(ctx, s.writes, version))
}

// readHead reads the one row without which there is no record.
func (s *Store) readHead(ctx context.Context) error {
	_, err := s.Head(ctx)
	return err
}

// migrate takes the steps after the first have of them, each in a transaction.
func migrate(ctx context.Context, db *sql.DB, have int) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for i := have; i < len(steps); i++ {
		if err := step(ctx, db, steps[i], i+1); err != nil {
			return fmt.Errorf("%s: %w", steps[i], err)
		}
	}
	return nil
}

func step(ctx context.Context, db *sql.DB, name string, version int) (err error) {
	text, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// After Commit this does nothing.
	defer func() {
		if e := tx.Rollback(); !errors.Is(e, sql.ErrTxDone) {
			err = errors.Join(err, e)
		}
	}()
	marks := fmt.Sprintf(";\nPRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version)
	if _, err := tx.ExecContext(ctx, string(text)+marks); err != nil {
		return err
	}
	return tx.Commit()
}
