package slack

import (
	"fmt"
	"slices"
	"strings"
)

// Join makes user a member of a channel, as if invited by inviter (may be empty). The app hears of it
// as member_joined_channel, also of its own joining, and of others' as a message of subtype
// channel_join.
func (s *Server) Join(channel, user, inviter string) error {
	s.lock()
	defer s.unlock()
	c, err := s.channel(channel)
	if err != nil {
		return err
	}
	if s.users[user] == nil || c.has(user) {
		return fmt.Errorf("slack sim: %s cannot join #%s: no such user, or in it already", user, c.name)
	}
	c.members = append(c.members, user)
	if !c.has(s.ws.BotUserID) {
		return nil
	}
	e := s.memberEvent("member_joined_channel", c, user)
	if inviter != "" {
		e["inviter"] = inviter
	}
	s.emit(e)
	s.announce(c, user, "join", "<@"+user+"> has joined the channel")
	return nil
}

// Leave ends a membership, or a kick of the bot does. The app hears of others as
// member_left_channel, and of itself as channel_left or group_left.
func (s *Server) Leave(channel, user string) error {
	s.lock()
	defer s.unlock()
	c, err := s.channel(channel)
	if err != nil {
		return err
	}
	if !c.has(user) {
		return fmt.Errorf("slack sim: %s is not in #%s", user, c.name)
	}
	c.members = slices.DeleteFunc(slices.Clone(c.members), func(m string) bool { return m == user })
	switch {
	case user == s.ws.BotUserID:
		s.emit(map[string]any{"type": groupEvent(c, "left"), "channel": c.id})
	case c.has(s.ws.BotUserID):
		s.emit(s.memberEvent("member_left_channel", c, user))
	}
	return nil
}

func (s *Server) memberEvent(name string, c *conversation, user string) map[string]any {
	letter := "C"
	if c.kind == kindGroup {
		letter = "G"
	}
	return map[string]any{
		"type": name, "user": user, "channel": c.id, "channel_type": letter, "team": s.users[user].TeamID,
	}
}

// Rename gives a channel another name. The app hears channel_rename or group_rename.
func (s *Server) Rename(channel, name, by string) error {
	s.lock()
	defer s.unlock()
	c, err := s.channel(channel)
	if err != nil {
		return err
	}
	name = strings.TrimPrefix(name, "#")
	if name == "" || s.conversationByName(name) != nil {
		return fmt.Errorf("slack sim: #%s cannot be renamed to %q: empty or taken", c.name, name)
	}
	old := c.name
	c.previous, c.name = append(c.previous, old), name
	if c.has(s.ws.BotUserID) {
		s.emit(map[string]any{
			"type":    groupEvent(c, "rename"),
			"channel": map[string]any{"id": c.id, "name": name, "name_normalized": name, "created": c.created, "is_channel": c.kind == kindChannel},
		})
		s.announce(c, by, "name", "has renamed the channel from \""+old+"\" to \""+name+"\"")
	}
	return nil
}

// Archive archives a channel: nothing can be said in it any more. The app hears channel_archive or
// group_archive.
func (s *Server) Archive(channel, by string) error { return s.setArchived(channel, by, true) }

// Unarchive undoes it, with channel_unarchive or group_unarchive.
func (s *Server) Unarchive(channel, by string) error { return s.setArchived(channel, by, false) }

func (s *Server) setArchived(channel, by string, archived bool) error {
	s.lock()
	defer s.unlock()
	c, err := s.channel(channel)
	if err != nil {
		return err
	}
	if c.archived == archived {
		return fmt.Errorf("slack sim: #%s: archived is %t already", c.name, archived)
	}
	name := "archive"
	if !archived {
		name = "unarchive"
	}
	c.archived = archived
	if c.has(s.ws.BotUserID) {
		s.announce(c, by, name, "<@"+by+"> has changed the channel: "+name)
		s.emit(map[string]any{"type": groupEvent(c, name), "channel": c.id, "user": by})
	}
	return nil
}

// announce posts the line that Slack itself writes into a channel, with its own subtype.
func (s *Server) announce(c *conversation, user, what, text string) {
	if user == "" {
		user = "USLACKBOT"
	}
	s.publish(c, &message{user: user, subtype: groupEvent(c, what), text: text})
}

// Unfurl gives a message the preview of url: a message_changed with the same text, more attachments
// and no edit.
func (s *Server) Unfurl(channel, ts, url string) error {
	s.lock()
	defer s.unlock()
	c := s.find(channel)
	if c == nil || c.byTS[ts] == nil {
		return fmt.Errorf("slack sim: no message %s in %s to unfurl", ts, channel)
	}
	s.unfurl(c, c.byTS[ts], url)
	return nil
}

func (s *Server) channel(name string) (*conversation, error) {
	c := s.find(name)
	if c == nil || c.direct() {
		return nil, fmt.Errorf("slack sim: there is no channel %q", name)
	}
	return c, nil
}

// Channels are the ids of all conversations, DMs too, oldest first.
func (s *Server) Channels() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// ChannelName is "#general" for a channel, "@kim" for the DM of a person with the bot, and the id
// for anything else.
func (s *Server) ChannelName(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(id)
	switch {
	case c == nil:
		return id
	case c.kind == kindIM:
		return "@" + s.userLabel(s.partner(c))
	case c.kind == kindMPIM:
		return c.id
	}
	return "#" + c.name
}

// ChannelID is the id of the channel of this name or id, if there is one.
func (s *Server) ChannelID(name string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.find(name); c != nil {
		return c.id, true
	}
	return "", false
}

// Members are the user ids in a channel.
func (s *Server) Members(channel string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.find(channel); c != nil {
		return slices.Clone(c.members)
	}
	return nil
}

// People are the users of the workspace, bots and deactivated ones too, in the order in which they
// were added.
func (s *Server) People() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]User, len(s.userOrder))
	for i, id := range s.userOrder {
		out[i] = *s.users[id]
	}
	return out
}
