package discord

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// stream is what a connection to the gateway runs over. The library waits on it
// without a bound and with its lock held, so it fails when nothing comes for too
// long. And while the library ends a connection, which takes a second with its lock
// held, nothing is read from it: its own reader would want that lock.
type stream struct {
	net.Conn
	held atomic.Bool
	gone chan struct{} // closed by Close
	once sync.Once
}

// dial opens the connection's stream, which ends with the connection.
func (c *connection) dial(_ context.Context, network, addr string) (net.Conn, error) {
	dial := c.a.opt.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: handshakeTime}).DialContext
	}
	conn, err := dial(c.ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stream = &stream{Conn: conn, gone: make(chan struct{})}
	return c.stream, nil
}

// hold withholds all that comes from now on.
func (s *stream) hold() { s.held.Store(true) }

// Read implements net.Conn.
func (s *stream) Read(p []byte) (int, error) {
	if err := s.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	n, err := s.Conn.Read(p)
	if s.held.Load() {
		<-s.gone
		return 0, net.ErrClosed
	}
	return n, err
}

// Close implements net.Conn.
func (s *stream) Close() error {
	s.once.Do(func() { close(s.gone) })
	return s.Conn.Close()
}
