package slack

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// emit wraps an event as the Events API does and starts its delivery.
func (s *Server) emit(inner map[string]any) string {
	if inner["event_ts"] == nil {
		inner["event_ts"] = s.ids.ts()
	}
	id := s.ids.next("Ev")
	kind, _ := inner["type"].(string)
	payload := encode(map[string]any{
		"token": "sim", "team_id": s.ws.TeamID, "context_team_id": s.ws.TeamID, "context_enterprise_id": nil,
		"api_app_id": s.ws.AppID, "event": inner, "type": "event_callback",
		"event_id": id, "event_time": time.Now().Unix(), "event_context": "4-" + id,
		"is_ext_shared_channel": s.isShared(inner),
		"authorizations": []map[string]any{{
			"enterprise_id": nil, "team_id": s.ws.TeamID, "user_id": s.ws.BotUserID,
			"is_bot": true, "is_enterprise_install": false,
		}},
	})
	s.deliver(&delivery{Delivery: Delivery{EventID: id, Type: typeEvents, Event: kind}, payload: payload, retries: true})
	return id
}

func (s *Server) isShared(inner map[string]any) bool {
	id, _ := inner["channel"].(string)
	c := s.conversations[id]
	return c != nil && c.shared
}

// hears tells whether the bot gets message events of c: it is in it, and has the scope.
func (s *Server) hears(c *conversation) bool {
	return c.has(s.ws.BotUserID) && s.scopes[c.kind.scopePrefix()+":history"]
}

// emitMessage sends the events of a new message: message, and app_mention where it mentions the bot.
func (s *Server) emitMessage(c *conversation, m *message) {
	if !s.hears(c) {
		return
	}
	plain := func() { s.emit(s.messageEvent(c, m)) }
	spoken := m.subtype == "" || m.subtype == "thread_broadcast" // not a line of Slack's own
	mention := func() {}
	if spoken && !m.ours && s.mentionsBot(m.text) {
		mention = func() { s.emitMention(c, m) }
	}
	if s.quirks.MentionFirst {
		mention()
		plain()
	} else {
		plain()
		mention()
	}
	s.emitUnfurl(c, m)
}

func (s *Server) messageEvent(c *conversation, m *message) map[string]any {
	e := s.wire(m, false)
	e["channel"], e["channel_type"], e["event_ts"] = c.id, string(c.kind), m.ts
	s.foreign(m, e)
	return e
}

// foreign marks the author as one of another workspace (L: slackevents.MessageEvent).
func (s *Server) foreign(m *message, e map[string]any) {
	if m.team != "" && m.team != s.ws.TeamID {
		e["user_team"], e["source_team"] = m.team, m.team
	}
}

// emitMention sends app_mention, which never fires in DMs (D: app_mention) and needs its own scope.
func (s *Server) emitMention(c *conversation, m *message) {
	if c.direct() || !s.scopes["app_mentions:read"] {
		return
	}
	e := map[string]any{
		"type": "app_mention", "user": m.user, "ts": m.ts, "text": m.text, "team": m.team,
		"channel": c.id, "event_ts": m.ts,
	}
	if m.clientMsgID != "" {
		e["client_msg_id"] = m.clientMsgID
	}
	if m.threadTS != "" {
		e["thread_ts"] = m.threadTS
	}
	if len(m.blocks) > 0 {
		e["blocks"] = m.blocks
	}
	if m.botID != "" {
		e["bot_id"] = m.botID
	}
	if m.edited != nil {
		e["edited"] = map[string]any{"user": m.edited.user, "ts": m.edited.ts}
		e["event_ts"] = m.edited.ts
	}
	s.foreign(m, e)
	s.emit(e)
}

func (s *Server) mentionsBot(text string) bool {
	return strings.Contains(text, "<@"+s.ws.BotUserID+">") || strings.Contains(text, "<@"+s.ws.BotUserID+"|")
}

// emitChanged sends message_changed, and app_mention if only the edit mentions the bot (L:
// slackevents.AppMentionEvent.Edited).
func (s *Server) emitChanged(c *conversation, m, before *message) {
	if !s.hears(c) {
		return
	}
	ts := s.ids.ts()
	s.emit(map[string]any{
		"type": "message", "subtype": "message_changed", "hidden": true,
		"message": s.wire(m, false), "previous_message": s.wire(before, false),
		"channel": c.id, "channel_type": string(c.kind), "ts": ts, "event_ts": ts,
	})
	if !m.ours && m.edited != nil && s.mentionsBot(m.text) && !s.mentionsBot(before.text) {
		s.emitMention(c, m)
	}
}

func (s *Server) emitDeleted(c *conversation, before *message) {
	if !s.hears(c) {
		return
	}
	ts := s.ids.ts()
	s.emit(map[string]any{
		"type": "message", "subtype": "message_deleted", "hidden": true, "deleted_ts": before.ts,
		"previous_message": s.wire(before, false),
		"channel":          c.id, "channel_type": string(c.kind), "ts": ts, "event_ts": ts,
	})
}

var linkPattern = regexp.MustCompile(`<(https?://[^>|]+)(\|[^>]*)?>`)

// emitUnfurl gives a message the preview of its first link, if previews are on and, for the app's own
// posts, asked for (D: chat.postMessage, unfurl_links).
func (s *Server) emitUnfurl(c *conversation, m *message) {
	if !s.quirks.Unfurl || (m.ours && !m.unfurlLinks) {
		return
	}
	if link := linkPattern.FindStringSubmatch(m.text); link != nil {
		s.unfurl(c, m, link[1])
	}
}

func (s *Server) unfurl(c *conversation, m *message, url string) {
	before := m.clone()
	m.attachments = append(slices.Clone(m.attachments), map[string]any{
		"id": len(m.attachments) + 1, "from_url": url, "original_url": url, "service_name": "Sim",
		"title": url, "fallback": url, "title_link": url,
	})
	s.emitChanged(c, m, before)
}

func (s *Server) emitReaction(c *conversation, m *message, user, name string, added bool) {
	if !c.has(s.ws.BotUserID) || !s.scopes["reactions:read"] {
		return
	}
	kind := "reaction_added"
	if !added {
		kind = "reaction_removed"
	}
	author := m.user
	if author == "" {
		author = s.ws.BotUserID
	}
	s.emit(map[string]any{
		"type": kind, "user": user, "reaction": name, "item_user": author,
		"item": map[string]any{"type": "message", "channel": c.id, "ts": m.ts},
	})
}

// groupEvent is the name of a channel event, which differs for private channels.
func groupEvent(c *conversation, name string) string {
	if c.kind == kindGroup {
		return "group_" + name
	}
	return "channel_" + name
}
