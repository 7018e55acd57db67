package slack

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// callTime is how long one call of the Web API may take.
const callTime = 20 * time.Second

// idleConns is how many connections are kept open between calls: everything goes
// to one host, of whose connections net/http by itself keeps two.
const idleConns = 16

// httpClient makes the client for all calls. It follows no redirect: nothing of
// the Web API redirects, and one would carry a token away.
func httpClient(opt Options) *http.Client {
	c := &http.Client{}
	if opt.HTTP != nil {
		*c = *opt.HTTP
	}
	next := c.Transport
	if next == nil {
		t := http.DefaultTransport
		if d, ok := t.(*http.Transport); ok {
			own := d.Clone()
			own.MaxIdleConnsPerHost = idleConns
			if opt.Dial != nil {
				own.Proxy, own.DialContext = nil, opt.Dial
			}
			t = own
		}
		next = t
	}
	c.Transport = transport{next}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// attempt is what became of one request.
type attempt struct {
	reached    atomic.Bool  // a connection was had: the request may have been written
	status     atomic.Int64 // of the answer; 0: none came
	retryAfter atomic.Pointer[string]
}

type attemptKey struct{}

// watched is ctx for one call, and what becomes of it.
func watched(ctx context.Context) (context.Context, *attempt) {
	at := &attempt{}
	return context.WithValue(ctx, attemptKey{}, at), at
}

// transport notes in the call's attempt how far a request came.
type transport struct{ next http.RoundTripper }

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	at, ok := req.Context().Value(attemptKey{}).(*attempt)
	if !ok {
		return t.next.RoundTrip(req)
	}
	// Without a connection not a byte can have left. With one, the transport writes
	// on a goroutine of its own, so nothing less is certain.
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { at.reached.Store(true) }}
	resp, err := t.next.RoundTrip(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err == nil {
		after := resp.Header.Get("Retry-After")
		at.retryAfter.Store(&after)
		at.status.Store(int64(resp.StatusCode))
	}
	return resp, err
}

// CloseIdleConnections lets http.Client end what it keeps open.
func (t transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// spentOnce lets one call through: each socket is opened once, by a client of
// its own.
type spentOnce struct {
	http *http.Client
	used atomic.Bool
}

var errSpent = errors.New("this socket has had its connection")

func (s *spentOnce) Do(req *http.Request) (*http.Response, error) {
	if s.used.Swap(true) {
		return nil, errSpent
	}
	return s.http.Do(req)
}
