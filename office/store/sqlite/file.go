package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"
)

// The settings of a connection. Page caches are small: an idle office should
// not keep its history in memory, and the system's file cache is right below.
var (
	writerPragmas = []string{"busy_timeout(5000)", "synchronous(FULL)", "cache_size(-1024)", "temp_store(MEMORY)"}
	readerPragmas = []string{"busy_timeout(5000)", "query_only(1)", "cache_size(-512)", "temp_store(MEMORY)"}
	createPragmas = []string{"synchronous(FULL)"}
)

// openDB makes a pool of connections to an existing file; none is opened yet.
func openDB(path string, pragmas []string, open, idle int) (*sql.DB, error) {
	q := url.Values{"_pragma": pragmas, "mode": {"rw"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	c, err := driver.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(open)
	db.SetMaxIdleConns(idle)
	return db, nil
}

// pageSize is what our files are made of, in bytes: SQLite's default.
const pageSize = 4096

// smallestPage is the least that a SQLite file has, in bytes.
// Source: https://www.sqlite.org/fileformat.html#pages
const smallestPage = 512

// ensureFile makes the file if it is not there. It never opens one that is:
// closing it again would drop the locks that SQLite holds on it elsewhere in
// this process. Source: https://www.sqlite.org/howtocorrupt.html, section 2.2
func (s *Store) ensureFile(ctx context.Context) error {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.create(ctx)
	case err != nil:
		return fmt.Errorf("the office's record cannot be opened: %w", err)
	case info.Size() < smallestPage:
		// SQLite would take it for a new one; ours are never that short.
		return s.damaged(errors.New("it is too short for a database"))
	case info.Size()%pageSize != 0 && !fileExists(s.path+"-wal"):
		// Only while its log is being written back may a file end within a page.
		return s.damaged(errors.New("its end is cut off"))
	default:
		return s.restrict(info.Mode().Perm())
	}
}

// restrict takes the file's permissions from everyone but its user.
func (s *Store) restrict(mode fs.FileMode) error {
	if mode&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(s.path, mode&0o700); err != nil {
		return fmt.Errorf("others can read the office's record: %w; run: chmod 600 %s", err, s.path)
	}
	return nil
}

// create makes an empty record under another name and moves it into place when
// it is whole, so that a kill on the way leaves no half of one.
func (s *Store) create(ctx context.Context) (err error) {
	lock, err := s.takeLock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if _, err := os.Stat(s.path); err == nil {
		return nil // another process was faster
	}
	// A log without its file would be taken for the new file's own.
	if wal := s.path + "-wal"; fileExists(wal) {
		return fmt.Errorf("%s is missing but its log %s is there: put the file back, or move the log away to start an empty office", s.path, wal)
	}
	fresh := s.path + ".new"
	for _, leftover := range []string{fresh, fresh + "-journal"} {
		if err := os.Remove(leftover); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := makeEmpty(ctx, fresh); err != nil {
		return s.fault("make", err)
	}
	if err := os.Rename(fresh, s.path); err != nil {
		return err
	}
	return syncDir(s.dir)
}

func makeEmpty(ctx context.Context, path string) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := openDB(path, createPragmas, 1, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrate(ctx, db, 0)
}

// useWAL puts the file into write-ahead mode, which it keeps.
func (s *Store) useWAL(ctx context.Context) error {
	var mode string
	if err := s.writes.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return s.fault("open", err)
	}
	if mode != "wal" {
		return fmt.Errorf("%s cannot be used here: its file system allows no write-ahead log (journal mode %s); put the office on a local disk", s.path, mode)
	}
	return nil
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
