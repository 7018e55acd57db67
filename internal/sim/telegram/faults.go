package telegram

import "time"

// Cut says where a call's connection dies.
type Cut int

// The places.
const (
	CutNowhere Cut = iota
	CutBefore      // before the call took effect
	CutAfter       // after it took effect, before the answer
)

// Fault is what happens to one call instead of its proper answer. The zero value is none: the call goes
// through, which is how a plan skips one.
type Fault struct {
	Code        int             // an answer with ok false and this error_code and Description
	Description string          // default: the HTTP status' own text
	RetryAfter  int             // parameters.retry_after of a 429, in seconds; 0: no parameters
	Status      int             // an HTTP status with Body, as a front end answers that is not the Bot API
	Body        string          // of Status; "{url}" stands for the request's URL with the token in it
	Location    string          // of a redirect
	Cut         Cut             // the connection dies
	Hold        <-chan struct{} // the call waits until this is closed, before all else
}

// LostReply is a call that takes effect and whose answer never arrives.
func LostReply() Fault { return Fault{Cut: CutAfter} }

// LostCall is a call that is cut off before it takes effect.
func LostCall() Fault { return Fault{Cut: CutBefore} }

// Limited is a 429 that asks for this many seconds (D: ResponseParameters).
func Limited(seconds int) Fault {
	return Fault{Code: 429, Description: "Too Many Requests: retry after", RetryAfter: seconds}
}

// BadGateway is a 502 whose page shows the URL, and the token in it.
func BadGateway() Fault { return Fault{Status: 502, Body: "<html>502 Bad Gateway: {url}</html>"} }

// FailNext plans faults for the next calls of method, one each, in order. An empty method matches any.
func (s *Server) FailNext(method string, faults ...Fault) {
	s.lock()
	defer s.unlock()
	s.faults.Add(method, faults...)
}

// PlannedFaults counts the faults that no call has met yet.
func (s *Server) PlannedFaults() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults.Len()
}

// limit refuses what is sent to one chat for a while.
type limit struct {
	free  int // messages that still go through
	pause time.Duration
	until time.Time // once it has begun
}

// LimitChat lets free more messages into a chat and then refuses all with 429 for a while. The first
// refusal starts the while.
func (s *Server) LimitChat(chat int64, free int, pause time.Duration) {
	s.lock()
	defer s.unlock()
	s.limits[chat] = &limit{free: free, pause: pause}
}

// limited is the refusal of a message to a chat, or nil.
func (s *Server) limited(chat int64) *refusal {
	l := s.limits[chat]
	switch {
	case l == nil:
		return nil
	case l.until.IsZero() && l.free > 0:
		l.free--
		return nil
	case l.until.IsZero():
		l.until = time.Now().Add(l.pause)
	case !time.Now().Before(l.until):
		delete(s.limits, chat)
		return nil
	}
	left := int((time.Until(l.until) + time.Second - 1) / time.Second)
	return &refusal{code: 429, text: "Too Many Requests: retry after", after: left}
}

// RevokeToken makes the token useless, as BotFather's /revoke does; RestoreToken mends it.
func (s *Server) RevokeToken() { s.set(func() { s.revoked = true }) }

// RestoreToken ends RevokeToken.
func (s *Server) RestoreToken() { s.set(func() { s.revoked = false }) }

// SetWebhook makes another program of the bot's owner use a webhook.
func (s *Server) SetWebhook() { s.set(func() { s.webhook = true }) }

// DuplicateNext makes the next n updates come twice, under one update_id.
func (s *Server) DuplicateNext(n int) { s.set(func() { s.duplicate += n }) }

// LoseConfirmations makes the next n calls of getUpdates confirm nothing: what was delivered comes again.
func (s *Server) LoseConfirmations(n int) { s.set(func() { s.unconfirms += n }) }

// GoOffline makes the server unreachable: connections are cut and refused. People go on as before, and
// their updates are kept.
func (s *Server) GoOffline() { s.set(s.listener.Shut) }

// Offline says whether the server is unreachable. A connection over TCP is then taken and cut; who dials a
// [memnet.Listener] asks first.
func (s *Server) Offline() bool { return s.listener.IsShut() }

// GoOnline ends GoOffline.
func (s *Server) GoOnline() { s.set(s.listener.Open) }

func (s *Server) set(f func()) {
	s.lock()
	defer s.unlock()
	f()
}
