package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// watched is a master and its replica, which a sentinel looks after.
type watched struct {
	master, replica, sentinel *server
	between                   *proxy // the way from the replica to the master
}

// onPort is a server that listens on a port of its own.
func onPort(t *testing.T, args ...string) *server {
	t.Helper()
	var err error
	for range 5 { // another program may take the port first
		var port string
		if port, _, err = freePorts(); err != nil {
			t.Fatal(err)
		}
		dir, e := os.MkdirTemp("", "redis")
		if e != nil {
			t.Fatal(e)
		}
		s := &server{dir: dir, addr: net.JoinHostPort("127.0.0.1", port), args: append([]string{"--port", port, "--bind", "127.0.0.1"}, args...)}
		if err = s.start(); err == nil {
			t.Cleanup(s.remove)
			return s
		}
		s.remove()
	}
	t.Fatal(err)
	return nil
}

func portOf(addr string) string {
	_, port, _ := strings.Cut(addr, ":")
	return port
}

// newWatched starts the three, and returns when the sentinel knows of the replica.
// The replica gets its data by a proxy, so that a test can keep some from it; that the
// sentinel puts that right has to wait for failover-timeout.
func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{master: onPort(t, durable...)}
	w.between = newProxy(t, w.master, 0)
	host, port, _ := strings.Cut(w.between.addr(), ":")
	w.replica = onPort(t, append([]string{"--replicaof", host + " " + port, "--repl-diskless-load", "on-empty-db"}, durable...)...)
	if err := until(t.Context(), func() bool {
		n, err := w.master.client(t).Do(t.Context(), "WAIT", "1", "100").Int()
		return err == nil && n == 1
	}); err != nil {
		t.Fatal(err)
	}
	w.sentinel = w.startSentinel(t)
	watch := driver.NewSentinelClient(&driver.Options{Addr: w.sentinel.addr, DisableIdentity: true})
	defer watch.Close()
	if err := until(t.Context(), func() bool {
		known, err := watch.Replicas(t.Context(), "office").Result()
		return err == nil && len(known) == 1
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *watched) startSentinel(t *testing.T) *server {
	t.Helper()
	port, _, err := freePorts()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor office 127.0.0.1 %s 1\nsentinel down-after-milliseconds office 500\nsentinel failover-timeout office 120000\n",
		port, portOf(w.master.addr))
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &server{dir: dir, addr: "127.0.0.1:" + port}
	t.Cleanup(s.remove)
	if err := s.run("+monitor master office", conf, "--sentinel"); err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *watched) open(t *testing.T, id string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: "redis+sentinel://" + w.sentinel.addr + "/office", Office: id, LeaseTTL: 2 * time.Second})
	if err != nil {
		t.Fatalf("Open by way of the sentinel: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestAFailoverThatLosesNothing: an office goes on with the new master.
func TestAFailoverThatLosesNothing(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	s := w.open(t, "kept")
	lease := acquire(t, s)
	for n := int64(1); n <= 5; n++ {
		mustCommit(t, s, lease, n, step(n).Changes...)
	}
	w.replicated(t)
	w.master.kill()
	if err := settledSoon(t, s, lease, step(6)); err != nil {
		t.Fatalf("the batch after the failover: %v", err)
	}
	wantSteps(t, s, 6)
	if !strings.Contains(s.Durability(), "failover") {
		t.Errorf("it does not say what a failover can lose: %s", s.Durability())
	}
}

// TestAFailoverThatLostACommit: what was confirmed and is gone is noticed, and the
// office is loaded as the new master knows it.
func TestAFailoverThatLostACommit(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	s := w.open(t, "lost")
	lease := acquire(t, s)
	for n := int64(1); n <= 5; n++ {
		mustCommit(t, s, lease, n, step(n).Changes...)
	}
	w.replicated(t)
	w.between.deafen()
	mustCommit(t, s, lease, 6, step(6).Changes...)
	w.master.kill()
	if err := settledSoon(t, s, lease, step(7)); !errors.Is(err, office.ErrFenced) {
		t.Fatalf("a commit after one that was lost: %v, want %v", err, office.ErrFenced)
	}
	wantSteps(t, s, 5)
	again := takeOver(t, s) // when its own old lease has run out
	if again.Fence != lease.Fence+1 {
		t.Errorf("the lease is %+v after %+v", again, lease)
	}
	if snap, err := s.Load(t.Context()); err != nil || snap.Head.N != 5 {
		t.Errorf("Load: %+v, %v", snap, err)
	}
	mustCommit(t, s, again, 6, step(6).Changes...)
	wantSteps(t, s, 6)
}

// replicated waits until the replica has all.
func (w *watched) replicated(t *testing.T) {
	t.Helper()
	if n, err := w.master.client(t).Do(t.Context(), "WAIT", "1", "10000").Int(); err != nil || n != 1 {
		t.Fatalf("%d replicas have it (%v)", n, err)
	}
}

// settledSoon commits one batch as an office does, however long the failover takes.
func settledSoon(t *testing.T, s *Store, lease office.Lease, b office.Batch) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := settled(ctx, s, lease, b)
	if err != nil && strings.Contains(err.Error(), "the record is at batch") {
		return office.ErrFenced // Head said so before a commit could
	}
	return err
}
