package sqlite

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

func TestRestComesOnceAfterUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int32
		r := newRest(time.Minute, func() { closed.Add(1) })
		defer r.stop()
		want := func(when string, n int32) {
			t.Helper()
			synctest.Wait()
			if got := closed.Load(); got != n {
				t.Errorf("%s: closed %d times, want %d", when, got, n)
			}
		}
		for range 10 {
			r.touch()
			time.Sleep(50 * time.Second)
		}
		want("while it is used", 0)
		time.Sleep(2 * time.Minute)
		want("unused", 1)
		time.Sleep(time.Hour)
		want("asleep", 1)
		r.touch()
		time.Sleep(30 * time.Second)
		want("used again", 1)
		time.Sleep(2 * time.Minute)
		want("unused again", 2)
	})
}

// A record that fell asleep is as it was, and its lease is still its owner's.
func TestASleepingRecordWakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lease, err := s.Acquire(t.Context(), office.Holder{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().UTC()
	for n := int64(1); n <= 3; n++ {
		if err := s.Commit(t.Context(), lease, office.Batch{N: n, ID: "b", Changes: eventBatch(n, at)}); err != nil {
			t.Fatal(err)
		}
		s.fallAsleep()
		if fileExists(s.path + "-wal") {
			t.Error("a connection is still open")
		}
		other, err := Open(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Acquire(t.Context(), office.Holder{PID: 2}); err == nil {
			t.Error("a sleeping office was taken")
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		page, err := s.Messages(t.Context(), office.MessageQuery{})
		if err != nil || int64(len(page.Messages)) != n {
			t.Errorf("%d messages (%v), want %d", len(page.Messages), err, n)
		}
		s.fallAsleep()
	}
}
