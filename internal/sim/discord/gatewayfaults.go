package discord

import (
	"encoding/json"
	"time"
)

// EventFault is what happens to one event at the gateway. The zero value lets it pass.
type EventFault struct {
	Drop      bool          // no session ever gets it, as if the gateway had lost it
	Duplicate bool          // each session gets it twice, with two sequence numbers
	Delay     time.Duration // it is sent so much later, behind what came meanwhile
	// Change alters the event's data, for fields that no library knows or that are of the wrong type.
	Change func(d map[string]any)
}

// FailEvents plans faults for the next events of a type, such as "MESSAGE_CREATE", one each, in order. An
// empty type matches any.
func (s *Server) FailEvents(event string, faults ...EventFault) {
	s.lock()
	defer s.unlock()
	s.eventFaults.Add(event, faults...)
}

// SendEvent dispatches an event of a test's own making to every session: one that no library knows, or a
// malformed one.
func (s *Server) SendEvent(event string, d any) {
	s.set(func() {
		for _, v := range s.sessions {
			v.deliver(event, d)
		}
	})
}

// SendFrame sends a text frame as it stands on every connection, such as one that is no JSON.
func (s *Server) SendFrame(data string) { s.each(func(k *conn) { k.push(frame{data: []byte(data)}) }) }

// SendOp sends a payload with any opcode on every connection.
func (s *Server) SendOp(op int, d json.RawMessage) {
	s.each(func(k *conn) { k.push(frame{data: encode(object{"op": op, "s": nil, "t": nil, "d": d})}) })
}

// Reconnect sends opcode 7: the client should reconnect and resume. The connection stays until the client
// ends it.
func (s *Server) Reconnect() { s.SendOp(7, nil) }

// Invalidate sends opcode 9. If resumable is false, the sessions are over.
func (s *Server) Invalidate(resumable bool) {
	d := json.RawMessage("false")
	if resumable {
		d = json.RawMessage("true")
	} else {
		s.EndSessions()
	}
	s.SendOp(9, d)
}

// EndSessions makes every session unresumable, without a word.
func (s *Server) EndSessions() {
	s.set(func() {
		for _, v := range s.sessions {
			v.ended = true
		}
	})
}

// CloseGateway closes every connection with a close code, such as 4000 or 1001. Codes of the 4000s that
// end the session (4004, 4007, 4009 to 4014) do so.
func (s *Server) CloseGateway(code int) {
	s.each(func(k *conn) {
		if k.session != nil && (code == 4004 || code == 4007 || code >= 4009) {
			k.session.ended = true
		}
		k.close(code, "On request.")
	})
}

// DropGateway cuts every connection without a close frame.
func (s *Server) DropGateway() { s.each(func(k *conn) { k.abort() }) }

// Zombie stops or restores the acknowledgement of heartbeats; nothing else changes.
func (s *Server) Zombie(on bool) { s.set(func() { s.zombie = on }) }

// RefuseGateway turns away the next n WebSocket handshakes with this HTTP status, such as 503.
func (s *Server) RefuseGateway(n, status int) {
	s.set(func() { s.refuseWS, s.refuseCode = n, status })
}

func (s *Server) each(f func(*conn)) {
	s.set(func() {
		for k := range s.conns {
			f(k)
		}
	})
}
