package redis

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// format is the number of the layout in doc.go.
const format = "1"

// LeaseTTL is how long a lease lasts that is not renewed. Renew it several
// times within that.
func (s *Store) LeaseTTL() time.Duration { return s.ttl }

// Acquire takes the office's lease and raises the fence by one under a fresh
// random nonce. It lasts for LeaseTTL, counted by Redis, and longer if it is
// renewed. While another one lasts the error is a *office.HeldError.
func (s *Store) Acquire(ctx context.Context, holder office.Holder) (office.Lease, error) {
	s.commits.Lock()
	defer s.commits.Unlock()
	if err := ctx.Err(); err != nil {
		return office.Lease{}, err
	}
	text, err := encode(holder)
	if err != nil {
		return office.Lease{}, fmt.Errorf("the holder of the office %w", err)
	}
	nonce := rand.Text()
	reply, err := acquireScript.Run(ctx, s.client, []string{s.keys.head(), s.keys.lease()},
		nonce, text, s.ttl.Milliseconds(), format).StringSlice()
	if err != nil {
		return office.Lease{}, s.fault("acquire the office in", err)
	}
	if len(reply) != 2 {
		return office.Lease{}, s.damaged(fmt.Errorf("its lease is %q", reply))
	}
	fence, err := strconv.ParseInt(reply[0], 10, 64)
	if err != nil {
		return office.Lease{}, s.damaged(fmt.Errorf("its fence is %q", reply[0]))
	}
	if fence == 0 {
		return office.Lease{}, &office.HeldError{Holder: holderOf(reply[1])}
	}
	lease := office.Lease{Fence: fence, Nonce: nonce}
	s.fate.begin(lease)
	s.places = places{}
	return lease, nil
}

// Holder tells who holds the office's lease, and for how long more unless it is
// renewed. held is false while nobody does.
func (s *Store) Holder(ctx context.Context) (who office.Holder, left time.Duration, held bool, err error) {
	var ttl *driver.DurationCmd
	var text *driver.StringCmd
	_, err = s.client.Pipelined(ctx, func(p driver.Pipeliner) error {
		ttl, text = p.PTTL(ctx, s.keys.lease()), p.HGet(ctx, s.keys.head(), "holder")
		return nil
	})
	if err != nil && !errors.Is(err, driver.Nil) {
		return office.Holder{}, 0, false, s.fault("read", err)
	}
	if ttl.Val() < 0 { // there is no such key
		return office.Holder{}, 0, false, nil
	}
	return holderOf(text.Val()), ttl.Val(), true, nil
}

// holderOf reads who holds the lease, as far as that is known.
func holderOf(text string) office.Holder {
	var h office.Holder
	if json.Unmarshal([]byte(text), &h) != nil {
		return office.Holder{}
	}
	return h
}

// Renew gives the lease its whole time again. A lease that ran out is renewed
// as well if nobody has taken the office since; otherwise the error is
// office.ErrFenced. Any other error says nothing of the lease: it may go on
// until its time is up.
func (s *Store) Renew(ctx context.Context, lease office.Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	reply, err := renewScript.Run(ctx, s.client, []string{s.keys.head(), s.keys.lease()},
		lease.Fence, lease.Nonce, s.ttl.Milliseconds()).Text()
	if err != nil {
		return s.fault("renew the lease in", err)
	}
	if reply != "done" {
		return office.ErrFenced
	}
	return nil
}

// Release takes the lease's nonce out of the record and ends its time.
func (s *Store) Release(ctx context.Context, lease office.Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := releaseScript.Run(ctx, s.client, []string{s.keys.head(), s.keys.lease()}, lease.Fence, lease.Nonce).Err()
	if errors.Is(err, driver.ErrClosed) {
		return nil // as of a lease that is not this store's: its time ends it
	}
	return s.fault("release the office in", err)
}

// Head reads where the record stands. After a commit whose end is unknown it
// first makes sure that there will be no other end than what it tells.
func (s *Store) Head(ctx context.Context) (office.Head, error) {
	if err := ctx.Err(); err != nil {
		return office.Head{}, err
	}
	if s.fate.unknown() {
		return s.settle(ctx)
	}
	return s.readHead(ctx)
}

func (s *Store) readHead(ctx context.Context) (office.Head, error) {
	fields, err := s.client.HMGet(ctx, s.keys.head(), "fence", "nonce", "n", "id").Result()
	if err != nil {
		return office.Head{}, s.fault("read", err)
	}
	return s.headOf(fields)
}

// headFields are what headOf reads.
var headFields = []any{"fence", "nonce", "n", "id"}

// headOf reads headFields; of a record that nobody has ever owned all are nil.
func (s *Store) headOf(fields []any) (office.Head, error) {
	text := make([]string, len(headFields))
	for i := range text {
		if i < len(fields) {
			text[i], _ = fields[i].(string)
		}
	}
	h := office.Head{Lease: office.Lease{Nonce: text[1]}, ID: text[3]}
	for i, p := range map[int]*int64{0: &h.Fence, 2: &h.N} {
		if text[i] == "" {
			continue
		}
		n, err := strconv.ParseInt(text[i], 10, 64)
		if err != nil {
			return office.Head{}, s.damaged(fmt.Errorf("its %v is %q", headFields[i], text[i]))
		}
		*p = n
	}
	return h, nil
}
