package discord

import (
	"cmp"
	"net/url"
	"strings"
	"time"
)

// webhook belongs to a channel and serves its threads too (D: resources/webhook).
type webhook struct {
	id, token, name string
	channel         *channel
	app             string // of the app that made it; empty if a person did
	deleted         bool
}

func webhookRoutes() []route {
	const hook, with = "/webhooks/{webhook}", "/webhooks/{webhook}/{token}"
	return []route{
		{pattern: RouteNewWebhook, do: createWebhook},
		{pattern: "GET /channels/{channel}/webhooks", do: channelWebhooks},
		{pattern: "GET /guilds/{guild}/webhooks", do: guildWebhooks},
		{pattern: "GET " + hook, do: getWebhook},
		{pattern: "GET " + with, do: getWebhook, open: true},
		{pattern: "PATCH " + hook, do: modifyWebhook},
		{pattern: "DELETE " + hook, do: deleteWebhook},
		{pattern: "DELETE " + with, do: deleteWebhook, open: true},
		{pattern: RouteWebhook, do: execute, open: true, limit: hooking},
		{pattern: "GET " + with + "/messages/{message}", do: getHookMessage, open: true, limit: hooking},
		{pattern: "PATCH " + with + "/messages/{message}", do: editHookMessage, open: true, limit: hooking},
		{pattern: "DELETE " + with + "/messages/{message}", do: deleteHookMessage, open: true, limit: hooking},
	}
}

// checkHookName: 1 to 80 characters, neither "clyde" nor "discord" in it, and the nickname rules, of which
// trimming is done (D: resources/webhook, create webhook; resources/user, usernames and nicknames). That the
// username of a single message obeys it too is K.
func checkHookName(field, name string) *refusal {
	name = trimmed(name)
	if n := chars(name); n < 1 || n > 80 {
		return badLength(field, 1, 80)
	}
	for _, word := range []string{"clyde", "discord"} {
		if strings.Contains(strings.ToLower(name), word) {
			return invalid(field, "USERNAME_INVALID_CONTAINS", "Username cannot contain %q", word)
		}
	}
	return nil
}

func (h *webhook) object() object {
	o := object{
		"id": h.id, "type": 1, "guild_id": h.channel.guildID(), "channel_id": h.channel.id, "name": h.name, "avatar": nil,
		"token": h.token, "application_id": nil, "url": "https://discord.com/api/webhooks/" + h.id + "/" + h.token,
	}
	if h.app != "" {
		o["application_id"] = h.app
	}
	return o
}

func createWebhook(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, ManageWebhooks)
	if bad != nil {
		return nil, bad
	}
	var in struct {
		Name string `json:"name"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	if ch.kind != Text && ch.kind != Announcement && ch.kind != Forum { // threads and DMs have none
		return nil, refuse(50024)
	}
	if bad := checkHookName("name", in.Name); bad != nil {
		return nil, bad
	}
	if len(s.hooksOf(ch)) >= 15 {
		return nil, refuse(30007)
	}
	h := s.addHook(ch, trimmed(in.Name), s.bot.ID)
	s.emitAbout("WEBHOOKS_UPDATE", ch, IntentGuildWebhooks, object{})
	return h.object(), nil
}

func (s *Server) addHook(ch *channel, name, app string) *webhook {
	h := &webhook{id: s.newID(), name: name, channel: ch, app: app}
	h.token = "hook-token-" + h.id
	s.webhooks[h.id] = h
	s.hookOrder = append(s.hookOrder, h.id)
	return h
}

func (s *Server) hooksOf(ch *channel) []*webhook {
	var out []*webhook
	for _, id := range s.hookOrder {
		if h := s.webhooks[id]; h.channel == ch && !h.deleted {
			out = append(out, h)
		}
	}
	return out
}

// hookObjects shows webhooks to the bot: the token only of its own (K).
func (s *Server) hookObjects(all []*webhook) []object {
	out := []object{}
	for _, h := range all {
		o := h.object()
		if h.app != s.bot.ID {
			delete(o, "token")
			delete(o, "url")
		}
		out = append(out, o)
	}
	return out
}

func channelWebhooks(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, ManageWebhooks)
	if bad != nil {
		return nil, bad
	}
	return s.hookObjects(s.hooksOf(ch)), nil
}

func guildWebhooks(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, ManageWebhooks)
	if bad != nil {
		return nil, bad
	}
	var all []*webhook
	for _, ch := range s.channelsOf(g) {
		all = append(all, s.hooksOf(ch)...)
	}
	return s.hookObjects(all), nil
}

// hook finds the webhook of a call: 10015 if it is gone, 50027 with a wrong token (D: opcodes).
func (s *Server) hook(c *call) (*webhook, *refusal) {
	h := s.webhooks[c.path("webhook")]
	switch {
	case h == nil || h.deleted || s.channels[h.channel.id] == nil:
		return nil, refuse(10015)
	case c.path("token") != "" && c.path("token") != h.token:
		return nil, refuse(50027)
	case c.path("token") == "":
		return h, s.may(h.channel, ManageWebhooks)
	}
	return h, nil
}

func getWebhook(s *Server, c *call) (any, *refusal) {
	h, bad := s.hook(c)
	if bad != nil {
		return nil, bad
	}
	return h.object(), nil
}

func modifyWebhook(s *Server, c *call) (any, *refusal) {
	h, bad := s.hook(c)
	if bad != nil {
		return nil, bad
	}
	var in struct {
		Name      *string `json:"name"`
		ChannelID string  `json:"channel_id"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	if in.Name != nil {
		if bad := checkHookName("name", *in.Name); bad != nil {
			return nil, bad
		}
		h.name = trimmed(*in.Name)
	}
	if to := s.channels[in.ChannelID]; to != nil {
		h.channel = to
	}
	return h.object(), nil
}

func deleteWebhook(s *Server, c *call) (any, *refusal) {
	h, bad := s.hook(c)
	if bad != nil {
		return nil, bad
	}
	h.deleted = true
	s.emitAbout("WEBHOOKS_UPDATE", h.channel, IntentGuildWebhooks, object{})
	return nil, nil
}

// execute posts under any name (D: resources/webhook, execute webhook). Without wait=true the answer is 204.
func execute(s *Server, c *call) (any, *refusal) {
	if i := s.followed(c); i != nil {
		return followUp(s, c, i)
	}
	h, bad := s.hook(c)
	if bad != nil {
		return nil, bad
	}
	d, bad := c.read()
	if bad != nil {
		return nil, bad
	}
	if d.Username != nil && *d.Username != "" {
		if bad := checkHookName("username", *d.Username); bad != nil {
			return nil, bad
		}
	}
	m := &message{author: h.id, hook: h, flags: d.Flags & (flagSuppress | flagSilent | flagComponentsV2), tts: d.TTS, persona: h.name}
	if d.Username != nil {
		m.persona = cmp.Or(trimmed(*d.Username), h.name)
	}
	if d.AvatarURL != nil {
		if u, err := url.Parse(*d.AvatarURL); err != nil || *d.AvatarURL != "" && u.Scheme != "http" && u.Scheme != "https" {
			return nil, invalid("avatar_url", "URL_TYPE_INVALID_SCHEME", "Scheme must be one of ('http', 'https').")
		}
		m.avatar = *d.AvatarURL
	}
	if m.channel, bad = s.hookPlace(h, c.query.Get("thread_id"), d); bad != nil {
		return nil, bad
	}
	if bad := s.compose(m, d, c); bad != nil {
		return nil, bad
	}
	if d.ThreadName != "" {
		m.channel = s.openThread(m.channel, d.ThreadName, h.id, PublicThread, 1440)
	}
	s.resolveMentions(m, d.AllowedMentions, onlyUsers, s.permissions(s.bot.ID, m.channel)|MentionEveryone)
	s.post(m)
	if c.query.Get("wait") != "true" {
		return nil, nil
	}
	return s.messageObject(m), nil
}

// hookPlace is the channel or thread where a webhook's message belongs.
func (s *Server) hookPlace(h *webhook, thread string, d *draft) (*channel, *refusal) {
	forum := h.channel.kind == Forum
	switch {
	case thread != "" && d.ThreadName != "":
		return nil, refuse(220002)
	case d.ThreadName != "" && !forum:
		return nil, refuse(220003)
	case d.ThreadName != "" && chars(d.ThreadName) > 100:
		return nil, badLength("thread_name", 1, 100)
	case thread == "" && d.ThreadName == "" && forum:
		return nil, refuse(220001)
	case thread == "":
		return h.channel, nil
	}
	t := s.channels[thread]
	switch {
	case t == nil || !t.isThread() || t.parent != h.channel.id:
		return nil, refuse(10003)
	case t.thread.locked: // D: topics/threads, locked threads need MANAGE_THREADS; for webhooks K
		return nil, refuse(160005)
	}
	return t, nil
}

func (s *Server) hookMessage(c *call) (*message, *refusal) {
	h, bad := s.hook(c)
	if bad != nil {
		return nil, bad
	}
	place := h.channel
	if t := c.query.Get("thread_id"); t != "" {
		if place = s.channels[t]; place == nil || place.parent != h.channel.id {
			return nil, refuse(10003)
		}
	}
	m, bad := place.live(c.path("message"))
	if bad != nil || m.hook != h { // a message in a thread is found only with thread_id
		return nil, refuse(10008)
	}
	return m, nil
}

func getHookMessage(s *Server, c *call) (any, *refusal) {
	if i := s.followed(c); i != nil {
		return getAnswer(s, c, i)
	}
	m, bad := s.hookMessage(c)
	if bad != nil {
		return nil, bad
	}
	return s.messageObject(m), nil
}

func editHookMessage(s *Server, c *call) (any, *refusal) {
	if i := s.followed(c); i != nil {
		return editAnswer(s, c, i)
	}
	m, bad := s.hookMessage(c)
	if bad == nil {
		bad = s.editable(m.channel)
	}
	if bad == nil {
		bad = s.change(m, c, onlyUsers)
	}
	if bad != nil {
		return nil, bad
	}
	return s.messageObject(m), nil
}

func deleteHookMessage(s *Server, c *call) (any, *refusal) {
	if i := s.followed(c); i != nil {
		return deleteAnswer(s, c, i)
	}
	m, bad := s.hookMessage(c)
	if bad != nil {
		return nil, bad
	}
	s.remove(m)
	return nil, nil
}

// Webhook is what there is to know of one.
type Webhook struct {
	ID, Name, Channel string // Channel is an id
	Ours              bool   // the app made it
}

// Webhooks are those of a channel, by id or name; all of them if channel is empty.
func (s *Server) Webhooks(channel string) []Webhook {
	s.mu.Lock()
	defer s.mu.Unlock()
	only := s.find(channel)
	var out []Webhook
	for _, id := range s.hookOrder {
		if h := s.webhooks[id]; !h.deleted && (channel == "" || h.channel == only) {
			out = append(out, Webhook{h.id, h.name, h.channel.id, h.app == s.bot.ID})
		}
	}
	return out
}

// DeleteWebhooks deletes every webhook of a channel, as its admin may.
func (s *Server) DeleteWebhooks(channel string) {
	s.lock()
	defer s.unlock()
	if ch := s.find(channel); ch != nil {
		for _, h := range s.hooksOf(ch) {
			h.deleted = true
		}
		s.emitAbout("WEBHOOKS_UPDATE", ch, IntentGuildWebhooks, object{})
	}
}

// WebhookSays posts by a webhook that is not the app's, such as that of another bridge; the webhook is made
// at the first time.
func (s *Server) WebhookSays(channel, name, text string) (string, error) {
	s.lock()
	defer s.unlock()
	ch, err := s.place(channel)
	if err != nil {
		return "", err
	}
	var h *webhook
	for _, x := range s.hooksOf(ch) {
		if x.app == "" && x.name == name {
			h = x
		}
	}
	if h == nil {
		h = s.addHook(ch, name, "")
	}
	m := &message{channel: ch, author: h.id, hook: h, persona: name, content: text, created: time.Now()}
	s.resolveMentions(m, nil, onlyUsers, Talk)
	s.post(m)
	return m.id, nil
}
