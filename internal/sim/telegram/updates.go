package telegram

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// update is one that waits to be confirmed.
type update struct {
	id   int64
	body object
}

// Sizes of getUpdates (D: getUpdates).
const (
	maxUpdates = 100
	maxPoll    = 50 * time.Second // K: what the server bounds a long poll to
)

// notByDefault are the updates that only come when they are asked for by name (D: getUpdates).
var notByDefault = []string{"chat_member", "message_reaction", "message_reaction_count"}

// emit adds an update of one kind, if the bot asked for it.
func (s *Server) emit(kind string, what any) {
	if s.allowed != nil && !s.allowed[kind] || s.allowed == nil && slices.Contains(notByDefault, kind) {
		return
	}
	s.push(object{kind: what})
}

func (s *Server) push(body object) {
	u := update{s.nextUpdate, body}
	s.nextUpdate++
	u.body["update_id"] = u.id
	s.updates = append(s.updates, u)
	if s.duplicate > 0 {
		s.duplicate--
		s.updates = append(s.updates, u)
	}
}

// SendUpdate sends an update of a test's own making: one of a kind that nobody knows, or with a field of
// the wrong type. It returns its update_id.
func (s *Server) SendUpdate(body map[string]any) int64 {
	s.lock()
	defer s.unlock()
	s.push(body)
	return s.nextUpdate - 1
}

// Pending counts the updates that are not confirmed yet.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}

// Polling says whether a client waits for updates now.
func (s *Server) Polling() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.calls) - 1; i >= 0; i-- {
		if s.calls[i].Method == "getUpdates" {
			return s.calls[i].Status == 0
		}
	}
	return false
}

// getUpdates confirms, waits and delivers (D: getUpdates).
func (s *Server) getUpdates(r *http.Request, p params) (any, *refusal) {
	s.lock()
	if s.webhook {
		s.unlock()
		// P: openclaw docs, telegram/troubleshooting
		return nil, &refusal{code: 409, text: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
	}
	s.poll++
	mine := s.poll
	s.confirm(p)
	s.allow(p["allowed_updates"])
	s.unlock()
	limit, ok := p.number("limit")
	if !ok || limit < 1 || limit > maxUpdates {
		limit = maxUpdates
	}
	secs, _ := p.number("timeout")
	late := time.NewTimer(min(time.Duration(secs)*time.Second, maxPoll))
	defer late.Stop()
	for {
		s.mu.Lock()
		if s.poll != mine {
			s.mu.Unlock()
			// P: openclaw docs, telegram/troubleshooting. It is the older call that ends.
			return nil, &refusal{code: 409, text: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
		}
		out := make([]object, 0, limit)
		for _, u := range s.updates[:min(int(limit), len(s.updates))] {
			out = append(out, u.body)
		}
		next := s.mu.Next()
		s.mu.Unlock()
		if len(out) > 0 || secs <= 0 {
			return out, nil
		}
		select {
		case <-next:
		case <-late.C:
			return out, nil
		case <-s.done:
			return out, nil
		case <-r.Context().Done():
			return out, nil
		}
	}
}

// confirm forgets every update before the offset; a negative one keeps as many of the last.
func (s *Server) confirm(p params) {
	offset, ok := p.number("offset")
	switch {
	case !ok:
	case s.unconfirms > 0:
		s.unconfirms--
	case offset < 0:
		s.updates = s.updates[max(0, len(s.updates)+int(offset)):]
	default:
		s.updates = slices.DeleteFunc(s.updates, func(u update) bool { return u.id < offset })
	}
}

// allow remembers which updates the bot wants. An empty list is the default, none the last one.
func (s *Server) allow(list string) {
	var kinds []string
	if list == "" || json.Unmarshal([]byte(list), &kinds) != nil {
		return
	}
	s.allowed = nil
	for _, k := range kinds {
		if s.allowed == nil {
			s.allowed = map[string]bool{}
		}
		s.allowed[k] = true
	}
}
