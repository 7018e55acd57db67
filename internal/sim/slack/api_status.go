package slack

import (
	"encoding/json"
	"time"
)

// A status disappears by itself after about this long (D: S:ai).
const statusLife = 2 * time.Minute

const maxLoadingMessages = 10 // D: assistant.threads.setStatus

// status is the line under a thread that says what the app is doing.
type status struct {
	name, text string
	expires    time.Time
}

type threadKey struct{ channel, root string }

// setStatus is assistant.threads.setStatus. An empty status takes the line away.
func setStatus(s *Server, a args) (reply, *refusal) {
	c, ref := s.postable(a["channel_id"])
	if ref != nil {
		return nil, ref
	}
	if raw := a["loading_messages"]; raw != "" {
		// L: assistant.go joins them with commas; the reference shows a JSON array. Both are taken.
		var messages []string
		if json.Unmarshal([]byte(raw), &messages) == nil && len(messages) > maxLoadingMessages {
			return nil, refuse("invalid_arguments", "no more than 10 items allowed [json-pointer:/loading_messages]")
		}
	}
	if _, ok := parseTS(a["thread_ts"]); !ok {
		return nil, refuse("invalid_arguments", "invalid thread_ts [json-pointer:/thread_ts]")
	}
	key := threadKey{c.id, a["thread_ts"]}
	delete(s.statuses, key)
	if a["status"] == "" {
		return reply{}, nil
	}
	name := s.ws.BotName
	if a["username"] != "" && s.scopes["chat:write.customize"] {
		name = a["username"]
	}
	s.statuses[key] = status{name: name, text: a["status"], expires: time.Now().Add(statusLife)}
	return reply{}, nil
}

// Status is what stands under a thread now, such as "Ada is reading"; empty if nothing does. It goes
// with the app's next message in the thread, and by itself after two minutes.
func (s *Server) Status(channel, rootTS string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil {
		return ""
	}
	st, ok := s.statuses[threadKey{c.id, rootTS}]
	if !ok || time.Now().After(st.expires) {
		return ""
	}
	return st.name + " " + st.text
}
