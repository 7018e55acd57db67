package slack

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/coder/websocket"
)

// Reason is why Slack ends a socket, in its disconnect message (D: using Socket Mode).
type Reason string

// The documented reasons.
const (
	Warning           Reason = "warning" // the socket lives on for about ten seconds
	RefreshRequested  Reason = "refresh_requested"
	LinkDisabled      Reason = "link_disabled" // Socket Mode was switched off in the app's settings
	TooManyWebsockets Reason = "too_many_websockets"
)

// Cut says where a call's connection dies.
type Cut int

// The places.
const (
	CutNowhere Cut = iota
	CutBefore      // before the call took effect
	CutAfter       // after it took effect, before the answer
)

// Fault is what happens to one Web API call instead of its proper answer. The zero value is no
// fault: the call goes through, which is how a plan skips one.
type Fault struct {
	Error      string          // an answer with ok false and this error
	Status     int             // an HTTP status with an HTML body, as Slack's front end answers
	RetryAfter string          // the header as it stands; empty: none
	Cut        Cut             // the connection dies
	Hold       <-chan struct{} // the call waits until this is closed, before all else
}

// Refused is a fault with a Slack error code, such as "edit_window_closed" or "fatal_error".
func Refused(code string) Fault { return Fault{Error: code} }

// RateLimited is a 429 that asks for this many seconds. Retry-After is whole seconds (D: rate limits).
func RateLimited(seconds int) Fault {
	return Fault{Status: http.StatusTooManyRequests, RetryAfter: strconv.Itoa(seconds)}
}

// LostReply is a call that takes effect and whose answer never arrives.
func LostReply() Fault { return Fault{Cut: CutAfter} }

// LostCall is a call that is cut off before it takes effect.
func LostCall() Fault { return Fault{Cut: CutBefore} }

// ServerError is a 5xx, or any other status.
func ServerError(status int) Fault { return Fault{Status: status} }

// FailNext plans faults for the next calls of method, one each, in order. An empty method matches
// any. "response_url" is the method of posts to a response URL.
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

// RevokeToken makes the token useless: "token_revoked", "account_inactive", "token_expired" or what
// else code says. An empty code mends it.
func (s *Server) RevokeToken(token, code string) {
	s.lock()
	defer s.unlock()
	s.tokenError[token] = code
}

// RemoveScope takes scopes from the bot token. Events that need them are no longer sent either.
func (s *Server) RemoveScope(scopes ...string) {
	s.lock()
	defer s.unlock()
	for _, sc := range scopes {
		delete(s.scopes, sc)
	}
}

// AddScope gives scopes to the bot token.
func (s *Server) AddScope(scopes ...string) {
	s.lock()
	defer s.unlock()
	for _, sc := range scopes {
		s.scopes[sc] = true
	}
}

// GoOffline makes the server unreachable: every socket is cut and every connection refused. People
// go on as before; of their events only the retries after GoOnline arrive.
func (s *Server) GoOffline() {
	s.lock()
	defer s.unlock()
	s.listener.Shut()
	for _, k := range s.socketsNow() {
		s.drop(k)
	}
}

// GoOnline ends GoOffline.
func (s *Server) GoOnline() {
	s.lock()
	defer s.unlock()
	s.listener.Open()
}

// RefuseSockets turns away the next n WebSocket handshakes with this HTTP status, such as 503.
func (s *Server) RefuseSockets(n, status int) {
	s.lock()
	defer s.unlock()
	s.refuse, s.refuseStatus = n, status
}

// Disconnect sends every live socket a disconnect message. All reasons but Warning end the sockets;
// after LinkDisabled new ones are ended the same way until EnableSocketMode.
func (s *Server) Disconnect(reason Reason) {
	s.lock()
	defer s.unlock()
	if reason == LinkDisabled {
		s.linkDisabled = true
	}
	for _, k := range s.socketsNow() {
		s.disconnectLocked(k, reason)
	}
}

// EnableSocketMode ends what Disconnect(LinkDisabled) began.
func (s *Server) EnableSocketMode() {
	s.lock()
	defer s.unlock()
	s.linkDisabled = false
}

// DropSockets cuts every live socket without a close frame. What they had not acknowledged is
// delivered again.
func (s *Server) DropSockets() {
	s.lock()
	defer s.unlock()
	for _, k := range s.socketsNow() {
		s.drop(k)
	}
}

// CloseSockets closes every live socket with a close frame of this WebSocket status, such as 1001,
// and no disconnect message.
func (s *Server) CloseSockets(status int) {
	s.lock()
	defer s.unlock()
	for _, k := range s.socketsNow() {
		s.push(k, frame{end: true, code: websocket.StatusCode(status)})
		s.forget(k)
	}
}

// Silence makes every live socket half open: the connection stays, but no ping and no event goes
// out, and nothing that comes in counts. Events dealt to such a socket run into the ack timeout.
func (s *Server) Silence() {
	s.lock()
	defer s.unlock()
	for _, k := range s.sockets {
		k.silent = true
		k.queue.Clear()
	}
}

func (s *Server) socketsNow() []*socket { return append([]*socket(nil), s.sockets...) }

func (s *Server) drop(k *socket) {
	k.abort()
	s.forget(k)
}

// DuplicateNext makes the next n deliveries go out twice: the same event_id in two envelopes,
// perhaps on two sockets.
func (s *Server) DuplicateNext(n int) {
	s.lock()
	defer s.unlock()
	s.duplicate += n
}

// LoseAcks makes the next n deliveries lose their acknowledgement: when it comes in it is thrown
// away and its socket is cut, so that the app has handled an event that Slack delivers again.
func (s *Server) LoseAcks(n int) {
	s.lock()
	defer s.unlock()
	s.loseAcks += n
}

// DropAfterAcks makes the next n deliveries cut their socket right after the acknowledgement was
// taken.
func (s *Server) DropAfterAcks(n int) {
	s.lock()
	defer s.unlock()
	s.dropAfterAck += n
}

// CutFrames makes the next n deliveries break off in the middle of their WebSocket frame, together
// with the connection.
func (s *Server) CutFrames(n int) {
	s.lock()
	defer s.unlock()
	s.cutFrames += n
}

// HoldEvents keeps back every delivery from now on.
func (s *Server) HoldEvents() {
	s.lock()
	defer s.unlock()
	s.holding = true
}

// ReleaseEvents ends HoldEvents and sends what was kept back: all of it in its own order, or those
// that order names, in that order, by their place among the held (from 0), and then the rest.
func (s *Server) ReleaseEvents(order ...int) error {
	s.lock()
	defer s.unlock()
	held := s.held
	for _, i := range order {
		if i < 0 || i >= len(held) {
			return fmt.Errorf("slack sim: release event %d: %d are held", i, len(held))
		}
	}
	s.holding, s.held = false, nil
	sent := make([]bool, len(held))
	for _, i := range order {
		if !sent[i] {
			sent[i] = true
			s.send(held[i])
		}
	}
	for i, d := range held {
		if !sent[i] {
			s.send(d)
		}
	}
	return nil
}

// SendEvent sends an event of a test's own making as an events_api envelope: one that the library
// does not know, or with a field of the wrong type. It returns its event id. event_ts is filled in.
func (s *Server) SendEvent(inner map[string]any) string {
	s.lock()
	defer s.unlock()
	return s.emit(inner)
}

// SendEnvelope sends an envelope of any type, such as one that no library knows. It returns the id
// under which Deliveries lists it.
func (s *Server) SendEnvelope(envelopeType string, payload map[string]any) string {
	s.lock()
	defer s.unlock()
	id := s.ids.next("Env")
	s.deliver(&delivery{Delivery: Delivery{EventID: id, Type: envelopeType}, payload: encode(payload), retries: true})
	return id
}

// SendFrame sends a text frame as it stands to every live socket.
func (s *Server) SendFrame(data []byte) {
	s.lock()
	defer s.unlock()
	for _, k := range s.sockets {
		s.push(k, frame{data: data})
	}
}
