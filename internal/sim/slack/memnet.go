package slack

import (
	"context"
	"net"
	"sync"
)

// PipeListener is a network within the process: what Dial opens, Accept returns, over [net.Pipe].
// It lets a server and its clients run inside a testing/synctest bubble, where a loopback socket
// would keep the clock from moving.
type PipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewPipeListener returns a listener without connections.
func NewPipeListener() *PipeListener {
	return &PipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Dial opens a connection to whoever accepts; network and address are ignored, so that it fits
// http.Transport.DialContext and a WebSocket dialer's NetDialContext. It fails with net.ErrClosed
// after Close.
func (l *PipeListener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Addr: l.Addr(), Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept waits for the next Dial.
func (l *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and every later Dial; connections that are open stay so.
func (l *PipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is a name that resolves nowhere.
func (l *PipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "slack.sim" }
