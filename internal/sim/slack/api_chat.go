package slack

import (
	"encoding/json"
	"slices"
	"strings"
)

// draft is a message that a call wants shown, checked.
type draft struct {
	text        string
	blocks      []block
	attachments []any
	metadata    json.RawMessage
	gaveBlocks  bool // even an empty list
	gaveText    bool
}

// readDraft checks everything that the content of a message can be refused for.
func (s *Server) readDraft(a args) (draft, *refusal) {
	d := draft{text: a["text"]}
	_, d.gaveText = a["text"]
	_, d.gaveBlocks = a["blocks"]
	if md := a["markdown_text"]; md != "" {
		if d.text != "" || d.gaveBlocks { // D: chat.postMessage
			return d, refuse("markdown_text_conflict")
		}
		if runes(md) > maxMarkdown { // D: chat.postMessage
			return d, refuse("msg_too_long")
		}
		d.text, d.gaveText = escape(md), true
	}
	if runes(d.text) > maxText {
		if s.quirks.RefuseLongText { // D: msg_too_long is listed, and so is truncation
			return d, refuse("msg_too_long")
		}
		d.text = string([]rune(d.text)[:maxText])
	}
	if ref := s.readBlocks(a["blocks"], &d); ref != nil {
		return d, ref
	}
	if raw := a["attachments"]; raw != "" {
		if json.Unmarshal([]byte(raw), &d.attachments) != nil { // D
			return d, refuse("invalid_attachments")
		}
		if len(d.attachments) > maxAttachments { // D
			return d, refuse("too_many_attachments")
		}
	}
	return d, readMetadata(a["metadata"], &d)
}

func (s *Server) readBlocks(raw string, d *draft) *refusal {
	if raw == "" {
		return nil
	}
	if json.Unmarshal([]byte(raw), &d.blocks) != nil { // D: chat.postMessage
		return refuse("invalid_blocks_format")
	}
	if ref := checkBlocks(d.blocks, maxMessageBlocks); ref != nil {
		return ref
	}
	if limit := s.quirks.MaxBlockText; limit > 0 && runes(s.blocksText(d.blocks)) > limit {
		return refuse("msg_blocks_too_long") // D, without its limit: hence the quirk
	}
	normalise(d.blocks)
	return nil
}

// readMetadata is D: message metadata, invalid_metadata_format and invalid_metadata_schema.
func readMetadata(raw string, d *draft) *refusal {
	if raw == "" {
		return nil
	}
	var m struct {
		EventType    string                     `json:"event_type"`
		EventPayload map[string]json.RawMessage `json:"event_payload"`
	}
	if json.Unmarshal([]byte(raw), &m) != nil {
		return refuse("invalid_metadata_format")
	}
	if m.EventType == "" || m.EventPayload == nil {
		return refuse("invalid_metadata_schema")
	}
	d.metadata = json.RawMessage(raw)
	return nil
}

func (d *draft) empty() bool {
	return strings.TrimSpace(d.text) == "" && len(d.blocks) == 0 && len(d.attachments) == 0
}

// postable finds the conversation that a post is meant for: by id, by name, or by the id of a person,
// whose DM it then is (D: chat.postMessage, channels).
func (s *Server) postable(channel string) (*conversation, *refusal) {
	c := s.find(channel)
	if u := s.users[channel]; c == nil && u != nil && !u.Bot {
		c = s.dm(channel)
	}
	if c == nil {
		return nil, refuse("channel_not_found") // D
	}
	member := c.has(s.ws.BotUserID)
	switch {
	case !member && c.kind != kindChannel: // D: what it may not see does not exist
		return nil, refuse("channel_not_found")
	case c.archived: // D
		return nil, refuse("is_archived")
	case !member && !s.scopes["chat:write.public"]: // D
		return nil, refuse("not_in_channel")
	}
	return c, nil
}

func postMessage(s *Server, a args) (reply, *refusal) {
	c, ref := s.postable(a["channel"])
	if ref != nil {
		return nil, ref
	}
	d, ref := s.readDraft(a)
	if ref != nil {
		return nil, ref
	}
	if d.empty() { // D
		return nil, refuse("no_text")
	}
	m := s.ownMessage(d)
	if ref := s.persona(m, a); ref != nil {
		return nil, ref
	}
	m.unfurlLinks = a.flag("unfurl_links")
	if ref := s.place(c, m, a); ref != nil {
		return nil, ref
	}
	s.publish(c, m)
	return reply{"channel": c.id, "ts": m.ts, "message": s.wire(m, true)}, nil
}

// ownMessage is a message by the app, under its own name.
func (s *Server) ownMessage(d draft) *message {
	return &message{
		ours: true, user: s.ws.BotUserID, team: s.ws.TeamID, botID: s.ws.BotID, appID: s.ws.AppID,
		text: d.text, blocks: d.blocks, attachments: d.attachments, metadata: d.metadata,
	}
}

// persona applies username and icon. Without the scope they have no effect (P: papercups pull 522,
// dewy pull 362), unless the quirk says that the call fails.
func (s *Server) persona(m *message, a args) *refusal {
	if a["username"] == "" && a["icon_url"] == "" && a["icon_emoji"] == "" {
		return nil
	}
	if ref := s.needAny("chat:write.customize"); ref != nil {
		if s.quirks.RefusePersonaWithoutScope {
			return ref
		}
		return nil
	}
	// D: chat.postMessage; a post with a name of its own is a bot_message and has no user.
	m.subtype, m.user = "bot_message", ""
	m.username, m.iconEmoji, m.iconURL = a["username"], a["icon_emoji"], a["icon_url"]
	if m.username == "" {
		m.username = s.ws.BotName
	}
	return nil
}

// place puts m into the thread that thread_ts names. A reply's ts misplaces it (D: chat.postMessage).
// One that names nothing, or a deleted message, leaves it outside of any thread (L:
// PostMessageWithResponseContext), unless the quirk refuses it.
func (s *Server) place(c *conversation, m *message, a args) *refusal {
	ts := a["thread_ts"]
	if ts == "" {
		return nil
	}
	if _, ok := parseTS(ts); !ok { // D: invalid_arguments
		return refuse("invalid_arguments", "invalid thread_ts [json-pointer:/thread_ts]")
	}
	root := c.byTS[ts]
	if root == nil || root.deleted {
		if s.quirks.RefuseUnknownThread {
			return refuse("thread_not_found")
		}
		return nil
	}
	if unthreadable(root) { // D: chat.postMessage
		return refuse("cannot_reply_to_message")
	}
	m.threadTS = ts
	if root.root != nil {
		m.misplaced = true
		return nil
	}
	m.root = root
	m.broadcast = a.flag("reply_broadcast")
	if m.broadcast && m.subtype == "" {
		m.subtype = "thread_broadcast"
	}
	return nil
}

// unthreadable tells the lines of Slack's own about joining and leaving (D: conversations.replies).
func unthreadable(m *message) bool {
	return strings.HasSuffix(m.subtype, "_join") || strings.HasSuffix(m.subtype, "_leave")
}

// publish gives m its ts, puts it into c and tells the app.
func (s *Server) publish(c *conversation, m *message) {
	m.ts = s.ids.ts()
	c.add(m)
	if m.root != nil {
		if m.root.threadTS == "" {
			m.root.threadTS = m.root.ts
		}
		m.root.replies = append(m.root.replies, m)
		if m.ours {
			delete(s.statuses, threadKey{c.id, m.root.ts})
		}
	}
	s.emitMessage(c, m)
}

// ownTarget finds a message of the app's that a call wants changed. Unlike a post it wants a real
// conversation id (D: chat.update).
func (s *Server) ownTarget(a args, archived, foreign string) (*conversation, *message, *refusal) {
	c, ref := s.visible(a["channel"])
	if ref != nil {
		return nil, nil, ref
	}
	m := c.byTS[a["ts"]]
	switch {
	case c.archived:
		return nil, nil, refuse(archived)
	case m == nil || m.deleted: // D: ephemerals are not to be found either
		return nil, nil, refuse("message_not_found")
	case !m.ours:
		return nil, nil, refuse(foreign)
	}
	return c, m, nil
}

func updateMessage(s *Server, a args) (reply, *refusal) {
	c, m, ref := s.ownTarget(a, "is_inactive", "cant_update_message") // D: chat.update
	if ref != nil {
		return nil, ref
	}
	if m.streaming { // P: somebody measured that it is refused; the code is K
		return nil, refuse("streaming_state_conflict")
	}
	unset := a["metadata"] == "{}" // D: an empty object takes metadata away
	if unset {
		delete(a, "metadata")
	}
	d, ref := s.readDraft(a)
	if ref != nil {
		return nil, ref
	}
	if !d.gaveText && !d.gaveBlocks && d.attachments == nil || d.gaveText && d.empty() { // D
		return nil, refuse("no_text")
	}
	if s.quirks.BlockMismatch && len(d.blocks) > 0 && hasRichText(m.blocks) && !hasRichText(d.blocks) { // D
		return nil, refuse("block_mismatch")
	}
	before := m.clone()
	if d.gaveText {
		m.text = d.text
	}
	if d.gaveText || d.gaveBlocks { // D: text without blocks drops them; without text they stay
		m.blocks = d.blocks
	}
	if d.attachments != nil || d.gaveText {
		m.attachments = d.attachments
	}
	if d.metadata != nil || unset {
		m.metadata = d.metadata
	}
	if s.quirks.UpdateDropsPersona && m.subtype == "bot_message" {
		m.subtype, m.user, m.username, m.iconEmoji, m.iconURL = "", s.ws.BotUserID, "", "", ""
	}
	if len(d.blocks) == 0 { // D: an update with blocks does not show as edited
		m.edited = &edit{user: s.ws.BotUserID, ts: s.ids.ts()}
	}
	s.emitChanged(c, m, before)
	return reply{"channel": c.id, "ts": m.ts, "text": m.text, "message": s.wire(m, true)}, nil
}

func hasRichText(blocks []block) bool {
	return slices.ContainsFunc(blocks, func(b block) bool { return str(b, "type") == "rich_text" })
}

func deleteMessage(s *Server, a args) (reply, *refusal) {
	c, m, ref := s.ownTarget(a, "is_archived", "cant_delete_message") // D: chat.delete
	if ref == nil && s.quirks.PersonaUndeletable && m.subtype == "bot_message" {
		ref = refuse("cant_delete_message")
	}
	if ref != nil {
		return nil, ref
	}
	s.remove(c, m)
	return reply{"channel": c.id, "ts": m.ts}, nil
}

func (s *Server) remove(c *conversation, m *message) {
	before := m.clone()
	m.deleted = true
	c.deleted++
	if m.root != nil {
		m.root.replies = slices.DeleteFunc(m.root.replies, func(r *message) bool { return r == m })
	}
	s.emitDeleted(c, before)
}

func postEphemeral(s *Server, a args) (reply, *refusal) {
	c, ref := s.postable(a["channel"])
	if ref != nil {
		return nil, ref
	}
	if !c.has(a["user"]) { // D
		return nil, refuse("user_not_in_channel")
	}
	d, ref := s.readDraft(a)
	if ref != nil {
		return nil, ref
	}
	if d.empty() { // D
		return nil, refuse("no_text")
	}
	m := s.ownMessage(d)
	if ref := s.persona(m, a); ref != nil {
		return nil, ref
	}
	if ref := s.place(c, m, a); ref != nil {
		return nil, ref
	}
	s.whisper(c, m, a["user"])
	return reply{"message_ts": m.ts}, nil
}

// whisper shows m to one person. It is in no history and makes no event.
func (s *Server) whisper(c *conversation, m *message, user string) {
	m.ts, m.ephemeralTo, m.root = s.ids.ts(), user, nil
	c.ephemerals = append(c.ephemerals, m)
}
