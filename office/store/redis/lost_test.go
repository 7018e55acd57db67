package redis

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// settled commits one batch as an office does: an error's batch is looked for,
// and committed again if it is not there.
func settled(ctx context.Context, s *Store, lease office.Lease, b office.Batch) error {
	for {
		err := s.Commit(ctx, lease, b)
		if err == nil || errors.Is(err, office.ErrFenced) {
			return err
		}
		var h office.Head
		for failed := true; failed && ctx.Err() == nil; {
			h, err = s.Head(ctx)
			failed = err != nil
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case h.Lease != lease:
			return fmt.Errorf("the lease is %+v, want %+v", h.Lease, lease)
		case h.N == b.N && h.ID == b.ID:
			return nil
		case h.N != b.N-1:
			return fmt.Errorf("the record is at batch %d, want %d or the one before", h.N, b.N)
		}
	}
}

// step is a batch whose traces count, and of which none hides another.
func step(n int64) office.Batch {
	m := &office.Message{Channel: "dev", Seq: n, No: n, Text: fmt.Sprint(n)}
	return numbered(n,
		office.PutMessage{Message: m},
		office.PutRevision{Revision: office.Revision{Portal: "p", Native: "1", Text: fmt.Sprint(n)}},
		office.AppendAudit{Audit: office.Audit{What: fmt.Sprint(n)}},
		office.AppendEntry{Entry: office.Entry{N: n, In: office.ContextID{Colleague: "c1"}}})
}

// wantSteps wants each step up to the last once and in order.
func wantSteps(t *testing.T, s *Store, last int64) {
	t.Helper()
	if h := mustHead(t, s); h.N != last {
		t.Errorf("the record is at batch %d, want %d", h.N, last)
	}
	revisions, err := s.Revisions(t.Context(), "p", "1")
	if err != nil || int64(len(revisions)) != last {
		t.Fatalf("%d revisions (%v), want %d", len(revisions), err, last)
	}
	for i, r := range revisions {
		if r.Text != fmt.Sprint(i+1) {
			t.Fatalf("revision %d says %q", i+1, r.Text)
		}
	}
	audits, err := s.client.XLen(t.Context(), s.keys.stream(audit).name).Result()
	if err != nil || audits != last {
		t.Errorf("%d lines of the audit (%v), want %d", audits, err, last)
	}
	page, err := s.Messages(t.Context(), office.MessageQuery{Limit: 1, Newest: true})
	if err != nil || int64(page.Total) != last || page.Messages[0].Text != fmt.Sprint(last) {
		t.Errorf("page %+v (%v), want %d messages", page, err, last)
	}
	entries, err := s.Transcript(t.Context(), office.ContextID{Colleague: "c1"}, 0)
	if err != nil || int64(len(entries)) != last {
		t.Errorf("%d entries (%v), want %d", len(entries), err, last)
	}
}

// Case B50: connections break at random, also when the server has just answered.
func TestBrokenConnectionsLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()
	const batches = 5000
	srv := sharedServer(t)
	p := newProxy(t, srv, 40)
	// One connection, so that what is late and what follows meet.
	s := openThrough(t, p, "broken")
	lease := acquireThrough(t, s)
	for n := int64(1); n <= batches; n++ {
		if err := settled(t.Context(), s, lease, step(n)); err != nil {
			t.Fatalf("batch %d: %v", n, err)
		}
	}
	for what, n := range map[string]int64{"before": p.cutBefore.Load(), "within": p.cutWithin.Load(), "after": p.cutAfter.Load()} {
		if n == 0 {
			t.Errorf("no connection was cut %s an answer: this test proves nothing", what)
		}
	}
	wantSteps(t, openAt(t, srv.addr, "broken"), batches)
}

// openThrough opens a store by way of a proxy that may cut that, too.
func openThrough(t *testing.T, p *proxy, office string) *Store {
	t.Helper()
	for {
		s, err := Open(t.Context(), Options{Office: office, Client: &driver.UniversalOptions{
			Addrs: []string{p.addr()}, MinRetryBackoff: time.Microsecond, MaxRetryBackoff: time.Millisecond,
		}})
		if err == nil {
			t.Cleanup(func() { _ = s.Close() })
			return s
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func acquireThrough(t *testing.T, s *Store) office.Lease {
	t.Helper()
	for {
		lease, err := s.Acquire(t.Context(), office.Holder{PID: 1})
		if err == nil {
			return lease
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// Case B50, by the server's own hand.
func TestKilledClientsLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()
	const batches = 500
	srv := ownServer(t, durable...)
	s := openAt(t, srv.addr, "killed")
	lease := acquire(t, s)
	ctx, stop := context.WithCancel(t.Context())
	killed := make(chan int)
	raw := srv.client(t)
	go func() {
		n := 0
		pause := time.NewTicker(5 * time.Millisecond) // for clients to come back
		defer pause.Stop()
		for ctx.Err() == nil {
			did, _ := raw.ClientKillByFilter(ctx, "TYPE", "normal", "SKIPME", "yes").Result()
			n += int(did)
			<-pause.C
		}
		killed <- n
	}()
	for n := int64(1); n <= batches; n++ {
		if err := settled(t.Context(), s, lease, step(n)); err != nil {
			t.Fatalf("batch %d: %v", n, err)
		}
	}
	stop()
	if n := <-killed; n == 0 {
		t.Error("no client was killed: this test proves nothing")
	}
	wantSteps(t, s, batches)
}

// A commit that was given up must not come through after Head has said that it
// is not there: somebody was told so.
func TestLateCommitIsVoid(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	p := newProxy(t, srv, 0)
	s := openThrough(t, p, "late")
	lease := acquire(t, s)
	mustCommit(t, s, lease, 1, office.PutPerson{Person: office.Person{ID: "ann"}})

	got, letGo := p.holdBack()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := s.Commit(ctx, lease, numbered(2, office.PutPerson{Person: office.Person{ID: "ben"}}))
	if err == nil || errors.Is(err, office.ErrFenced) {
		t.Fatalf("Commit that got no answer: %v", err)
	}
	<-got
	p.pass()
	if h := mustHead(t, s); h.N != 1 || h.Lease != lease {
		t.Fatalf("head %+v, want batch 1", h)
	}
	before := p.answers.Load()
	letGo()
	if err := until(t.Context(), func() bool { return p.answers.Load() > before }); err != nil {
		t.Fatal(err)
	}
	p.cutAll()
	if h := mustHead(t, s); h.N != 1 {
		t.Errorf("head %+v: the late commit came through", h)
	}
	mustCommit(t, s, lease, 2, office.PutPerson{Person: office.Person{ID: "zoe"}})
	snap, err := s.Load(t.Context())
	if err != nil || len(snap.People) != 2 {
		t.Fatalf("Load: %+v, %v", snap, err)
	}
	for _, person := range snap.People {
		if person.ID == "ben" {
			t.Error("what was said not to be there is there")
		}
	}
}
