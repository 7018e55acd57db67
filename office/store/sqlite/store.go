// Package sqlite keeps an office's record in one SQLite file of the office's
// folder. It is the store of an office that runs on one machine.
//
// The folder holds bullpen.db (with bullpen.db-wal and bullpen.db-shm beside it
// while it is open), bullpen.lock, whose lock is the office's lease and ends
// with the process that holds it, and bullpen.holder, which says who that is.
//
// A commit is one transaction on one connection, in the write-ahead log with
// synchronous=FULL: when Commit returns, the batch survives a kill and a loss
// of power. Reads run beside it on a few connections of their own and see whole
// batches only.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"bullpen/office"

	"github.com/gofrs/flock"
	driver "modernc.org/sqlite"
)

// The names of the files in an office's folder.
const (
	fileName   = "bullpen.db"
	lockName   = "bullpen.lock"
	holderName = "bullpen.holder"
)

const (
	// idleReaders are kept open between reads; one costs about 0.5 MB.
	idleReaders = 2
	openReaders = 8
)

// Options say where a record is.
type Options struct {
	// Dir is the office's folder. It is made, for its user only, if it is not
	// there.
	Dir string
}

// Store is an office.Store in one SQLite file. Its methods may be called
// concurrently.
type Store struct {
	dir     string
	path    string
	readers *readers
	rest    *rest

	sightings sightings

	mu     sync.Mutex // over what follows; held for the length of a commit
	writes *sql.DB    // one connection
	writer *session   // nil until the next write after it failed
	lock   *flock.Flock
	lease  office.Lease // what lock stands for
	closed bool
}

var _ office.Store = (*Store)(nil)

// fdatasync makes SQLite wait for a commit's data only and not for the file's
// times: half the wait on ext4, the same safety. It is a setting of the whole
// process; where the system has no such call the error is of no interest.
var fdatasync = sync.OnceFunc(func() { _, _ = driver.Fdatasync(true) })

// Open opens the record of the office in o.Dir, and makes an empty one if there
// is none. It takes no lease; see Acquire. A record that is damaged, of a newer
// program or not ours is refused in a sentence, and left as it is. While
// another process runs the office a record of an older format cannot be brought
// up to date: the error is an *office.HeldError.
func Open(ctx context.Context, o Options) (*Store, error) {
	fdatasync()
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, path: filepath.Join(dir, fileName)}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// prepare brings the file to where reads and commits can use it.
func (s *Store) prepare(ctx context.Context) error {
	if err := makeDir(s.dir); err != nil {
		return err
	}
	if err := s.ensureFile(ctx); err != nil {
		return err
	}
	var err error
	if s.writes, err = openDB(s.path, writerPragmas, 1, 1); err != nil {
		return err
	}
	reads, err := openDB(s.path, readerPragmas, openReaders, idleReaders)
	if err != nil {
		return err
	}
	s.readers = newReaders(reads)
	s.rest = newRest(restAfter, s.fallAsleep)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.upgrade(ctx); err != nil {
		return err
	}
	return s.useWAL(ctx)
}

// Close closes the file and, if this process still owns the office, gives up
// its lock without a word in the record, as the end of the process would.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.rest != nil {
		s.rest.stop()
	}
	var errs []error
	s.dropWriter()
	s.sightings.close()
	if s.readers != nil {
		errs = append(errs, s.fault("close", s.readers.close()))
	}
	if s.writes != nil {
		errs = append(errs, s.fault("close", s.writes.Close()))
	}
	return errors.Join(append(errs, s.unlock())...)
}

// makeDir makes the folder and its missing parents, for the user only.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return syncDir(filepath.Dir(dir))
}
