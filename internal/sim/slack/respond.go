package slack

import (
	"encoding/json"
	"slices"
)

// respond shows what an app answers to a command or click, in an ack or at a response URL: to the
// person alone unless it says in_channel, instead of the message clicked on if it says
// replace_original, and nothing but that message's end if it says delete_original (D: handling user
// interaction).
func (s *Server) respond(c *conversation, origin *message, user string, body json.RawMessage) *refusal {
	if len(body) == 0 || string(body) == "null" || string(body) == "{}" {
		return nil // a bare ack
	}
	a := args{}
	if ref := jsonArgs(body, a); ref != nil {
		return ref
	}
	if a.flag("delete_original") && origin != nil {
		s.retire(c, origin)
		return nil
	}
	for _, key := range []string{"blocks", "attachments", "metadata"} {
		if a[key] == "[]" || a[key] == "{}" || emptyMetadata(a[key]) {
			delete(a, key) // L: chat.go, responseURLSender sends them empty
		}
	}
	d, ref := s.readDraft(a)
	if ref != nil {
		return ref
	}
	if d.empty() {
		return refuse("no_text")
	}
	if a.flag("replace_original") && origin != nil {
		s.replace(c, origin, d)
		return nil
	}
	m := s.ownMessage(d)
	if ref := s.place(c, m, a); ref != nil {
		return ref
	}
	if a["response_type"] == "in_channel" {
		s.publish(c, m)
		return nil
	}
	s.whisper(c, m, user)
	return nil
}

func emptyMetadata(raw string) bool {
	var m struct {
		EventType string `json:"event_type"`
	}
	return raw != "" && json.Unmarshal([]byte(raw), &m) == nil && m.EventType == ""
}

func (s *Server) replace(c *conversation, m *message, d draft) {
	before := m.clone()
	m.text, m.blocks, m.attachments = d.text, d.blocks, d.attachments
	if m.ephemeralTo != "" {
		return
	}
	m.edited = &edit{user: s.ws.BotUserID, ts: s.ids.ts()}
	s.emitChanged(c, m, before)
}

func (s *Server) retire(c *conversation, m *message) {
	if m.ephemeralTo == "" {
		s.remove(c, m)
		return
	}
	m.deleted = true
	c.ephemerals = slices.DeleteFunc(c.ephemerals, func(o *message) bool { return o == m })
}
