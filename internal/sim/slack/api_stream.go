package slack

import "fmt"

// maxStreamBlocks is how many blocks stand below a finished stream (D: chat.stopStream).
const maxStreamBlocks = 50

// startStream is chat.startStream: a message in a thread that grows (D: S:ai and the method's page).
// The codes of what is missing are those of the page; for a missing thread it names none (K).
func startStream(s *Server, a args) (reply, *refusal) {
	c, ref := s.postable(a["channel"])
	if ref != nil {
		return nil, ref
	}
	switch {
	case a["thread_ts"] == "": // D: required
		return nil, refuse("invalid_arguments", "missing required field: thread_ts")
	case c.kind != kindIM && a["recipient_user_id"] == "": // D: required when streaming to channels
		return nil, refuse("missing_recipient_user_id")
	case c.kind != kindIM && a["recipient_team_id"] == "":
		return nil, refuse("missing_recipient_team_id")
	case c.kind != kindIM && s.users[a["recipient_user_id"]] == nil:
		return nil, refuse("user_not_found") // K
	case a["text"] != "" || a["blocks"] != "" || a["metadata"] != "": // D: none of its arguments
		return nil, refuse("invalid_arguments", "sim: a stream begins with markdown_text alone")
	}
	d, ref := s.readDraft(a)
	if ref != nil {
		return nil, ref
	}
	m := s.ownMessage(d)
	m.streaming = true
	if ref := s.persona(m, a); ref != nil {
		return nil, ref
	}
	if ref := s.place(c, m, a); ref != nil {
		return nil, ref
	}
	s.publish(c, m)
	return reply{"channel": c.id, "ts": m.ts}, nil
}

// streamTarget is the message of the app's that a call adds to, which must still grow.
func (s *Server) streamTarget(a args) (*conversation, *message, draft, *refusal) {
	c, m, ref := s.ownTarget(a, "is_archived", "message_not_owned_by_app") // D: chat.appendStream
	if ref != nil {
		return nil, nil, draft{}, ref
	}
	if !m.streaming { // D
		return nil, nil, draft{}, refuse("message_not_in_streaming_state")
	}
	d, ref := s.readDraft(a)
	return c, m, d, ref
}

// appendStream is chat.appendStream.
func appendStream(s *Server, a args) (reply, *refusal) {
	c, m, d, ref := s.streamTarget(a)
	switch {
	case ref != nil:
		return nil, ref
	case d.text == "": // D
		return nil, refuse("no_text")
	}
	before := m.clone()
	m.text += d.text
	s.emitChanged(c, m, before)
	return reply{"channel": c.id, "ts": m.ts}, nil
}

// stopStream is chat.stopStream.
func stopStream(s *Server, a args) (reply, *refusal) {
	c, m, d, ref := s.streamTarget(a)
	if ref != nil {
		return nil, ref
	}
	if len(d.blocks) > maxStreamBlocks {
		return nil, refuse("invalid_blocks")
	}
	before := m.clone()
	m.streaming = false
	m.text += d.text
	m.blocks, m.metadata = d.blocks, d.metadata
	s.emitChanged(c, m, before)
	return reply{"channel": c.id, "ts": m.ts, "message": s.wire(m, true)}, nil
}

// EndStreams ends all streams, as Slack does some minutes after they began.
func (s *Server) EndStreams() {
	s.lock()
	defer s.unlock()
	for _, c := range s.conversations {
		for _, m := range c.messages {
			m.streaming = false
		}
	}
}

// Remove takes a message away, whosever it is, as an administrator of the workspace may.
func (s *Server) Remove(channel, ts string) error {
	s.lock()
	defer s.unlock()
	c := s.find(channel)
	if c == nil || c.byTS[ts] == nil {
		return fmt.Errorf("slack sim: there is no message %s in %s", ts, channel)
	}
	s.remove(c, c.byTS[ts])
	return nil
}
