package discord

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxLogged is how many calls are kept at least.
const maxLogged = 5000

// Call is one request that a client made of the REST API. Tokens are not kept.
type Call struct {
	Time   time.Time       // of arrival
	Route  string          // "POST /channels/{channel}/messages"; the plain path if no route has it
	Path   string          // without a token
	Body   json.RawMessage // nil: none
	Status int             // of the answer; 0 while there is none, and if the connection was cut
	Code   int             // Discord's error code
	Error  string          // the code and the reason
}

// Calls are the calls of these routes so far, all calls if none is named, in order of arrival. Of very
// many only the newest are kept.
func (s *Server) Calls(routes ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if len(routes) == 0 || slices.Contains(routes, c.Route) {
			out = append(out, *c)
		}
	}
	return out
}

func (s *Server) logCall(route, path string, body json.RawMessage) *Call {
	s.lock()
	defer s.unlock()
	parts := strings.Split(path, "/")
	if len(parts) > 3 && (parts[1] == "webhooks" || parts[1] == "interactions") {
		parts[3] = "token"
	}
	c := &Call{Time: time.Now(), Route: route, Path: strings.Join(parts, "/"), Body: slices.Clone(body)}
	s.calls = append(s.calls, c)
	if len(s.calls) > 2*maxLogged {
		s.calls = slices.Clone(s.calls[maxLogged:])
	}
	return c
}

// Summary tells how things stand, for the message of a failed test.
func (s *Server) Summary() string {
	var b strings.Builder
	for _, v := range s.Sessions() {
		fmt.Fprintf(&b, "session %s: connected %v, sequence %d, ended %v\n", v.ID, v.Connected, v.Sequence, v.Ended)
	}
	for _, c := range tail(s.Calls(), 12) {
		fmt.Fprintf(&b, "  %s %s -> %d %s\n", c.Time.Format("15:04:05.000"), c.Route, c.Status, c.Error)
	}
	for _, id := range s.Channels() {
		for _, e := range tail(s.Transcript(id), 6) {
			fmt.Fprintf(&b, "  %s %s\n", s.ChannelName(id), e)
		}
	}
	return b.String()
}

func tail[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }

// Channels are the ids of all channels, threads and DMs, in the order in which they came to be.
func (s *Server) Channels() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// ChannelID finds a channel or thread by id or name, or the DM of "@user" with the bot.
func (s *Server) ChannelID(key string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.find(key); c != nil {
		return c.id, true
	}
	return "", false
}

// find is channel with DMs as "@user".
func (s *Server) find(key string) *channel {
	if name, ok := strings.CutPrefix(key, "@"); ok {
		if u := s.user(name); u != nil {
			return s.dm(u.ID)
		}
	}
	return s.channel(key)
}

// ChannelName is how people see a channel: "#general", "@maria" for the DM with her, "#dev > plan" for a
// thread.
func (s *Server) ChannelName(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[id]
	switch {
	case c == nil:
		return id
	case c.kind == DM:
		return "@" + s.users[c.recipient].Name
	case c.isThread() && s.channels[c.parent] != nil:
		return "#" + s.channels[c.parent].name + " > " + c.name
	}
	return "#" + c.name
}

// People are the accounts, the bot first.
func (s *Server) People() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []User
	for _, id := range s.userOrder {
		out = append(out, *s.users[id])
	}
	return out
}

// Typing is one time that the bot showed that it types; it lasts 10 s (D: resources/channel, trigger
// typing indicator).
type Typing struct {
	Time    time.Time
	Channel string // id
}

// Typings are those so far.
func (s *Server) Typings() []Typing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.typings)
}
