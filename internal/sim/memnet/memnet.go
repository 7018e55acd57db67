// Package memnet is a network within the process, over which the stand-ins of internal/sim and their
// clients talk in tests: in a testing/synctest bubble a loopback socket would keep the clock from moving,
// a [net.Pipe] does not.
package memnet

import (
	"context"
	"net"
	"sync"
)

// Listener is the server's end: what Dial opens, Accept returns. Every method may be called from any
// goroutine.
type Listener struct {
	addr  pipeAddr
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Listen returns a listener without connections. host is what its address reads as, such as "slack.sim";
// it need not resolve, because Dial ignores addresses.
func Listen(host string) *Listener {
	return &Listener{addr: pipeAddr(host), conns: make(chan net.Conn), done: make(chan struct{})}
}

// Dial opens a connection to whoever accepts; network and address are ignored, so that it fits
// http.Transport.DialContext and a WebSocket dialer's NetDialContext. It fails with net.ErrClosed
// after Close.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Addr: l.addr, Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept waits for the next Dial.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and every later Dial; connections that are open stay so.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is the host given to Listen.
func (l *Listener) Addr() net.Addr { return l.addr }

type pipeAddr string

func (pipeAddr) Network() string  { return "pipe" }
func (a pipeAddr) String() string { return string(a) }
