package redis

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a store and a server and cuts connections.
type proxy struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	rand  *rand.Rand
	every int // cut about once in so many reads; 0: never
	hold  *held
	deaf  bool // what the server says is thrown away
	open  map[net.Conn]bool
	wg    sync.WaitGroup

	cutBefore, cutWithin, cutAfter atomic.Int64 // requests and replies cut
	answers                        atomic.Int64 // of the server
}

// held keeps back what a client sends, for as long as its test wants.
type held struct {
	once sync.Once
	got  chan struct{} // closed when something is held
	let  chan struct{} // closed to let it go
}

func newProxy(t testing.TB, srv *server, every int) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, server: srv.addr, every: every, rand: rand.New(rand.NewPCG(1, 2)), open: map[net.Conn]bool{}}
	p.wg.Go(p.serve)
	t.Cleanup(func() {
		_ = l.Close()
		p.cutAll()
		p.wg.Wait()
	})
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		network := "tcp"
		if strings.HasPrefix(p.server, "/") {
			network = "unix"
		}
		server, err := net.Dial(network, p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.track(client, server)
		p.wg.Go(func() { p.requests(client, server) })
		p.wg.Go(func() { p.replies(client, server) })
	}
}

func (p *proxy) track(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = true
	}
}

func (p *proxy) cut(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
		delete(p.open, c)
	}
}

func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
	clear(p.open)
}

// fate says how much of n bytes goes through before the cut; n is all of them.
func (p *proxy) fate(n int) (keep int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.every == 0 || p.rand.IntN(p.every) != 0 {
		return n, false
	}
	switch p.rand.IntN(3) {
	case 0:
		return 0, true
	case 1:
		return p.rand.IntN(n), true
	default:
		return n, true
	}
}

func (p *proxy) holding() *held {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hold
}

// holdBack keeps back the next requests until the returned function is called;
// got is closed when there is one.
func (p *proxy) holdBack() (got <-chan struct{}, letGo func()) {
	h := &held{got: make(chan struct{}), let: make(chan struct{})}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold = h
	return h.got, func() { close(h.let) }
}

// deafen throws away what the server says from now on.
func (p *proxy) deafen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaf = true
}

func (p *proxy) deafened() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deaf
}

// pass lets later requests through; those that are held stay.
func (p *proxy) pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold = nil
}

func (p *proxy) requests(client, server net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			// What it sent last may still be answered, to nobody.
			if half, ok := server.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
				p.cut(client, server)
			}
			return
		}
		if h := p.holding(); h != nil {
			h.once.Do(func() { close(h.got) })
			<-h.let // the client may be gone by then
		}
		keep, cut := p.fate(n)
		if _, err := server.Write(buf[:keep]); err != nil || cut {
			p.cutBefore.Add(1)
			p.cut(client, server)
			return
		}
	}
}

// replies cuts what the server has answered: it has done its work by then.
func (p *proxy) replies(client, server net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				p.cutBefore.Add(1)
			}
			p.cut(client, server)
			return
		}
		if p.deafened() {
			continue
		}
		p.answers.Add(1)
		keep, cut := p.fate(n)
		if cut && keep == 0 {
			p.cutAfter.Add(1)
		} else if cut {
			p.cutWithin.Add(1)
		}
		if _, err := client.Write(buf[:keep]); err != nil || cut {
			p.cut(client, server)
			return
		}
	}
}
