package discord

import (
	"encoding/json"
	"strings"
	"time"
)

// received does what one payload of the client asks for (D: events/gateway; opcodes).
func (s *Server) received(k *conn, op int, d json.RawMessage) {
	s.lock()
	defer s.unlock()
	now := time.Now()
	k.sends = append(recent(k.sends, now.Add(-time.Minute)), now)
	if len(k.sends) > 120 { // D: events/gateway, rate limiting
		k.close(4008, "Rate limited.")
		return
	}
	switch op {
	case 1:
		k.beaten = now
		if k.session != nil {
			k.session.beats++
		}
		if !s.zombie {
			k.push(frame{data: []byte(`{"op":11,"s":null,"t":null,"d":null}`)})
		}
	case 2:
		s.identify(k, d)
	case 6:
		s.resume(k, d)
	case 3, 4, 8:
		if k.session == nil {
			k.close(4003, "Not authenticated.")
		}
	default:
		k.close(4001, "Unknown opcode.")
	}
}

func recent(all []time.Time, since time.Time) []time.Time {
	for len(all) > 0 && !all[0].After(since) {
		all = all[1:]
	}
	return all
}

func (s *Server) goodToken(t string) bool {
	return !s.revoked && strings.TrimPrefix(t, "Bot ") == s.token
}

// opening reads into in a payload that may only open the connection's session, or closes the connection.
func (k *conn) opening(d json.RawMessage, in any) bool {
	switch {
	case json.Unmarshal(d, in) != nil:
		k.close(4002, "Decode error.")
	case k.session != nil:
		k.close(4005, "Already authenticated.")
	default:
		return true
	}
	return false
}

// identify starts a session (D: events/gateway-events, identify).
func (s *Server) identify(k *conn, d json.RawMessage) {
	var in struct {
		Token      string            `json:"token"`
		Intents    *Intent           `json:"intents"`
		Properties map[string]string `json:"properties"`
		Compress   bool              `json:"compress"`
		Shard      []int             `json:"shard"`
	}
	now := time.Now()
	tooSoon := len(recent(s.identifies, now.Add(-5*time.Second))) > 0
	if !k.opening(d, &in) {
		return
	}
	s.identifies = append(s.identifies, now)
	switch {
	case !s.goodToken(in.Token):
		k.close(4004, "Authentication failed.")
	case in.Intents == nil || in.Properties == nil: // both are required
		k.close(4002, "Decode error.")
	case *in.Intents&^knownIntents != 0:
		k.close(4013, "Invalid intent(s).")
	case *in.Intents&privileged&s.disallowed != 0:
		k.close(4014, "Disallowed intent(s).")
	case len(in.Shard) != 0 && (len(in.Shard) != 2 || in.Shard[0] < 0 || in.Shard[0] >= in.Shard[1]):
		k.close(4010, "Invalid shard.")
	case s.rateLimits && tooSoon: // D: events/gateway, rate limiting: max_concurrency; the answer is K
		k.push(frame{data: []byte(`{"op":9,"s":null,"t":null,"d":false}`)})
	default:
		k.compress = in.Compress
		s.begins(k, *in.Intents)
	}
}

func (s *Server) begins(k *conn, intents Intent) {
	v := &session{id: "sim" + s.newID(), intents: intents, conn: k}
	k.session = v
	s.sessions = append(s.sessions, v)
	guilds := []object{}
	for _, id := range s.guildOrder {
		if s.guilds[id].in {
			guilds = append(guilds, object{"id": id, "unavailable": true})
		}
	}
	v.send("READY", object{
		"v": 10, "user": s.ownUser(), "guilds": guilds, "session_id": v.id, "resume_gateway_url": s.gatewayURL(),
		"shard": []int{0, 1}, "application": object{"id": s.bot.ID, "flags": s.appFlags()}, "private_channels": []any{}, "session_type": "normal",
	})
	if intents&IntentGuilds == 0 {
		return
	}
	for _, id := range s.guildOrder {
		if g := s.guilds[id]; g.in {
			v.send("GUILD_CREATE", s.guildCreate(g))
		}
	}
}

// resume goes on with a session: what it missed, then RESUMED (D: events/gateway, resuming).
func (s *Server) resume(k *conn, d json.RawMessage) {
	var in struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       int    `json:"seq"`
	}
	switch {
	case !k.opening(d, &in):
		return
	case !s.goodToken(in.Token):
		k.close(4004, "Authentication failed.")
		return
	}
	v := s.session(in.SessionID)
	switch {
	case v == nil || v.ended || v.conn == nil && time.Since(v.left) > s.opts.SessionLife:
		k.push(frame{data: []byte(`{"op":9,"s":null,"t":null,"d":false}`)})
		return
	case in.Seq < 0 || in.Seq > len(v.log):
		k.close(4007, "Invalid seq.")
		return
	}
	if v.conn != nil {
		v.conn.session = nil
		v.conn.abort()
	}
	v.conn, k.session = k, v
	v.resumes++
	for _, data := range v.log[in.Seq:] {
		k.push(frame{data: data})
	}
	v.send("RESUMED", object{"_trace": []string{"sim"}})
}

func (s *Server) gatewayURL() string { return "ws://" + s.host + "/gw/" }

// session is what a client has identified for. Its log holds every event sent, so that it can resume.
type session struct {
	id      string
	intents Intent
	conn    *conn // nil while disconnected
	log     [][]byte
	left    time.Time // when conn was lost
	ended   bool
	beats   int
	resumes int
}

func (s *Server) session(id string) *session {
	for _, v := range s.sessions {
		if v.id == id {
			return v
		}
	}
	return nil
}

// send dispatches an event to the session.
func (v *session) send(event string, d any) {
	data := encode(object{"op": 0, "t": event, "s": len(v.log) + 1, "d": d})
	v.log = append(v.log, data)
	if v.conn != nil {
		v.conn.push(frame{data: data, zip: v.conn.compress})
	}
}

// Session is what a client has identified for.
type Session struct {
	ID        string
	Intents   Intent
	Connected bool
	Ended     bool // can no longer be resumed; of one whose time is over, known at the next event
	Sequence  int  // of its newest event
	Beats     int  // heartbeats received
	Resumes   int
}

// Sessions are those that ever were, oldest first.
func (s *Server) Sessions() []Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Session
	for _, v := range s.sessions {
		out = append(out, Session{
			ID: v.id, Intents: v.intents, Connected: v.conn != nil, Ended: v.ended, Sequence: len(v.log),
			Beats: v.beats, Resumes: v.resumes,
		})
	}
	return out
}

// Connected counts the sessions that have a connection.
func (s *Server) Connected() int {
	n := 0
	for _, v := range s.Sessions() {
		if v.Connected {
			n++
		}
	}
	return n
}

// Identifies counts the identify payloads so far, refused ones included. Discord allows 1000 in 24 h (D:
// events/gateway, rate limiting).
func (s *Server) Identifies() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.identifies)
}
