package redis

import (
	"context"
	"errors"
	"sync"
	"time"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// Store is an office.Store in Redis. Its methods may be called concurrently.
type Store struct {
	client     driver.UniversalClient
	keys       keys
	ttl        time.Duration
	where      string // the servers, for sentences; without credentials
	durability string

	fate    fate
	commits sync.Mutex // one commit at a time, and no acquisition beside it
	places  places     // guarded by commits
}

var _ office.Store = (*Store)(nil)

// Open connects to the Redis of o and checks that it can keep a record: its
// version, that it throws nothing away when it is full, and that what is there
// is of this layout. It writes nothing and takes no lease; see Acquire. Errors
// name the servers and never a password.
func Open(ctx context.Context, o Options) (*Store, error) {
	quiet()
	k, err := keysOf(o.Office)
	if err != nil {
		return nil, err
	}
	c, where, err := o.connection()
	if err != nil {
		return nil, err
	}
	s := &Store{client: driver.NewUniversalClient(c), keys: k, ttl: o.LeaseTTL, where: where}
	if s.ttl <= 0 {
		s.ttl = defaultTTL
	}
	if err := s.check(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Durability is a sentence on what this Redis could lose of what was committed,
// as it was set up when the store was opened.
func (s *Store) Durability() string { return s.durability }

// Close ends the connections. A lease that was not released stays until its
// time is up.
func (s *Store) Close() error {
	if err := s.client.Close(); err != nil && !errors.Is(err, driver.ErrClosed) {
		return s.fault("close", err)
	}
	return nil
}

// silent takes what the client would print to standard error by itself. All of
// it comes back as errors as well.
type silent struct{}

// Printf prints nothing.
func (silent) Printf(context.Context, string, ...any) {}

// quiet is a setting of the whole process.
var quiet = sync.OnceFunc(func() { driver.SetLogger(silent{}) })
