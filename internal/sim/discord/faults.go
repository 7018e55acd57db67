package discord

import (
	"net/http"
	"strings"
	"time"
)

// Routes that tests name most often. Any other is named by its method and its path with the parameters
// {channel}, {message}, {guild}, {user}, {role}, {webhook}, {token}, {application}, {interaction},
// {command} and {emoji}.
const (
	RouteSend       = "POST /channels/{channel}/messages"
	RouteEdit       = "PATCH /channels/{channel}/messages/{message}"
	RouteDelete     = "DELETE /channels/{channel}/messages/{message}"
	RouteHistory    = "GET /channels/{channel}/messages"
	RouteTyping     = "POST /channels/{channel}/typing"
	RouteReact      = "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me"
	RouteWebhook    = "POST /webhooks/{webhook}/{token}"
	RouteNewWebhook = "POST /channels/{channel}/webhooks"
	RouteCallback   = "POST /interactions/{interaction}/{token}/callback"
)

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
	Code       int             // one of Discord's error codes, such as 50013
	Status     int             // an HTTP status with an HTML body, as Cloudflare answers
	RetryAfter time.Duration   // a 429 of Discord's
	Global     bool            // of that 429
	Cut        Cut             // the connection dies
	Delay      time.Duration   // the call waits this long, before all else
	Hold       <-chan struct{} // the call waits until this is closed, before all else
}

// Refused is a fault with one of Discord's error codes, with its own HTTP status.
func Refused(code int) Fault { return Fault{Code: code} }

// Limited is a 429 of the route's bucket (D: topics/rate-limits).
func Limited(after time.Duration) Fault { return Fault{RetryAfter: after} }

// LostReply is a call that takes effect and whose answer never arrives.
func LostReply() Fault { return Fault{Cut: CutAfter} }

// LostCall is a call that is cut off before it takes effect.
func LostCall() Fault { return Fault{Cut: CutBefore} }

// ServerError is a 5xx of the front end, or any other status.
func ServerError(status int) Fault { return Fault{Status: status} }

// FailNext plans faults for the next calls of a route, one each, in order. An empty route matches any; a
// route that is a path without parameters, "POST /channels/123/messages", only that path.
func (s *Server) FailNext(route string, faults ...Fault) {
	s.lock()
	defer s.unlock()
	s.faults.Add(route, faults...)
}

// PlannedFaults counts the faults that no call has met yet, such as those of a misspelt route.
func (s *Server) PlannedFaults() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults.Len()
}

func (s *Server) takeFault(pattern, path string) Fault {
	method, _, _ := strings.Cut(pattern, " ")
	return s.faults.Take(pattern, method+" "+path)
}

// suffer lets the call meet its fault. It reports whether that was its end.
func (s *Server) suffer(w http.ResponseWriter, r *http.Request, entry *Call, f Fault) bool {
	if !s.pause(r, f) {
		cut(w)
		return true
	}
	switch {
	case f.Cut == CutBefore:
		cut(w)
	case f.RetryAfter > 0:
		scope := "user"
		if f.Global {
			scope = "global"
		}
		s.tooMany(w, entry, limitNote{}, excess{after: f.RetryAfter, global: f.Global, scope: scope})
	case f.Status != 0:
		s.set(func() { entry.Status = f.Status })
		http.Error(w, "<html><body>"+http.StatusText(f.Status)+"</body></html>", f.Status)
	case f.Code != 0:
		ref := refuse(f.Code)
		if ref.status == 0 {
			ref.status, ref.message = http.StatusBadRequest, "Refused on request"
		}
		s.finish(w, entry, 0, nil, ref)
	default:
		return false
	}
	return true
}

// pause waits as the fault wants. It is false if the call's end came first.
func (s *Server) pause(r *http.Request, f Fault) bool {
	var timer <-chan time.Time
	switch {
	case f.Delay > 0:
		timer = time.After(f.Delay)
	case f.Hold == nil:
		return true
	}
	select {
	case <-f.Hold:
	case <-timer:
	case <-r.Context().Done():
		return false
	case <-s.done:
		return false
	}
	return true
}

// RevokeToken makes the token useless, as a reset in the developer portal does: 401, and 4004 at the
// gateway. RestoreToken mends it.
func (s *Server) RevokeToken() { s.set(func() { s.revoked = true }) }

// RestoreToken ends RevokeToken.
func (s *Server) RestoreToken() { s.set(func() { s.revoked = false }) }

// Disallow switches privileged intents off in the developer portal; 0 allows all.
func (s *Server) Disallow(i Intent) { s.set(func() { s.disallowed = i }) }

// GoOffline makes the server unreachable: connections are cut and refused. People go on as before; of
// their events only what a session can still be resumed for arrives later.
func (s *Server) GoOffline() {
	s.lock()
	defer s.unlock()
	s.listener.Shut()
	for k := range s.conns {
		k.abort()
	}
}

// GoOnline ends GoOffline.
func (s *Server) GoOnline() { s.set(s.listener.Open) }
