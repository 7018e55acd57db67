package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// said are the answers of Redis that its user can do something about.
var said = []struct{ prefix, sentence string }{
	{"OOM", "its memory is full, so it takes nothing more: raise its maxmemory, then it goes on by itself"},
	{"MISCONF", "it takes nothing more because it cannot write to its disk: free space there, then it goes on by itself"},
	{"NOAUTH", "it wants a password: put one into its address, like redis://:password@host:6379"},
	{"WRONGPASS", "it does not know this user and password: check them in its address"},
	{"NOPERM", "its user may not do that: permit it all commands on the office's keys, +@all ~bullpen:*"},
	{"READONLY", "it is a replica: name the server that takes writes, or its sentinels"},
	{"NOREPLICAS", "it takes nothing while too few replicas are connected (min-replicas-to-write): bring them up"},
	{"LOADING", "it is still reading its data from disk, and is tried again"},
	{"CLUSTERDOWN", "its cluster is down: redis-cli cluster info says why"},
	{"MASTERDOWN", "its master is down, and is tried again"},
	{"MOVED", "it is a node of a cluster: write its address as redis+cluster://"},
	{"CROSSSLOT", "the office's keys are not in one slot of its cluster"},
	{"BUSY", "it is busy with another program's script: end that with redis-cli script kill"},
	{"WRONGTYPE", "one of the office's keys holds something else, so another program wrote it: move it away with redis-cli rename"},
}

// passing are those that mean an absence which ends by itself.
var passing = []string{"LOADING", "MASTERDOWN"}

// fault puts an error of Redis into a sentence that names the server and the
// mend. doing is what was tried, as in "cannot commit to".
func (s *Store) fault(doing string, err error) error {
	var bad *badValue
	switch {
	case err == nil, errors.Is(err, office.ErrFenced):
		return err
	case errors.As(err, &bad):
		return s.damaged(err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("cannot %s Redis at %s: %w", doing, s.where, err)
	case errors.Is(err, driver.ErrClosed):
		return fmt.Errorf("the office's record is closed: %w", err)
	}
	for _, a := range said {
		if driver.HasErrorPrefix(err, a.prefix) {
			if slices.Contains(passing, a.prefix) {
				err = fmt.Errorf("%w: %w", office.ErrUnreachable, err)
			}
			return fmt.Errorf("cannot %s Redis at %s: %s: %w", doing, s.where, a.sentence, err)
		}
	}
	var answer driver.Error
	if errors.As(err, &answer) {
		return fmt.Errorf("cannot %s Redis at %s: %w", doing, s.where, err)
	}
	return fmt.Errorf("cannot %s Redis at %s; see that it runs and can be reached from here: %w: %w", doing, s.where, office.ErrUnreachable, err)
}

// damaged says that the record is not what was written, and was left alone.
func (s *Store) damaged(why error) error {
	return fmt.Errorf("the office's record in Redis at %s (%s*) is damaged and was left as it is: restore it from a backup: %w", s.where, s.keys, why)
}
