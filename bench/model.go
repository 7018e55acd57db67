//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"bullpen/internal/sim/llm"
)

// modelServer is the stand-in for a model behind a clock: it tells when each
// request arrived, before it is read.
type modelServer struct {
	*llm.Server
	front  *http.Server
	url    string // of the API, for clients
	served chan struct{}

	mu      sync.Mutex
	arrived []time.Time
	thought time.Duration // in all requests together
	next    chan struct{} // closed at the next arrival
}

// mark is what the messages of a measurement carry, so that answers are told
// apart: a talk's number and the message's in it.
var mark = regexp.MustCompile(`m-\d+-\d+\.`)

// startModel starts a model that answers each message with its mark.
func startModel() (*modelServer, error) {
	s, err := llm.Start(llm.Options{Keep: -1})
	if err != nil {
		return nil, err
	}
	s.Default(func(r *llm.Request) llm.Reply {
		all := asked(r)
		if len(all) == 0 {
			return llm.Text("Nothing was asked.")
		}
		return llm.Text("This is the answer to " + strings.Join(all, " "))
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	m := &modelServer{Server: s, url: "http://" + l.Addr().String() + "/v1", served: make(chan struct{}), next: make(chan struct{})}
	m.front = &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	go func() { defer close(m.served); _ = m.front.Serve(l) }()
	return m, nil
}

// asked are the marks of what was said since the model answered last.
func asked(r *llm.Request) []string {
	var all []string
	for _, x := range r.Messages {
		switch x.Role {
		case "assistant":
			all = nil
		case "user":
			all = append(all, mark.FindAllString(x.Content, -1)...)
		}
	}
	return all
}

// ServeHTTP notes the time and passes the request on.
func (m *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	m.mu.Lock()
	m.arrived = append(m.arrived, now)
	close(m.next)
	m.next = make(chan struct{})
	m.mu.Unlock()
	m.Server.ServeHTTP(w, r)
	m.mu.Lock()
	m.thought += time.Since(now)
	m.mu.Unlock()
}

// spent is how long requests took to be answered, together.
func (m *modelServer) spent() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.thought
}

// count is how many requests have arrived.
func (m *modelServer) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.arrived)
}

// close ends it.
func (m *modelServer) close() {
	_ = m.front.Close()
	<-m.served
	_ = m.Server.Close()
}

// request waits for the nth request to the model, counted from 1, and gives the
// time of its arrival.
func (m *modelServer) request(ctx context.Context, n int) (time.Time, error) {
	for {
		m.mu.Lock()
		if len(m.arrived) >= n {
			defer m.mu.Unlock()
			return m.arrived[n-1], nil
		}
		next, got := m.next, len(m.arrived)
		m.mu.Unlock()
		select {
		case <-next:
		case <-ctx.Done():
			return time.Time{}, fmt.Errorf("waiting for model request %d, %d came: %w", n, got, ctx.Err())
		}
	}
}
