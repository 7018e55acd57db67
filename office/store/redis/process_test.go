//go:build unix

package redis

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// A server that hangs gives no answer; when it goes on nothing is there twice.
func TestHangingServer(t *testing.T) {
	t.Parallel()
	srv := ownServer(t, durable...)
	s := openAt(t, srv.addr, "hangs")
	lease := acquire(t, s)
	if err := settled(t.Context(), s, lease, step(1)); err != nil {
		t.Fatal(err)
	}
	for n := int64(2); n <= 6; n++ {
		signal(t, srv, syscall.SIGSTOP)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		err := s.Commit(ctx, lease, step(n))
		cancel()
		if err == nil || errors.Is(err, office.ErrFenced) {
			t.Fatalf("Commit to a server that hangs: %v", err)
		}
		signal(t, srv, syscall.SIGCONT)
		if err := settled(t.Context(), s, lease, step(n)); err != nil {
			t.Fatalf("batch %d afterwards: %v", n, err)
		}
	}
	wantSteps(t, s, 6)
}

func signal(t *testing.T, srv *server, sig syscall.Signal) {
	t.Helper()
	if err := srv.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// Promise 1: what was committed is there after a kill of the server, and the
// lease is still its owner's.
func TestKilledServerForgetsNothing(t *testing.T) {
	t.Parallel()
	srv := ownServer(t, durable...)
	s := openAt(t, srv.addr, "restarted")
	lease := acquire(t, s)
	for n := int64(1); n <= 100; n++ {
		if err := settled(t.Context(), s, lease, step(n)); err != nil {
			t.Fatalf("batch %d: %v", n, err)
		}
		if n%25 == 0 {
			srv.kill()
			if err := srv.start(); err != nil {
				t.Fatal(err)
			}
		}
	}
	wantSteps(t, s, 100)
	if err := s.Renew(t.Context(), lease); err != nil {
		t.Errorf("Renew: %v", err)
	}
}

// While the server is away every call says so, in bounded time; then all goes on.
func TestServerAway(t *testing.T) {
	t.Parallel()
	srv := ownServer(t, durable...)
	s := openAt(t, srv.addr, "away")
	lease := acquire(t, s)
	mustCommit(t, s, lease, 1)
	srv.kill()
	if err := s.Commit(t.Context(), lease, numbered(2)); err == nil || errors.Is(err, office.ErrFenced) {
		t.Errorf("Commit: %v", err)
	}
	if _, err := s.Head(t.Context()); err == nil {
		t.Error("Head of a server that is away succeeded")
	}
	if err := s.Renew(t.Context(), lease); err == nil || errors.Is(err, office.ErrFenced) {
		t.Errorf("Renew: %v", err)
	}
	if _, err := Open(t.Context(), Options{Client: &driver.UniversalOptions{Addrs: []string{srv.addr}}, Office: "away"}); err == nil {
		t.Error("Open succeeded")
	}
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, s, lease, 2)
}

// A server that lost what it had answered is not where its owner believes it to be.
func TestRecordThatWentBack(t *testing.T) {
	t.Parallel()
	srv := ownServer(t, "--save", "")
	s := openAt(t, srv.addr, "back")
	lease := acquire(t, s)
	mustCommit(t, s, lease, 1)
	srv.kill() // it keeps nothing
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), lease, numbered(2)); !errors.Is(err, office.ErrFenced) {
		t.Errorf("Commit: %v, want %v", err, office.ErrFenced)
	}
}
