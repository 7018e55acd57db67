package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"bullpen/config"
	"bullpen/office"
	"bullpen/office/store/redis"
	"bullpen/office/store/sqlite"
)

const (
	// standByPause is how often a process that stands by looks whether the office
	// is free, longestStandBy how seldom at most.
	standByPause   = time.Second
	longestStandBy = 4 * time.Second
	// perOffice is how much later a process goes for a free office for each that it
	// runs already, so that those with fewer are faster.
	perOffice = 20 * time.Millisecond
)

// standBy waits until the office that another process runs seems to be free, and
// says so once. It returns false when ctx has ended.
func (h *host) standBy(ctx context.Context, c charge, held *heldElsewhere) bool {
	c.say.once("standing by: " + held.Error())
	w := watcher{cfg: held.cfg}
	defer w.close()
	for {
		left, free, err := w.look(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case free:
			return true
		case err != nil:
			c.say.once("standing by; whether the office is free cannot be seen: " + err.Error())
		}
		if !sleep(ctx, h.nextLook(left)) {
			return false
		}
	}
}

// nextLook is when to look again at a lease that has that much left: when it ends,
// unless it is renewed, but not too seldom, since it may be given up.
func (h *host) nextLook(left time.Duration) time.Duration {
	pause := min(standByPause+time.Duration(h.open.Load())*perOffice, longestStandBy)
	if left > 0 {
		pause = min(pause, left+time.Millisecond)
	}
	return pause
}

// letOthers waits a moment that is the longer the more offices run here, so that a
// process that runs fewer comes first. It returns false when ctx has ended.
func (h *host) letOthers(ctx context.Context) bool {
	most := time.Duration(h.open.Load()) * perOffice
	if most == 0 {
		return ctx.Err() == nil
	}
	return sleep(ctx, rand.N(most)) //nolint:gosec // nobody gains by guessing it
}

// sleep waits for d; it returns false when ctx ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// watcher looks at a lease in Redis. It keeps its connection from one look to the
// next, and makes a new one after an error.
type watcher struct {
	cfg   *config.Config
	store *redis.Store
}

// look says how long the lease lasts unless it is renewed, and whether there is none.
func (w *watcher) look(ctx context.Context) (left time.Duration, free bool, err error) {
	if w.store == nil {
		if w.store, err = redis.Open(ctx, redisOptions(w.cfg)); err != nil {
			return 0, false, err
		}
	}
	_, left, held, err := w.store.Holder(ctx)
	if err != nil {
		w.close()
		return 0, false, err
	}
	return left, !held, nil
}

func (w *watcher) close() {
	if w.store != nil {
		_ = w.store.Close() // nothing was written
		w.store = nil
	}
}

// holder says who runs an office of a configuration, wherever its record is.
func holder(ctx context.Context, cfg *config.Config) (who office.Holder, held bool, err error) {
	if cfg.Redis.Empty() {
		return sqlite.HolderOf(cfg.Dir)
	}
	s, err := redis.Open(ctx, redisOptions(cfg))
	if err != nil {
		return who, false, err
	}
	who, _, held, err = s.Holder(ctx)
	return who, held, errors.Join(err, s.Close())
}
