package slack

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// message is one message as Slack keeps it. Guarded by Server.mu.
type message struct {
	ts       string
	threadTS string // of the root; a root that has replies carries its own
	subtype  string
	user     string // empty in a post of ours under another name
	team     string
	ours     bool // posted by the app under test

	clientMsgID string
	username    string
	iconEmoji   string
	iconURL     string
	botID       string
	appID       string

	text        string // as on the wire: escaped, mentions as <@U…>
	blocks      []block
	attachments []any
	files       []*File
	metadata    json.RawMessage
	edited      *edit
	reactions   []reaction
	root        *message   // of a reply
	replies     []*message // of a root, deleted ones taken out

	broadcast   bool // a reply that is also shown in the channel
	misplaced   bool // its thread_ts was a reply's, so no client shows it in the thread it was meant for
	deleted     bool
	streaming   bool // it grows
	unfurlLinks bool
	ephemeralTo string
}

type edit struct{ user, ts string }

type reaction struct {
	name  string
	users []string
}

// block is one Block Kit block, as sent.
type block = map[string]any

// inChannel tells whether the channel itself, and not only a thread, shows m.
func (m *message) inChannel() bool {
	return m.threadTS == "" || m.threadTS == m.ts || m.broadcast
}

// visible tells whether history lists m: deleted messages go, save for a root that still has
// replies, of which a tombstone stays (P: as seen in history).
func (m *message) visible() bool { return !m.deleted || len(m.replies) > 0 }

// clone is m as it is now, for previous_message.
func (m *message) clone() *message {
	c := *m
	c.reactions = slices.Clone(m.reactions)
	c.replies = slices.Clone(m.replies)
	return &c
}

// wire is the message object that the Web API and events carry.
func (s *Server) wire(m *message, withMetadata bool) map[string]any {
	if m.deleted {
		return map[string]any{
			"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "hidden": true,
			"text": "This message was deleted.", "ts": m.ts, "thread_ts": m.ts, "reply_count": len(m.replies),
		}
	}
	w := map[string]any{"type": "message", "text": m.text, "ts": m.ts}
	set := func(key, value string) {
		if value != "" {
			w[key] = value
		}
	}
	set("subtype", m.subtype)
	set("user", m.user)
	set("team", m.team)
	set("client_msg_id", m.clientMsgID)
	set("thread_ts", m.threadTS)
	set("username", m.username)
	set("bot_id", m.botID)
	set("app_id", m.appID)
	s.wireBot(m, w)
	if len(m.blocks) > 0 {
		w["blocks"] = m.blocks
	}
	if len(m.files) > 0 {
		var files []any
		for _, f := range m.files {
			files = append(files, s.fileObject(f))
		}
		w["files"] = files
	}
	if len(m.attachments) > 0 {
		w["attachments"] = m.attachments
	}
	if m.edited != nil {
		w["edited"] = map[string]any{"user": m.edited.user, "ts": m.edited.ts}
	}
	if withMetadata && m.metadata != nil {
		w["metadata"] = m.metadata
	}
	wireReactions(m, w)
	wireThread(m, w)
	return w
}

func (s *Server) wireBot(m *message, w map[string]any) {
	icons := map[string]any{}
	switch {
	case m.iconEmoji != "": // D: chat.postMessage; the emoji wins over the URL
		icons["emoji"] = m.iconEmoji
	case m.iconURL != "":
		icons["image_48"] = m.iconURL
	}
	if len(icons) > 0 {
		w["icons"] = icons
	}
	if m.ours && m.subtype == "" {
		w["bot_profile"] = map[string]any{
			"id": s.ws.BotID, "app_id": s.ws.AppID, "name": s.ws.BotName, "team_id": s.ws.TeamID, "deleted": false,
		}
	}
}

func wireReactions(m *message, w map[string]any) {
	if len(m.reactions) == 0 {
		return
	}
	list := make([]map[string]any, len(m.reactions))
	for i, r := range m.reactions {
		list[i] = map[string]any{"name": r.name, "users": slices.Clone(r.users), "count": len(r.users)}
	}
	w["reactions"] = list
}

func wireThread(m *message, w map[string]any) {
	if m.root != nil {
		if m.root.user != "" {
			w["parent_user_id"] = m.root.user
		}
		if m.broadcast {
			w["root"] = map[string]any{"ts": m.root.ts, "thread_ts": m.root.ts, "type": "message", "user": m.root.user, "text": m.root.text}
		}
		return
	}
	if len(m.replies) == 0 {
		return
	}
	var users []string
	for _, r := range m.replies {
		if author := r.user; author != "" && !slices.Contains(users, author) {
			users = append(users, author)
		}
	}
	w["thread_ts"] = m.ts
	w["reply_count"] = len(m.replies)
	w["reply_users"] = users
	w["reply_users_count"] = len(users)
	w["latest_reply"] = m.replies[len(m.replies)-1].ts
	w["is_locked"] = false
	w["subscribed"] = true
}

// normalise gives every block and every interactive element the id that Slack makes up where the
// sender gave none (D: Block Kit), so that a click can name them.
func normalise(blocks []block) {
	for i, b := range blocks {
		if id, _ := b["block_id"].(string); id == "" {
			b["block_id"] = "b" + strconv.Itoa(i)
		}
		elements := list(b["elements"])
		for _, key := range []string{"accessory", "element"} {
			if el, ok := b[key].(map[string]any); ok {
				elements = append(slices.Clone(elements), el)
			}
		}
		for j, e := range elements {
			if el, ok := e.(map[string]any); ok && interactive(el) && str(el, "action_id") == "" {
				el["action_id"] = "a" + strconv.Itoa(j)
			}
		}
	}
}

func interactive(el map[string]any) bool {
	t := str(el, "type")
	return t == "button" || strings.HasSuffix(t, "_select") || t == "overflow" || t == "checkboxes" || t == "radio_buttons" || t == "datepicker" || t == "timepicker" || t == "plain_text_input"
}

func str(m map[string]any, key string) string {
	v, _ := m[key].(string)
	return v
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
