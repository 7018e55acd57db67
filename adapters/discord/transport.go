package discord

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	// answerMost bounds, in bytes, what is read of an answer.
	answerMost = 16 << 20
	// saidMost bounds what is kept of a refusal.
	saidMost = 4 << 10
	// libraryVersion is what the library writes into addresses, apiVersion what is
	// meant (reference, API versioning).
	libraryVersion, apiVersion = "/api/v9", "/v10"
	// libraryHost is where the library believes the API to be.
	libraryHost = "discord.com"
	// idleConns is how many connections are kept open between calls.
	idleConns = 16
)

// httpClient makes the client for all calls. It follows no redirect: nothing of
// the API redirects, and one would carry a token away.
func httpClient(opt Options, base *url.URL) *http.Client {
	c := &http.Client{}
	if opt.HTTP != nil {
		*c = *opt.HTTP
	}
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
		if d, ok := next.(*http.Transport); ok {
			own := d.Clone()
			own.MaxIdleConnsPerHost = idleConns
			if opt.Dial != nil {
				own.Proxy, own.DialContext = nil, opt.Dial
			}
			next = own
		}
	}
	c.Transport = transport{next, base}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// attempt is what became of one request.
type attempt struct {
	reached atomic.Bool  // a connection was had: the request may have been written
	status  atomic.Int64 // of the answer; 0: none came
	mu      sync.Mutex
	headers http.Header
	said    []byte // of a refusal
}

func (at *attempt) header() http.Header {
	at.mu.Lock()
	defer at.mu.Unlock()
	return at.headers
}

func (at *attempt) body() []byte {
	at.mu.Lock()
	defer at.mu.Unlock()
	return at.said
}

type attemptKey struct{}

// watched is ctx for one call, and what becomes of it.
func watched(ctx context.Context) (context.Context, *attempt) {
	at := &attempt{}
	return context.WithValue(ctx, attemptKey{}, at), at
}

// transport sends the library's requests to where the API is, in the version that
// is meant, and notes how far each came.
type transport struct {
	next http.RoundTripper
	base *url.URL // the API's address without a version
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != libraryHost {
		return t.next.RoundTrip(req) // a file
	}
	to := *req.URL
	to.Scheme, to.Host = t.base.Scheme, t.base.Host
	to.Path = t.base.Path + apiVersion + strings.TrimPrefix(req.URL.Path, libraryVersion)
	if req.URL.RawPath != "" {
		to.RawPath = t.base.Path + apiVersion + strings.TrimPrefix(req.URL.RawPath, libraryVersion)
	}
	ctx := req.Context()
	at, ok := ctx.Value(attemptKey{}).(*attempt)
	if !ok {
		at = &attempt{}
	}
	// Without a connection not a byte can have left. With one, the transport writes
	// on a goroutine of its own, so nothing less is certain.
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { at.reached.Store(true) }}
	out := req.Clone(httptrace.WithClientTrace(ctx, trace))
	out.URL, out.Host = &to, to.Host
	resp, err := t.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	at.mu.Lock()
	at.headers = resp.Header
	at.mu.Unlock()
	at.status.Store(int64(resp.StatusCode))
	resp.Body = &bounding{Reader: io.LimitReader(resp.Body, answerMost), Closer: resp.Body}
	if resp.StatusCode == http.StatusTooManyRequests {
		said, err := io.ReadAll(io.LimitReader(resp.Body, saidMost))
		if err != nil {
			return nil, errors.Join(err, resp.Body.Close())
		}
		at.mu.Lock()
		at.said = said
		at.mu.Unlock()
		resp.Body = &bounding{Reader: bytes.NewReader(said), Closer: resp.Body}
	}
	return resp, nil
}

type bounding struct {
	io.Reader
	io.Closer
}

// CloseIdleConnections lets http.Client end what it keeps open.
func (t transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
