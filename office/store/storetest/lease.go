package storetest

import (
	"errors"
	"testing"

	"bullpen/office"
)

func testLease(t *testing.T, open Open) {
	t.Run("the office is held by one at a time", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		first := ownAt(t, open, dir)
		second := open(t, dir)
		defer second.Close()
		for name, s := range map[string]office.Store{"another process": second, "the holder itself": first.store} {
			_, err := s.Acquire(t.Context(), office.Holder{PID: 1})
			var held *office.HeldError
			if !errors.As(err, &held) {
				t.Fatalf("Acquire by %s: %v, want a *HeldError", name, err)
			}
			wantSame(t, "the holder told to "+name, held.Holder, holder)
		}
		first.commit() // and the first is none the worse
	})
	t.Run("who comes after a release has a new fence and nonce", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		before := o.lease
		o.restart()
		if o.lease.Fence != before.Fence+1 {
			t.Errorf("fence %d after %d, want one more", o.lease.Fence, before.Fence)
		}
		if o.lease.Nonce == before.Nonce || o.lease.Nonce == "" {
			t.Errorf("nonce %q after %q, want a fresh one", o.lease.Nonce, before.Nonce)
		}
	})
	t.Run("the head names the current lease and batch", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		wantSame(t, "a new record's head", o.head(), office.Head{Lease: o.lease})
		o.commit()
		o.commit()
		want := office.Head{Lease: o.lease, N: 2, ID: "batch-2"}
		wantSame(t, "the head", o.head(), want)
		wantSame(t, "the snapshot's head", o.load().Head, want)
	})
	t.Run("a stale release changes nothing", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		stale := o.lease
		o.restart()
		for _, l := range []office.Lease{stale, {Fence: o.lease.Fence, Nonce: stale.Nonce}, {}} {
			if err := o.store.Release(t.Context(), l); err != nil {
				t.Fatalf("Release(%+v): %v", l, err)
			}
		}
		o.commit()
	})
	t.Run("releasing twice is no error", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		for range 2 {
			if err := o.store.Release(t.Context(), o.lease); err != nil {
				t.Fatalf("Release: %v", err)
			}
		}
	})
	t.Run("places do not know each other", func(t *testing.T) {
		t.Parallel()
		a, b := own(t, open), own(t, open)
		a.commit(office.PutPerson{Person: office.Person{ID: "ann", Name: "Ann"}})
		if got := b.load(); len(got.People) != 0 || got.Head.N != 0 {
			t.Errorf("another office has %+v", got)
		}
	})
}
