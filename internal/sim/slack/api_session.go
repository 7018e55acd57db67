package slack

import (
	"fmt"
	"slices"
)

// The states of an agent's session (D: agents.sessions.setStatus).
const (
	sessionActive     = "active"
	sessionProcessing = "processing"
)

var sessionStates = []string{sessionActive, sessionProcessing, "suspended", "closed"}

// setSession is agents.sessions.setStatus for sessions of threads.
func setSession(s *Server, a args) (reply, *refusal) {
	if !s.scopes["assistant:write"] { // D: ai/agent-sessions, only agents have sessions. K: the code
		return nil, refuse("agent_not_enabled")
	}
	if !slices.Contains(sessionStates, a["status"]) {
		return nil, refuse("invalid_arguments", "invalid status [json-pointer:/status]")
	}
	c, ref := s.postable(a["channel_id"])
	if ref != nil {
		return nil, ref
	}
	if _, ok := parseTS(a["thread_ts"]); !ok { // D: required in channels and DMs
		return nil, refuse("invalid_arguments", "invalid thread_ts [json-pointer:/thread_ts]")
	}
	s.sessions[threadKey{c.id, a["thread_ts"]}] = a["status"]
	out := reply{"status": a["status"], "agent_status": a["status"]}
	if s.quirks.StopUnheard {
		out["warning"] = "missing_agent_session_stopped_event_subscription"
	}
	return out, nil
}

// Session is the state of a thread's session with the app: active, processing, suspended, closed; empty
// if there is none.
func (s *Server) Session(channel, rootTS string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil {
		return ""
	}
	return s.sessions[threadKey{c.id, rootTS}]
}

// Stop presses the Stop button of a thread, which is there while its session is processing. The state
// stays what it is until the app changes it (D: agent_session_stopped).
func (p *Person) Stop(channel, rootTS string) error {
	p.s.lock()
	defer p.s.unlock()
	u, c, err := p.as(channel)
	if err != nil {
		return err
	}
	if st := p.s.sessions[threadKey{c.id, rootTS}]; st != sessionProcessing || p.s.quirks.StopUnheard {
		return fmt.Errorf("slack sim: %s: there is no Stop button in %s under %s (its session is %q)", u.Name, p.s.label(c), rootTS, st)
	}
	p.s.emit(map[string]any{
		"type": "agent_session_stopped", "channel": c.id, "thread_ts": rootTS, "user": u.ID, "streaming_message_ts": []string{},
	})
	return nil
}
