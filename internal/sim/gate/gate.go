// Package gate lets a stand-in of internal/sim play dead while it runs.
package gate

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Listener is a listener that refuses while it is shut. Every method may be called from any goroutine.
type Listener struct {
	net.Listener
	shut atomic.Bool

	mu    sync.Mutex
	conns map[net.Conn]bool // those that Track knows
}

// New returns an open gate before l.
func New(l net.Listener) *Listener {
	return &Listener{Listener: l, conns: map[net.Conn]bool{}}
}

// Accept waits for the next connection that comes while the gate is open.
func (g *Listener) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil || !g.shut.Load() {
			return c, err
		}
		_ = c.Close() // refusing is all that was wanted of it
	}
}

// Track is an http.Server.ConnState with which Shut knows the connections to cut.
func (g *Listener) Track(c net.Conn, state http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(g.conns, c)
	} else {
		g.conns[c] = true
	}
}

// Shut refuses new connections and cuts those that Track knows.
func (g *Listener) Shut() {
	g.shut.Store(true)
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		_ = c.Close() // cutting is what was wanted
	}
}

// Open ends Shut.
func (g *Listener) Open() { g.shut.Store(false) }

// IsShut says whether connections are refused.
func (g *Listener) IsShut() bool { return g.shut.Load() }
