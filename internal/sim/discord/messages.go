package discord

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

func messageRoutes() []route {
	const one = "/channels/{channel}/messages/{message}"
	return []route{
		{pattern: RouteSend, do: createMessage, limit: messaging},
		{pattern: RouteHistory, do: listMessages, limit: messaging},
		{pattern: "GET " + one, do: getMessage},
		{pattern: RouteEdit, do: editMessage, limit: messaging},
		{pattern: RouteDelete, do: deleteMessage, limit: messaging},
		{pattern: RouteTyping, do: typing, limit: messaging},
		{pattern: RouteReact, do: addReaction, limit: reacting},
		{pattern: "DELETE " + one + "/reactions/{emoji}/@me", do: removeReaction, limit: reacting},
		{pattern: "GET " + one + "/reactions/{emoji}", do: listReactions},
		{pattern: "DELETE " + one + "/reactions", do: clearReactions, limit: reacting},
	}
}

// inChannel finds the channel of a call and checks the bot's permissions there. What does not exist, and
// what is in a guild that the bot is not in, is 10003 and 50001 (D: opcodes).
func (s *Server) inChannel(c *call, p Permission) (*channel, *refusal) {
	id := c.path("channel")
	if !isID(id) {
		return nil, invalid("channel_id", "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", id)
	}
	ch := s.channels[id]
	if ch == nil {
		return nil, refuse(10003)
	}
	return ch, s.may(ch, p)
}

// liveMessage finds the message of a call in its channel, as inChannel does.
func (s *Server) liveMessage(c *call, p Permission) (*channel, *message, *refusal) {
	ch, bad := s.inChannel(c, p)
	if bad != nil {
		return nil, nil, bad
	}
	m, bad := ch.live(c.path("message"))
	return ch, m, bad
}

// writable refuses where no message can be written: not a text channel, or a locked or archived thread.
func (s *Server) writable(ch *channel) *refusal {
	switch {
	case ch.kind == Forum:
		return refuse(40058)
	case ch.kind == Category:
		return refuse(50008)
	case ch.kind == DM && s.users[ch.recipient].NoDMs:
		return refuse(50007)
	case ch.kind == DM && !s.mutual(ch.recipient):
		return refuse(50278)
	case ch.isThread() && ch.thread.locked && !s.permissions(s.bot.ID, ch).has(ManageThreads):
		return refuse(160005) // D: topics/threads, locked
	}
	if ch.isThread() {
		return s.may(ch, SendInThreads)
	}
	if ch.guild != nil {
		return s.may(ch, SendMessages)
	}
	return nil
}

func createMessage(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad == nil {
		bad = s.writable(ch)
	}
	if bad != nil {
		return nil, bad
	}
	d, bad := c.read()
	if bad != nil {
		return nil, bad
	}
	nonce, bad := d.nonce()
	if bad != nil {
		return nil, bad
	}
	if known := s.nonces[nonce]; d.EnforceNonce && known.message != nil && time.Now().Before(known.until) {
		// D: resources/message, enforce_nonce: of the same author. No channel is named there, so here the
		// message may be one of another channel.
		return s.messageObject(known.message), nil
	}
	m := &message{channel: ch, author: s.bot.ID, tts: d.TTS, flags: d.Flags & (flagSuppress | flagSilent | flagComponentsV2)}
	if bad := s.compose(m, d, c); bad != nil {
		return nil, bad
	}
	if bad := s.refer(m, d.Reference); bad != nil {
		return nil, bad
	}
	s.resolveMentions(m, d.AllowedMentions, everybody, s.permissions(s.bot.ID, ch))
	if d.Nonce != nil && nonce != "" {
		m.nonce = d.Nonce
	}
	s.post(m)
	if d.EnforceNonce && nonce != "" {
		s.nonces[nonce] = seenNonce{m, time.Now().Add(nonceLife)}
	}
	return s.messageObject(m), nil
}

// nonceLife is "the past few minutes" for which a nonce is remembered (D: resources/message, create
// message); the number is K.
const nonceLife = 3 * time.Minute

// nonce is the nonce as text: an integer or a string of up to 25 characters (D: resources/message).
func (d *draft) nonce() (string, *refusal) {
	if len(d.Nonce) == 0 || string(d.Nonce) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(d.Nonce, &text) != nil {
		if _, err := strconv.ParseInt(string(d.Nonce), 10, 64); err != nil {
			return "", invalid("nonce", "BASE_TYPE_BAD_TYPE", "must be an integer or a string")
		}
		text = string(d.Nonce)
	}
	if chars(text) > 25 {
		return "", tooLong("nonce", 25)
	}
	return text, nil
}

// compose fills a message with what a draft says. A message without anything is 50006 (D: opcodes).
func (s *Server) compose(m *message, d *draft, c *call) *refusal {
	m.content, m.embeds, m.components = strings.TrimSpace(d.text()), d.Embeds, d.Components
	if bad := s.attach(m, d, c); bad != nil {
		return bad
	}
	p := s.permissions(s.bot.ID, m.channel)
	if len(c.files) > 0 && m.hook == nil && m.channel.guild != nil && !p.has(AttachFiles) {
		return refuse(50013)
	}
	if m.content == "" && len(m.embeds)+len(m.components)+len(m.attachments)+len(d.Poll)+len(d.StickerIDs) == 0 {
		return refuse(50006)
	}
	if bad := checkUnique(m.components); bad != nil {
		return bad
	}
	return nil
}

// attach takes the uploaded files, and of an edit those attachments that it keeps (D: reference, uploading
// files).
func (s *Server) attach(m *message, d *draft, c *call) *refusal {
	before := m.attachments
	if d.Attachments != nil || len(c.files) > 0 && before == nil {
		m.attachments = nil
	}
	said := map[string]object{}
	for i, a := range d.Attachments {
		id := str(a, "id")
		if n, ok := num(a, "id"); ok && id == "" {
			id = strconv.Itoa(n)
		}
		kept := slices.IndexFunc(before, func(o object) bool { return o["id"] == id })
		if kept >= 0 {
			m.attachments = append(m.attachments, before[kept])
			continue
		}
		if !slices.ContainsFunc(c.files, func(f file) bool { return strconv.Itoa(f.n) == id }) {
			return invalid("attachments."+strconv.Itoa(i), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
		}
		said[id] = a
	}
	if len(m.attachments)+len(c.files) > 10 { // D: resources/message, create message
		return refuse(30015)
	}
	for _, f := range c.files {
		a := said[strconv.Itoa(f.n)]
		name := f.name
		if t := str(a, "filename"); t != "" {
			name = t
		}
		id := s.newID()
		o := object{
			"id": id, "filename": name, "size": len(f.data), "content_type": f.kind,
			"url": s.URL() + "/attachments/" + m.channel.id + "/" + id + "/" + name, "proxy_url": s.URL() + "/attachments/" + m.channel.id + "/" + id + "/" + name,
		}
		if t := str(a, "description"); t != "" {
			o["description"] = t
		}
		s.stored[id] = f.data
		m.attachments = append(m.attachments, o)
	}
	return nil
}

// refer makes the message a reply (D: resources/message, message reference).
func (s *Server) refer(m *message, r *reference) *refusal {
	if r == nil || r.MessageID == "" {
		return nil
	}
	if r.ChannelID != "" && r.ChannelID != m.channel.id {
		return invalid("message_reference", "MESSAGE_REFERENCE_CROSS_CHANNEL", "Cannot reply to a message in a different channel")
	}
	if m.channel.guild != nil && !s.permissions(s.bot.ID, m.channel).has(ReadMessageHistory) {
		return &refusal{status: 403, code: 160002, message: "Cannot reply without permission to read message history"}
	}
	parent, gone := m.channel.live(r.MessageID)
	switch {
	case gone == nil:
		m.replyTo, m.replyID, m.kind = parent, parent.id, kindReply
	case r.Must == nil || *r.Must:
		return invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
	}
	return nil
}

func getMessage(s *Server, c *call) (any, *refusal) {
	_, m, bad := s.liveMessage(c, ReadMessageHistory)
	if bad != nil {
		return nil, bad
	}
	return s.shownObject(m), nil
}

// listMessages is newest first; before, after and around exclude each other (D: resources/message, get
// channel messages). after gives the ones that follow most closely.
func listMessages(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad != nil {
		return nil, bad
	}
	if ch.kind == Category || ch.kind == Forum {
		return nil, refuse(50008)
	}
	out := []object{}
	limit := 50
	if l := c.query.Get("limit"); l != "" {
		n, err := strconv.Atoi(l)
		if err != nil || n < 1 || n > 100 {
			return nil, invalid("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
		}
		limit = n
	}
	for _, key := range []string{"before", "after", "around"} {
		if v := c.query.Get(key); v != "" && !isID(v) {
			return nil, invalid(key, "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", v)
		}
	}
	if ch.guild != nil && !s.permissions(s.bot.ID, ch).has(ReadMessageHistory) {
		return out, nil // D: resources/message, get channel messages: without the permission, none
	}
	for _, m := range ch.page(c.query.Get("before"), c.query.Get("after"), c.query.Get("around"), limit) {
		out = append(out, s.shownObject(m))
	}
	return out, nil
}

func (c *channel) page(before, after, around string, limit int) []*message {
	var all []*message
	for _, m := range c.messages {
		if !m.deleted && m.onlyFor == "" {
			all = append(all, m)
		}
	}
	where := func(id string) int { // the first that is not older than id
		return len(all) - len(slices.DeleteFunc(slices.Clone(all), func(m *message) bool { return newer(id, m.id) }))
	}
	switch {
	case around != "":
		at := where(around)
		all = all[max(0, at-limit/2):min(len(all), at+(limit+1)/2)]
	case after != "":
		at := where(after)
		if at < len(all) && all[at].id == after {
			at++
		}
		all = all[at:min(len(all), at+limit)]
	default:
		if before != "" {
			all = all[:where(before)]
		}
		all = all[max(0, len(all)-limit):]
	}
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

func deleteMessage(s *Server, c *call) (any, *refusal) {
	ch, m, bad := s.liveMessage(c, 0)
	switch {
	case bad != nil:
		return nil, bad
	case m.author != s.bot.ID && ch.kind == DM:
		return nil, refuse(50003)
	case m.author != s.bot.ID:
		if bad := s.may(ch, ManageMessages); bad != nil {
			return nil, bad
		}
	}
	s.remove(m)
	return nil, nil
}

func typing(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad == nil {
		bad = s.writable(ch)
	}
	if bad != nil {
		return nil, bad
	}
	s.typings = append(s.typings, Typing{time.Now(), ch.id})
	return nil, nil
}
