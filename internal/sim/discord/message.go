package discord

import (
	"encoding/json"
	"slices"
	"time"
)

// Kinds of messages (D: resources/message, message types); 0 is a plain one.
const (
	kindThreadCreated = 18
	kindReply         = 19
	kindCommand       = 20
)

// Flags of messages (D: resources/message, message flags).
const (
	flagSuppress     = 1 << 2
	flagHasThread    = 1 << 5
	flagEphemeral    = 1 << 6
	flagLoading      = 1 << 7
	flagSilent       = 1 << 12
	flagComponentsV2 = 1 << 15
)

// message is one message. author is a user id, or that of the webhook that wrote it.
type message struct {
	id              string
	channel         *channel
	author          string
	hook            *webhook
	persona, avatar string // of a webhook's message
	kind, flags     int
	content         string
	embeds          []object
	components      []object
	attachments     []object
	created, edited time.Time
	replyTo         *message
	replyID         string // set even if the parent is gone
	mentions        []string
	roles           []string
	everyone        bool
	pings           []string // who is notified: user ids, "&role", "everyone"
	reactions       []*reaction
	nonce           any
	tts             bool
	onlyFor         string // of an ephemeral message: the user who sees it
	from            *interaction
	started         *channel // the thread that began at it
	deleted         bool
	alter           func(map[string]any) // what a test wants the API to show instead
}

type reaction struct {
	emoji string
	users []string
}

// seenNonce is a nonce that was used with enforce_nonce.
type seenNonce struct {
	message *message
	until   time.Time
}

func (m *message) mentionsUser(id string) bool { return m.everyone || slices.Contains(m.mentions, id) }

// post puts a new message into its channel and tells everybody.
func (s *Server) post(m *message) { s.postAs(s.newID(), m) }

// postAs is post with an id: the first message of a forum post has that of its thread.
func (s *Server) postAs(id string, m *message) {
	m.id, m.created = id, time.Now()
	c := m.channel
	c.messages = append(c.messages, m)
	c.byID[m.id] = m
	if t := c.thread; t != nil && m.onlyFor == "" {
		t.count++
		if t.archived && !t.locked {
			s.setArchived(c, false, false)
		}
		t.join(m.author)
	}
	if m.onlyFor == "" {
		s.emitMessage("MESSAGE_CREATE", m)
	}
}

// edited is the end of an edit.
func (s *Server) edited(m *message) {
	m.edited = time.Now()
	if m.onlyFor == "" {
		s.emitMessage("MESSAGE_UPDATE", m)
	}
}

func (s *Server) remove(m *message) {
	if !m.deleted {
		m.channel.gone++
	}
	m.deleted = true
	if m.onlyFor == "" {
		s.emitAbout("MESSAGE_DELETE", m.channel, messageIntent(m.channel), object{"id": m.id})
	}
}

// live finds a message that is there and not ephemeral, or refuses.
func (c *channel) live(id string) (*message, *refusal) {
	if m := c.byID[id]; m != nil && !m.deleted && m.onlyFor == "" {
		return m, nil
	}
	return nil, refuse(10008)
}

// messageObject is a message as the API shows it to the bot (D: resources/message, message object).
func (s *Server) messageObject(m *message) object {
	o := object{
		"id": m.id, "channel_id": m.channel.id, "author": s.authorObject(m), "content": m.content, "timestamp": stamp(m.created),
		"edited_timestamp": nil, "tts": m.tts, "mention_everyone": m.everyone, "mention_roles": append([]string{}, m.roles...),
		"attachments": append([]object{}, m.attachments...), "embeds": append([]object{}, m.embeds...), "pinned": false,
		"type": m.kind, "flags": m.flags, "components": append([]object{}, m.components...), "mentions": s.mentionObjects(m),
	}
	if !m.edited.IsZero() {
		o["edited_timestamp"] = stamp(m.edited)
	}
	if m.nonce != nil {
		o["nonce"] = m.nonce
	}
	if m.hook != nil {
		o["webhook_id"] = m.hook.id
		if m.hook.app != "" {
			o["application_id"] = m.hook.app
		}
	}
	if list := reactionObjects(m, s.bot.ID); list != nil {
		o["reactions"] = list
	}
	if m.replyID != "" {
		o["message_reference"] = object{"type": 0, "message_id": m.replyID, "channel_id": m.channel.id, "guild_id": m.channel.guildID()}
		if m.replyTo != nil && !m.replyTo.deleted && m.replyTo != m {
			ref := s.messageObject(m.replyTo)
			delete(ref, "referenced_message")
			o["referenced_message"] = ref
		} else {
			o["referenced_message"] = nil
		}
	}
	if m.started != nil {
		o["thread"] = s.channelObject(m.started)
	}
	if m.from != nil {
		o["application_id"] = s.bot.ID
		o["webhook_id"] = s.bot.ID
		o["interaction_metadata"] = s.metadata(m.from)
	}
	if m.alter != nil {
		m.alter(o)
	}
	return o
}

// shownObject is messageObject, without the content if the app may not see it even by REST.
func (s *Server) shownObject(m *message) object {
	o := s.messageObject(m)
	if s.disallowed&IntentMessageContent != 0 && !s.readable(m) {
		return withoutContent(o)
	}
	return o
}

func (s *Server) authorObject(m *message) object {
	if m.hook != nil {
		var avatar any
		if m.avatar != "" {
			avatar = m.avatar
		}
		return object{
			"id": m.hook.id, "username": m.persona, "discriminator": "0000", "avatar": avatar, "bot": true, "global_name": nil, "public_flags": 0,
		}
	}
	return userObject(s.users[m.author])
}

func (s *Server) mentionObjects(m *message) []object {
	out := []object{}
	for _, id := range m.mentions {
		u := s.users[id]
		if u == nil {
			continue
		}
		o := userObject(u)
		if g := m.channel.guild; g != nil && g.members[id] != nil {
			mem := s.memberObject(g, g.members[id])
			delete(mem, "user")
			o["member"] = mem
		}
		out = append(out, o)
	}
	return out
}

func reactionObjects(m *message, me string) []object {
	var out []object
	for _, r := range m.reactions {
		out = append(out, object{
			"emoji": object{"id": nil, "name": r.emoji}, "count": len(r.users), "me": slices.Contains(r.users, me),
			"count_details": object{"normal": len(r.users), "burst": 0}, "burst_colors": []any{}, "me_burst": false,
		})
	}
	return out
}

// metadata of a message that answers an interaction.
func (s *Server) metadata(i *interaction) object {
	return object{"id": i.id, "type": i.kind, "user": userObject(s.users[i.user]), "authorizing_integration_owners": object{}}
}

// draft is a message as a client sends it.
type draft struct {
	Content         *string         `json:"content"`
	Nonce           json.RawMessage `json:"nonce"`
	EnforceNonce    bool            `json:"enforce_nonce"`
	TTS             bool            `json:"tts"`
	Embeds          []object        `json:"embeds"`
	AllowedMentions *allowed        `json:"allowed_mentions"`
	Reference       *reference      `json:"message_reference"`
	Components      []object        `json:"components"`
	Flags           int             `json:"flags"`
	Attachments     []object        `json:"attachments"`
	Poll            object          `json:"poll"`
	StickerIDs      []string        `json:"sticker_ids"`
	// Of webhooks only:
	Username   *string  `json:"username"`
	AvatarURL  *string  `json:"avatar_url"`
	ThreadName string   `json:"thread_name"`
	Tags       []string `json:"applied_tags"`
}

type reference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id"`
	ChannelID string `json:"channel_id"`
	Must      *bool  `json:"fail_if_not_exists"`
}

// read reads and checks a draft (D: resources/message, create message).
func (c *call) read() (*draft, *refusal) {
	var d draft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	return &d, d.check()
}

func (d *draft) check() *refusal {
	if d.Content != nil && chars(*d.Content) > maxContent {
		return tooLong("content", maxContent)
	}
	if bad := d.AllowedMentions.check(); bad != nil {
		return bad
	}
	if bad := checkEmbeds(d.Embeds); bad != nil {
		return bad
	}
	if d.Flags&flagComponentsV2 != 0 && (d.text() != "" || len(d.Embeds) > 0) {
		// D: components/reference, using components V2: content and embeds do not work with it.
		return invalid("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
			"The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2")
	}
	return checkComponents(d.Components, d.Flags&flagComponentsV2 != 0)
}

func (d *draft) text() string {
	if d.Content == nil {
		return ""
	}
	return *d.Content
}

// maxContent is what a message's content may have (D: resources/message, create message).
const maxContent = 2000
