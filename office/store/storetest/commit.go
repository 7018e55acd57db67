package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"bullpen/office"
)

func person(id office.PersonID) office.PutPerson {
	return office.PutPerson{Person: office.Person{ID: id, Name: "name of " + string(id)}}
}

func testCommit(t *testing.T, open Open) {
	t.Run("a batch outlives the process", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit(person("ann"), person("ben"))
		before := o.head()
		o.restart()
		if h := o.head(); h.N != before.N || h.ID != before.ID {
			t.Errorf("head %+v after a restart, want batch %d %s", h, before.N, before.ID)
		}
		wantSame(t, "people", o.load().People, []office.Person{person("ann").Person, person("ben").Person})
	})
	t.Run("changes apply in their order", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit(person("ann"), office.DeletePerson{ID: "ann"}, person("ben"), office.DeletePerson{ID: "ben"}, person("ben"))
		wantSame(t, "people", o.load().People, []office.Person{person("ben").Person})
	})
	t.Run("a batch of nothing moves the head", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit()
		if h := o.head(); h.N != 1 {
			t.Errorf("head %+v, want batch 1", h)
		}
	})
	t.Run("the same batch again succeeds without effect", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit()
		b := o.next(person("ann"))
		o.commit(person("ann"))
		// What a repetition carries is not looked at: id and number name it.
		b.Changes = append(b.Changes, person("ben"))
		if err := o.store.Commit(t.Context(), o.lease, b); err != nil {
			t.Fatalf("the same batch again: %v", err)
		}
		wantSame(t, "people", o.load().People, []office.Person{person("ann").Person})
		o.commit()
	})
}

// testRefusal: nothing of a refused batch is written.
func testRefusal(t *testing.T, open Open) {
	fenced := []struct {
		name  string
		spoil func(o *owner, l *office.Lease, b *office.Batch)
	}{
		{"an earlier fence", func(_ *owner, l *office.Lease, _ *office.Batch) { l.Fence-- }},
		{"a later fence", func(_ *owner, l *office.Lease, _ *office.Batch) { l.Fence++ }},
		{"the fence with another nonce", func(_ *owner, l *office.Lease, _ *office.Batch) { l.Nonce += "x" }},
		{"the fence with no nonce", func(_ *owner, l *office.Lease, _ *office.Batch) { l.Nonce = "" }},
		{"no lease", func(_ *owner, l *office.Lease, _ *office.Batch) { *l = office.Lease{} }},
		{"a batch too early", func(_ *owner, _ *office.Lease, b *office.Batch) { b.N++ }},
		{"a batch of the past", func(_ *owner, _ *office.Lease, b *office.Batch) { b.N -= 2; b.ID = "batch-1" }},
		{"another batch of the last number", func(_ *owner, _ *office.Lease, b *office.Batch) { b.N-- }},
		{"the last batch's id under a new number", func(_ *owner, _ *office.Lease, b *office.Batch) { b.N++; b.ID = "batch-2" }},
		{"a batch that is stored, by a stale lease", func(_ *owner, l *office.Lease, b *office.Batch) { l.Fence--; b.N--; b.ID = "batch-2" }},
		{"a released lease", func(o *owner, l *office.Lease, _ *office.Batch) {
			if err := o.store.Release(o.t.Context(), *l); err != nil {
				o.t.Fatalf("Release: %v", err)
			}
		}},
		{"a lease from before a restart", func(o *owner, _ *office.Lease, _ *office.Batch) { o.restart() }},
	}
	for _, tt := range fenced {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := own(t, open)
			o.commit()
			o.commit()
			lease, b := o.lease, o.next(person("ann"))
			tt.spoil(o, &lease, &b)
			refuse(t, o, func() error { return o.store.Commit(t.Context(), lease, b) }, office.ErrFenced)
		})
	}
	bad := map[string]office.Change{
		"a change that no store knows":  struct{ office.Change }{person("ben")},
		"an entry that has no encoding": office.AppendEntry{Entry: office.Entry{N: 1, Extra: json.RawMessage(`{"`)}},
		"no message":                    office.PutMessage{},
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := own(t, open)
			b := o.next(person("ann"), c, person("ben"))
			refuse(t, o, func() error { return o.store.Commit(t.Context(), o.lease, b) }, nil)
			o.commit(person("ben")) // the store goes on
		})
	}
	t.Run("a context that has ended", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		refuse(t, o, func() error { return o.store.Commit(ctx, o.lease, o.next(person("ann"))) }, context.Canceled)
		o.commit(person("ben"))
	})
}

// refuse wants an error (nil: any but ErrFenced) and nothing written.
func refuse(t *testing.T, o *owner, commit func() error, want error) {
	t.Helper()
	before := o.load()
	err := commit()
	switch {
	case err == nil:
		t.Fatal("the batch was taken")
	case want != nil && !errors.Is(err, want):
		t.Fatalf("the error is %v, want %v", err, want)
	case want == nil && errors.Is(err, office.ErrFenced):
		t.Fatalf("the error is %v, as if another process had the office", err)
	}
	after := o.load()
	after.Head.Lease, before.Head.Lease = office.Lease{}, office.Lease{} // a case may end the lease
	wantSame(t, "the record after a refusal", after, before)
}
