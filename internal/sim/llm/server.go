// Package llm is a stand-in for OpenAI's Chat Completions API, for tests, demos
// and benchmarks. It answers what its rules say, streamed or whole, and can fail
// in the ways that the real thing fails: with statuses, cuts, hangs and empty
// answers.
//
// It is as strict as the endpoints it stands for: what OpenAI refuses it refuses,
// with OpenAI's words (see strict.go for the sources). A program that passes
// against it does not get away with half a pair of call and result.
//
// Nothing in it sleeps; what should wait waits for a channel (Reply.Until,
// Reply.PauseAfter).
package llm

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options set a server up. The zero value accepts any model and any key, or
// none, and listens on a free port of the loopback.
type Options struct {
	// Key is the bearer token that requests must carry; empty checks none.
	Key string
	// Models are those that exist; empty accepts every name.
	Models []string
	// Listener is used instead of a free loopback port. Close closes it.
	Listener net.Listener
	// Keep bounds the transcript, in requests; 0 means 1000, a negative number
	// keeps none (for benchmarks). The oldest go first.
	Keep int

	// RefuseStreamOptions and RefuseStream answer 400 as endpoints do that do not
	// know stream_options, or may not stream. IgnoreStream answers in one piece
	// whatever was asked. LegacyLimit refuses max_completion_tokens, ModernLimit
	// refuses max_tokens.
	RefuseStreamOptions, RefuseStream, IgnoreStream bool
	LegacyLimit, ModernLimit                        bool
}

const (
	defaultKeep   = 1000
	headerTimeout = 10 * time.Second
)

// Server is a running stand-in. It is safe for concurrent use.
type Server struct {
	opts   Options
	listen net.Listener
	http   *http.Server
	closed chan struct{} // closed by Close: what hangs lets go
	once   sync.Once
	served chan struct{}

	mu       sync.Mutex
	arrived  chan struct{} // closed and replaced at every arrival
	total    int
	accepted int
	kept     []Request
	queue    []Reply
	rules    []*rule
	fallback func(*Request) Reply
}

// Start begins to serve. Close ends it.
func Start(o Options) (*Server, error) {
	l := o.Listener
	if l == nil {
		var err error
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, fmt.Errorf("llm: no free port on the loopback: %w", err)
		}
	}
	if o.Keep == 0 {
		o.Keep = defaultKeep
	}
	s := &Server{
		opts: o, listen: l,
		closed:   make(chan struct{}),
		served:   make(chan struct{}),
		arrived:  make(chan struct{}),
		fallback: echo,
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l)
	}()
	return s, nil
}

// URL is the base URL for a client, with its /v1.
func (s *Server) URL() string { return "http://" + s.listen.Addr().String() + "/v1" }

// Close releases what hangs, cuts what is being answered and waits until the
// server has stopped listening.
func (s *Server) Close() error {
	s.once.Do(func() { close(s.closed) })
	err := s.http.Close()
	<-s.served
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("llm: closing: %w", err)
	}
	return nil
}

// ServeHTTP answers one request. Start serves it already; it is exported for
// servers of a test's own (TLS, for example).
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/v1/chat/completions" && r.Method == http.MethodPost:
		s.complete(w, r)
	case r.URL.Path == "/v1/models" && r.Method == http.MethodGet:
		s.listModels(w, r)
	default:
		// OpenAI's words for a wrong path.
		writeError(w, refusal{
			http.StatusNotFound, "invalid_request_error", "unknown_url", "",
			fmt.Sprintf("Unknown request URL: %s %s. Please check the URL for typos, or see the docs at https://platform.openai.com/docs/api-reference/.", r.Method, r.URL.Path),
		})
	}
}

func (s *Server) listModels(w http.ResponseWriter, r *http.Request) {
	if ref := s.checkKey(r); ref != nil {
		writeError(w, *ref)
		return
	}
	type entry struct {
		ID     string `json:"id"`
		Object string `json:"object"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list", Data: []entry{}}
	for _, m := range s.opts.Models {
		list.Data = append(list.Data, entry{ID: m, Object: "model"})
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	req, ref := s.read(r)
	reply := s.take(req, ref)
	if ref != nil {
		writeError(w, *ref)
		return
	}
	d := delivery{w: w, ctx: r.Context(), closed: s.closed, req: req, reply: reply, whole: !req.Stream || s.opts.IgnoreStream}
	d.run()
}

// read turns a call into a Request, and says why it is refused if it is.
func (s *Server) read(r *http.Request) (*Request, *refusal) {
	req := &Request{Header: r.Header.Clone()}
	if ref := s.checkKey(r); ref != nil {
		return req, ref
	}
	if ref := req.decode(r.Body); ref != nil {
		return req, ref
	}
	if ref := s.checkOptions(req); ref != nil {
		return req, ref
	}
	if ref := checkTools(req.Tools); ref != nil {
		return req, ref
	}
	return req, checkMessages(req.Messages)
}
