package redis

import (
	"context"
	"strconv"
	"sync"

	"bullpen/office"
)

// fate knows of the last lease whether a commit of its is still at large, and
// under which attempt commits go out. It may be used concurrently.
type fate struct {
	mu      sync.Mutex
	lease   office.Lease
	attempt int64
	loose   bool
}

// begin starts over with a new lease, whose record says attempt 0.
func (f *fate) begin(lease office.Lease) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lease, f.attempt, f.loose = lease, 0, false
}

// current is the attempt for a commit under that lease. A lease that is not
// this store's has none that the record would know.
func (f *fate) current(lease office.Lease) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if lease != f.lease {
		return ""
	}
	return strconv.FormatInt(f.attempt, 10)
}

// lost says that the end of a commit under that lease is unknown.
func (f *fate) lost(lease office.Lease) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loose = f.loose || lease == f.lease
}

func (f *fate) unknown() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loose
}

// settle voids what is at large and tells where the record stands for good.
func (s *Store) settle(ctx context.Context) (office.Head, error) {
	f := &s.fate
	f.mu.Lock()
	lease, attempt := f.lease, f.attempt
	f.mu.Unlock()
	fields, err := settleScript.Run(ctx, s.client, []string{s.keys.head()}, lease.Fence, lease.Nonce, attempt, attempt+1).Slice()
	if err != nil {
		return office.Head{}, s.fault("read", err)
	}
	h, err := s.headOf(fields)
	if err != nil {
		return office.Head{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lease == lease && f.attempt == attempt {
		f.attempt, f.loose = attempt+1, false
	}
	return h, nil
}
