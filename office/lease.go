package office

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Renewer is a Store whose lease ends by itself unless it is renewed. A store
// whose lock dies with its process is none.
type Renewer interface {
	// Renew makes the lease good for another LeaseTTL from now. ErrFenced: it is
	// somebody else's.
	Renew(ctx context.Context, l Lease) error
	// LeaseTTL is how long a lease is good for.
	LeaseTTL() time.Duration
}

// tenure is how long this process may still believe that the office is its own.
// The zero value is for ever.
type tenure struct {
	limited bool
	ttl     time.Duration
	// until is measured on this process's monotonic clock, from before the store
	// was asked: a process that was stopped and wakes late knows at once.
	until atomic.Pointer[time.Time]
}

func (t *tenure) extend(asked time.Time) {
	until := asked.Add(t.ttl)
	t.until.Store(&until)
}

// valid says whether the office is certainly still ours.
func (t *tenure) valid() bool {
	if !t.limited {
		return true
	}
	until := t.until.Load()
	return until != nil && time.Now().Before(*until)
}

// keepLease renews the lease until ctx ends or somebody else has it.
func (o *Office) keepLease(ctx context.Context, r Renewer) {
	every := time.NewTicker(o.tenure.ttl / 3)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		asked := time.Now()
		try, cancel := context.WithTimeout(ctx, o.tenure.ttl/3)
		err := r.Renew(try, o.lease)
		cancel()
		switch {
		case err == nil:
			o.tenure.extend(asked)
		case errors.Is(err, ErrFenced):
			o.log.Error("the office belongs to another process now")
			o.lose(fmt.Errorf("renewing the lease: %w", err))
			return
		case ctx.Err() == nil:
			// Until the store answers nothing is sent; if nobody else takes the office
			// meanwhile it goes on afterwards.
			o.log.Warn("the lease could not be renewed; it is tried again", "err", err)
		}
	}
}

// lose ends the office because it is another process's: the loop stops.
func (o *Office) lose(err error) {
	o.lost.CompareAndSwap(nil, &err)
	o.loseOnce.Do(func() { close(o.fenced) })
}
