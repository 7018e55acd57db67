package discord

import (
	"slices"
	"strings"
	"time"
)

// editMessage changes a message of the bot's own (D: resources/message, edit message).
func editMessage(s *Server, c *call) (any, *refusal) {
	ch, m, bad := s.liveMessage(c, 0)
	switch {
	case bad != nil:
		return nil, bad
	case m.author != s.bot.ID:
		return nil, refuse(50005)
	}
	if bad := s.editable(ch); bad != nil {
		return nil, bad
	}
	if bad := s.oldEdit(m); bad != nil {
		return nil, bad
	}
	if bad := s.change(m, c, everybody); bad != nil {
		return nil, bad
	}
	return s.messageObject(m), nil
}

// editable refuses in an archived thread (D: topics/threads, archiving: 50083).
func (s *Server) editable(ch *channel) *refusal {
	if ch.isThread() && ch.thread.archived {
		return refuse(50083)
	}
	return nil
}

// maxOldEdits is how many edits messages older than an hour take in an hour. The code is D (opcodes,
// 30046), the number K.
const maxOldEdits = 30

func (s *Server) oldEdit(m *message) *refusal {
	if time.Since(m.created) < time.Hour {
		return nil
	}
	s.oldEdits = append(recent(s.oldEdits, time.Now().Add(-time.Hour)), time.Now())
	if s.rateLimits && len(s.oldEdits) > maxOldEdits {
		return refuse(30046)
	}
	return nil
}

// change edits a message: only what the call has, and mentions anew if it has content. Nobody is notified
// by an edit (K).
func (s *Server) change(m *message, c *call, byDefault mentionDefault) *refusal {
	d, bad := c.read()
	if bad != nil {
		return bad
	}
	after := *m
	if c.has("content") {
		after.content = strings.TrimSpace(d.text())
	}
	if c.has("embeds") {
		after.embeds = d.Embeds
	}
	if c.has("components") {
		after.components = d.Components
	}
	if c.has("flags") {
		after.flags = m.flags&^flagSuppress | d.Flags&(flagSuppress|flagComponentsV2)
	}
	if bad := s.attach(&after, d, c); bad != nil {
		return bad
	}
	if after.content == "" && len(after.embeds)+len(after.components)+len(after.attachments) == 0 {
		return refuse(50006)
	}
	if bad := checkUnique(after.components); bad != nil {
		return bad
	}
	if c.has("content") {
		s.resolveMentions(&after, d.AllowedMentions, byDefault, s.permissions(s.bot.ID, m.channel))
		after.pings = m.pings
	}
	*m = after
	s.edited(m)
	return nil
}

func addReaction(s *Server, c *call) (any, *refusal) {
	return s.react(c, func(ch *channel, m *message, emoji string) *refusal {
		if !slices.ContainsFunc(m.reactions, func(r *reaction) bool { return r.emoji == emoji }) {
			// D: resources/message, create reaction: ADD_REACTIONS only for an emoji that nobody used yet.
			if bad := s.may(ch, AddReactions); bad != nil {
				return bad
			}
			if len(m.reactions) >= 20 {
				return refuse(30010)
			}
		}
		s.addReaction(m, s.bot.ID, emoji)
		return nil
	})
}

func removeReaction(s *Server, c *call) (any, *refusal) {
	return s.react(c, func(_ *channel, m *message, emoji string) *refusal {
		s.dropReaction(m, s.bot.ID, emoji)
		return nil
	})
}

func clearReactions(s *Server, c *call) (any, *refusal) {
	ch, m, bad := s.liveMessage(c, ManageMessages)
	if bad != nil {
		return nil, bad
	}
	m.reactions = nil
	s.emitAbout("MESSAGE_REACTION_REMOVE_ALL", ch, reactionIntent(ch), object{"message_id": m.id})
	return nil, nil
}

func (s *Server) react(c *call, do func(*channel, *message, string) *refusal) (any, *refusal) {
	ch, bad := s.inChannel(c, ReadMessageHistory)
	if bad == nil {
		bad = s.editable(ch)
	}
	if bad != nil {
		return nil, bad
	}
	m, bad := ch.live(c.path("message"))
	if bad != nil {
		return nil, bad
	}
	emoji := c.path("emoji")
	if !isEmoji(emoji) {
		return nil, refuse(10014)
	}
	return nil, do(ch, m, emoji)
}

func listReactions(s *Server, c *call) (any, *refusal) {
	_, m, bad := s.liveMessage(c, ReadMessageHistory)
	if bad != nil {
		return nil, bad
	}
	out := []object{}
	for _, r := range m.reactions {
		if r.emoji == c.path("emoji") {
			for _, u := range r.users {
				out = append(out, userObject(s.users[u]))
			}
		}
	}
	return out, nil
}

// isEmoji says whether text can be an emoji of a reaction: not letters, as those are names of emoji, which
// work only as name:id (D: resources/message, create reaction).
func isEmoji(text string) bool {
	if name, id, ok := strings.Cut(text, ":"); ok {
		return name != "" && isID(id)
	}
	first := []rune(text + "\x00")[0]
	return first > 0x7f || strings.HasSuffix(text, "\u20e3") // keycaps begin with a digit
}

func (s *Server) addReaction(m *message, user, emoji string) {
	i := slices.IndexFunc(m.reactions, func(r *reaction) bool { return r.emoji == emoji })
	if i < 0 {
		i = len(m.reactions)
		m.reactions = append(m.reactions, &reaction{emoji: emoji})
	}
	r := m.reactions[i]
	if slices.Contains(r.users, user) {
		return
	}
	r.users = append(r.users, user)
	d := object{"user_id": user, "message_id": m.id, "emoji": object{"id": nil, "name": emoji}, "message_author_id": m.author, "burst": false, "type": 0}
	if g := m.channel.guild; g != nil && g.members[user] != nil {
		d["member"] = s.memberObject(g, g.members[user])
	}
	s.emitAbout("MESSAGE_REACTION_ADD", m.channel, reactionIntent(m.channel), d)
}

func (s *Server) dropReaction(m *message, user, emoji string) bool {
	i := slices.IndexFunc(m.reactions, func(r *reaction) bool { return r.emoji == emoji && slices.Contains(r.users, user) })
	if i < 0 {
		return false
	}
	r := m.reactions[i]
	r.users = slices.DeleteFunc(r.users, func(u string) bool { return u == user })
	if len(r.users) == 0 {
		m.reactions = slices.Delete(m.reactions, i, i+1)
	}
	s.emitAbout("MESSAGE_REACTION_REMOVE", m.channel, reactionIntent(m.channel), object{
		"user_id": user, "message_id": m.id, "emoji": object{"id": nil, "name": emoji}, "burst": false, "type": 0,
	})
	return true
}
