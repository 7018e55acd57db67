package main

import (
	"net"
	"strings"
	"sync"
	"testing"
)

// link is the way from a process to a Redis, which a test can break.
type link struct {
	listener net.Listener
	server   string // the path of its socket

	mu   sync.Mutex
	down bool
	open map[net.Conn]bool
	wg   sync.WaitGroup
}

// newLink makes a way to the Redis with an address like unix:///path.
func newLink(t testing.TB, address string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{listener: l, server: strings.TrimPrefix(address, "unix://"), open: map[net.Conn]bool{}}
	k.wg.Go(k.serve)
	t.Cleanup(func() {
		_ = l.Close()
		k.sever()
		k.wg.Wait()
	})
	return k
}

func (k *link) address() string { return "redis://" + k.listener.Addr().String() }

func (k *link) serve() {
	for {
		client, err := k.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", k.server)
		if err != nil || !k.keep(client, server) {
			_ = client.Close()
			continue
		}
		k.wg.Go(func() { k.copy(server, client) })
		k.wg.Go(func() { k.copy(client, server) })
	}
}

// keep remembers a connection's two ends, unless the way is broken.
func (k *link) keep(client, server net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.down {
		_ = server.Close()
		return false
	}
	k.open[client], k.open[server] = true, true
	return true
}

func (k *link) copy(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	_ = to.Close()
	_ = from.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.open, to)
	delete(k.open, from)
}

// cut breaks the connections there are; new ones may be made.
func (k *link) cut() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for c := range k.open {
		_ = c.Close()
	}
}

// sever breaks the way until mend.
func (k *link) sever() {
	k.mu.Lock()
	k.down = true
	k.mu.Unlock()
	k.cut()
}

func (k *link) mend() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.down = false
}
