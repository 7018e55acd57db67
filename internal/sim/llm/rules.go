package llm

import "strings"

// Matcher says whether a rule is about a request. It runs under the server's
// lock: it looks and does nothing else.
type Matcher func(*Request) bool

type rule struct {
	match   Matcher
	replies []Reply
	make    func(*Request) Reply
}

// On answers requests that match with replies, one after the other, and stays
// with the last. Of several rules that match, the one added first answers; what
// Queue holds goes before all of them. Without replies the rule never applies.
func (s *Server) On(match Matcher, replies ...Reply) {
	if len(replies) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{match: match, replies: append([]Reply(nil), replies...)})
}

// OnFunc is On with a reply that is made from the request. reply may be called
// from several goroutines at once.
func (s *Server) OnFunc(match Matcher, reply func(*Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, &rule{match: match, make: reply})
}

// Queue answers the next accepted requests, whatever they are, each reply once.
func (s *Server) Queue(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, replies...)
}

// Default answers what no rule matches, instead of the echo.
func (s *Server) Default(reply func(*Request) Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fallback = reply
}

// choose is called with the lock held.
func (s *Server) choose(req *Request) func(*Request) Reply {
	fixed := func(r Reply) func(*Request) Reply { return func(*Request) Reply { return r } }
	if len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		return fixed(next)
	}
	for _, r := range s.rules {
		if !r.match(req) {
			continue
		}
		if r.make != nil {
			return r.make
		}
		next := r.replies[0]
		if len(r.replies) > 1 {
			r.replies = r.replies[1:]
		}
		return fixed(next)
	}
	return s.fallback
}

// echo is the reply of a server without rules.
func echo(req *Request) Reply {
	if last := req.Last(); last.Role == "tool" {
		return Text("The tool answered: " + last.Content)
	}
	return Text("You said: " + req.LastUser())
}

// Always matches every request.
func Always() Matcher { return func(*Request) bool { return true } }

// LastUserContains matches by the last message of role user.
func LastUserContains(text string) Matcher {
	return func(r *Request) bool { return strings.Contains(r.LastUser(), text) }
}

// SystemContains matches by the system prompt.
func SystemContains(text string) Matcher {
	return func(r *Request) bool { return strings.Contains(r.System(), text) }
}

// Nth matches the n-th accepted request, counted from 1.
func Nth(n int) Matcher { return func(r *Request) bool { return r.N == n } }

// ForModel matches requests to one model.
func ForModel(name string) Matcher { return func(r *Request) bool { return r.Model == name } }

// AfterTool matches requests whose last message is a tool's result.
func AfterTool() Matcher { return func(r *Request) bool { return r.Last().Role == "tool" } }

// HasTool matches requests that offer a tool.
func HasTool(name string) Matcher {
	return func(r *Request) bool {
		for _, t := range r.Tools {
			if t.Function.Name == name {
				return true
			}
		}
		return false
	}
}

// All matches what every one of ms matches.
func All(ms ...Matcher) Matcher {
	return func(r *Request) bool {
		for _, m := range ms {
			if !m(r) {
				return false
			}
		}
		return true
	}
}

// Not turns a matcher round.
func Not(m Matcher) Matcher { return func(r *Request) bool { return !m(r) } }
