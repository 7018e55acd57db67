package slack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Call is one request that a client made of the Web API.
type Call struct {
	Time   time.Time // of arrival
	Method string    // "response_url" for a post to one of those
	Args   map[string]string
	Status int    // HTTP status of the answer; 0 while there is none, and if the connection was cut
	Error  string // Slack's error code, empty for ok
}

// Calls are the calls of these methods so far, all calls if none is named, in order of arrival.
// Tokens are not kept. Of very many only the newest are.
func (s *Server) Calls(methods ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if len(methods) == 0 || slices.Contains(methods, c.Method) {
			copied := *c
			copied.Args = maps.Clone(c.Args)
			out = append(out, copied)
		}
	}
	return out
}

func (s *Server) logCall(method string, a args) *Call {
	c := &Call{Time: time.Now(), Method: method, Args: a}
	s.calls = append(s.calls, c)
	if len(s.calls) > 2*maxLogged {
		s.calls = slices.Clone(s.calls[maxLogged:])
	}
	return c
}

// Changed returns a channel that is closed at the next change of anything that this package shows.
func (s *Server) Changed() <-chan struct{} { return s.mu.Changed() }

// WaitFor waits until cond is true, looking again after every change. The error, when ctx ends
// first, tells how things stood.
func (s *Server) WaitFor(ctx context.Context, cond func(*Server) bool) error {
	if err := s.mu.WaitFor(ctx, func() bool { return cond(s) }); err != nil {
		return fmt.Errorf("slack sim: still waiting: %w\n%s", err, s.Summary())
	}
	return nil
}

// Summary tells how things stand, for the message of a failed test.
func (s *Server) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sockets %d (of %d so far), unsettled deliveries %d, stray acks %d\n",
		s.Sockets(), s.Connections(), s.Unsettled(), len(s.StrayAcks()))
	for _, d := range tail(s.Deliveries(), 8) {
		fmt.Fprintf(&b, "  %s %s %s: %s after %d attempts\n", d.EventID, d.Type, d.Event, d.State, len(d.Envelopes))
	}
	for _, c := range tail(s.Calls(), 8) {
		fmt.Fprintf(&b, "  %s %s -> %d %s\n", c.Time.Format("15:04:05.000"), c.Method, c.Status, c.Error)
	}
	for _, id := range s.Channels() {
		for _, e := range tail(s.Transcript(id), 5) {
			fmt.Fprintf(&b, "  %s %s\n", id, e)
		}
	}
	return b.String()
}

func tail[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }
