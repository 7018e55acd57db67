package openai

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/openai/openai-go/v3/option"
)

// Bounds of what is read: an answer, and the explanation of a refusal (cut, not
// refused, when it is longer).
const (
	maxAnswerBytes  = 32 << 20
	maxRefusalBytes = 1 << 20
	maxEventBytes   = 4 << 20 // one line of a stream
	maxRedirects    = 3
	maxIdlePerHost  = 64
)

var errTooLarge = errors.New("the answer is larger than 32 MiB, or one event of its stream than 4 MiB")

// sharedTransport serves every client without one of its own. A whole office
// asks one host, so more idle connections are kept than net/http does.
var sharedTransport = sync.OnceValue(func() http.RoundTripper {
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t := base.Clone()
	t.MaxIdleConnsPerHost = maxIdlePerHost
	return t
})

// guardedClient copies hc so that a redirect stays on its origin and stays a
// POST. net/http alone would carry the key to another port of the same host, and
// would turn the request into a GET.
func guardedClient(hc *http.Client) *http.Client {
	guarded := http.Client{Transport: sharedTransport()}
	if hc != nil {
		guarded = *hc
	}
	guarded.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		from := via[0].URL
		keepsMethod := req.Response != nil &&
			(req.Response.StatusCode == http.StatusTemporaryRedirect || req.Response.StatusCode == http.StatusPermanentRedirect)
		sameOrigin := req.URL.Scheme == from.Scheme && strings.EqualFold(req.URL.Host, from.Host)
		if !keepsMethod || !sameOrigin || len(via) > maxRedirects {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &guarded
}

// boundBodies limits what the SDK and this package can read of a response.
func boundBodies(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(req)
	if res == nil || res.Body == nil {
		return res, err
	}
	if res.StatusCode >= 400 {
		res.Body = &boundedBody{body: res.Body, left: maxRefusalBytes, end: io.EOF}
	} else {
		res.Body = &boundedBody{body: res.Body, left: maxAnswerBytes, end: errTooLarge}
	}
	return res, err
}

// boundedBody ends with end after left bytes.
type boundedBody struct {
	body io.ReadCloser
	left int64
	end  error
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, b.end
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.body.Read(p)
	b.left -= int64(n)
	return n, err
}

// Close implements io.Closer.
func (b *boundedBody) Close() error { return b.body.Close() }

// boundedLines ends with errTooLarge inside a line that is too long. The SDK's
// decoder searches the whole of a line again with every read, so that the work
// grows with the square of its length.
type boundedLines struct {
	io.ReadCloser
	line int
}

// Read implements io.Reader.
func (b *boundedLines) Read(p []byte) (int, error) {
	if b.line > maxEventBytes {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p)
	if at := bytes.LastIndexByte(p[:n], '\n'); at >= 0 {
		b.line = n - at - 1
	} else {
		b.line += n
	}
	return n, err
}
