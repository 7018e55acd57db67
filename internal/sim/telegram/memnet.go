package telegram

import (
	"context"
	"net"
	"sync"
)

// PipeListener is a network within the process: what Dial opens, Accept returns, over [net.Pipe]. In a
// testing/synctest bubble a loopback socket would keep the clock from moving; this does not.
type PipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewPipeListener returns a listener without connections.
func NewPipeListener() *PipeListener {
	return &PipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Dial opens a connection to whoever accepts; it fits http.Transport.DialContext and ignores the
// address. After Close it fails with net.ErrClosed.
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
func (pipeAddr) String() string  { return "telegram.sim" }
