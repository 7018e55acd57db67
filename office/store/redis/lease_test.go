package redis

import (
	"context"
	"errors"
	"testing"
	"time"

	"bullpen/office"
)

func shortLease(o *Options) { o.LeaseTTL = 200 * time.Millisecond }

// takeOver acquires as soon as the lease that lasts has run out.
func takeOver(t *testing.T, s *Store) office.Lease {
	t.Helper()
	var lease office.Lease
	err := until(t.Context(), func() bool {
		var err error
		lease, err = s.Acquire(t.Context(), office.Holder{PID: 2})
		var held *office.HeldError
		if err != nil && !errors.As(err, &held) {
			t.Fatalf("Acquire: %v", err)
		}
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lease
}

func TestLeaseRunsOutAndIsTakenOver(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	first, second := openAt(t, srv.addr, "taken", shortLease), openAt(t, srv.addr, "taken", shortLease)
	old := acquire(t, first)
	mustCommit(t, first, old, 1, office.PutPerson{Person: office.Person{ID: "ann"}})
	lease := takeOver(t, second)
	if lease.Fence != old.Fence+1 || lease.Nonce == old.Nonce {
		t.Errorf("lease %+v after %+v, want the next fence and another nonce", lease, old)
	}
	for what, err := range map[string]error{
		"Commit": first.Commit(t.Context(), old, numbered(2, office.PutPerson{})),
		"Renew":  first.Renew(t.Context(), old),
	} {
		if !errors.Is(err, office.ErrFenced) {
			t.Errorf("%s by the first owner: %v, want %v", what, err, office.ErrFenced)
		}
	}
	if err := first.Release(t.Context(), old); err != nil {
		t.Errorf("Release by the first owner: %v", err)
	}
	mustCommit(t, second, lease, 2)
	if h := mustHead(t, first); h.Lease != lease || h.N != 2 {
		t.Errorf("head %+v, want batch 2 of %+v", h, lease)
	}
}

func TestRenewedLeaseStays(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	s := openAt(t, srv.addr, "renewed", shortLease)
	lease := acquire(t, s)
	raw := srv.client(t)
	for range 3 {
		if err := until(t.Context(), func() bool {
			left, err := raw.PTTL(t.Context(), "bullpen:{renewed}:lease").Result()
			if err != nil {
				t.Fatal(err)
			}
			return left < s.LeaseTTL()/2
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Renew(t.Context(), lease); err != nil {
			t.Fatalf("Renew: %v", err)
		}
		left, err := raw.PTTL(t.Context(), "bullpen:{renewed}:lease").Result()
		if err != nil || left < s.LeaseTTL()/2 {
			t.Errorf("the lease lasts for %v (%v) after it was renewed", left, err)
		}
	}
}

// Until somebody takes the office its owner may go on, and have its lease back.
func TestLapsedLeaseThatNobodyTook(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	s := openAt(t, srv.addr, "lapsed")
	lease := acquire(t, s)
	raw := srv.client(t)
	if err := raw.Del(t.Context(), "bullpen:{lapsed}:lease").Err(); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, s, lease, 1)
	if err := s.Renew(t.Context(), lease); err != nil {
		t.Errorf("Renew: %v", err)
	}
	var held *office.HeldError
	if _, err := s.Acquire(t.Context(), office.Holder{}); !errors.As(err, &held) {
		t.Errorf("Acquire of an office whose lease was renewed: %v", err)
	}
}

// The answer to an acquisition may be lost; the client asks again by itself.
func TestAcquireSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	p := newProxy(t, srv, 4)
	for n := range int64(20) {
		s := openThrough(t, p, "asked-"+id(n))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		lease, err := s.Acquire(ctx, office.Holder{})
		cancel()
		var held *office.HeldError
		if errors.As(err, &held) {
			t.Fatalf("the office is held by its own lost acquisition: %v", err)
		}
		if err == nil && lease.Fence != 1 {
			t.Errorf("fence %d, want 1", lease.Fence)
		}
	}
}
