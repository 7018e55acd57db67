package discord

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What the admins of guilds do. The changes come at the sessions as events, as far as the bot sees them.

// RenameChannel changes a channel's or thread's name.
func (s *Server) RenameChannel(place, name string) error {
	return s.alter(place, func(c *channel) { c.name = strings.TrimPrefix(name, "#") })
}

// RenameRole gives a role of the first server another name.
func (s *Server) RenameRole(id, name string) error {
	s.lock()
	defer s.unlock()
	for _, g := range s.guilds {
		if r := g.roles[id]; r != nil {
			r.name = name
			s.emitRole("GUILD_ROLE_UPDATE", g, r)
			return nil
		}
	}
	return fmt.Errorf("discord sim: there is no role %q", id)
}

// MoveChannel moves a channel into a category, or out of all with "".
func (s *Server) MoveChannel(place, category string) error {
	id := ""
	if category != "" {
		var ok bool
		if id, ok = s.ChannelID(category); !ok {
			return fmt.Errorf("discord sim: there is no category %q", category)
		}
	}
	return s.alter(place, func(c *channel) { c.parent = id })
}

// Deny takes permissions from the bot in a channel, instead of those denied before; 0 denies none.
func (s *Server) Deny(place string, p Permission) error {
	return s.alter(place, func(c *channel) {
		c.overwrites = slices.DeleteFunc(slices.Clone(c.overwrites), func(w overwrite) bool { return w.member && w.id == s.bot.ID })
		if p != 0 {
			c.overwrites = append(c.overwrites, overwrite{id: s.bot.ID, member: true, deny: p})
		}
	})
}

func (s *Server) alter(key string, change func(*channel)) error {
	s.lock()
	defer s.unlock()
	c, err := s.place(key)
	if err != nil {
		return err
	}
	if c.guild == nil {
		return fmt.Errorf("discord sim: %s is a DM", key)
	}
	seen := s.permissions(s.bot.ID, c).has(ViewChannel)
	change(c)
	switch sees := s.permissions(s.bot.ID, c).has(ViewChannel); {
	case c.isThread():
		s.emitChannel("THREAD_UPDATE", c)
	case seen && !sees: // K: it disappears, as if it were deleted
		s.emit("CHANNEL_DELETE", scope{guild: c.guild, intent: IntentGuilds}, s.channelObject(c))
	case !seen && sees:
		s.emitChannel("CHANNEL_CREATE", c)
	default:
		s.emitChannel("CHANNEL_UPDATE", c)
	}
	return nil
}

// CreateChannel makes a channel. It gives its id.
func (s *Server) CreateChannel(guild string, o Channel) (string, error) {
	s.lock()
	defer s.unlock()
	g := s.guilds[guild]
	if g == nil {
		return "", fmt.Errorf("discord sim: there is no guild %s", guild)
	}
	if o.ID == "" {
		o.ID = s.newID()
	}
	if err := s.addConfigured(g, o); err != nil {
		return "", err
	}
	s.emitChannel("CHANNEL_CREATE", s.channels[o.ID])
	return o.ID, nil
}

// DeleteChannel deletes a channel with its threads, or a thread.
func (s *Server) DeleteChannel(place string) error {
	s.lock()
	defer s.unlock()
	c, err := s.place(place)
	if err == nil {
		s.dropChannel(c)
	}
	return err
}

// ArchiveThread archives a thread, or brings it back; locked ones only moderators bring back.
func (s *Server) ArchiveThread(thread string, archived, locked bool) error {
	s.lock()
	defer s.unlock()
	c, err := s.place(thread)
	if err != nil {
		return err
	}
	if !c.isThread() {
		return fmt.Errorf("discord sim: %s is no thread", thread)
	}
	s.setArchived(c, archived, locked)
	return nil
}

// KickBot takes the bot out of a guild. Its webhooks there stay.
func (s *Server) KickBot(guildID string) error {
	return s.inWorld(guildID, func(g *guild) {
		if g.in {
			s.emit("GUILD_DELETE", scope{guild: g, intent: IntentGuilds}, object{"id": g.id})
			g.in = false
			delete(g.members, s.bot.ID)
		}
	})
}

// InviteBot brings the bot into a guild, with what it may do there; 0: Everything.
func (s *Server) InviteBot(guildID string, p Permission) error {
	return s.inWorld(guildID, func(g *guild) {
		if p == 0 {
			p = Everything
		}
		r := g.roles[g.roleOrder[1]]
		r.permissions = p
		g.members[s.bot.ID] = &member{user: s.bot.ID, roles: []string{r.id}, joined: time.Now()}
		g.in = true
		s.emit("GUILD_CREATE", scope{guild: g, intent: IntentGuilds}, s.guildCreate(g))
	})
}

// GuildOutage makes a guild unavailable to the bot, or available again (D: events/gateway-events, guild
// delete: unavailable). The REST API goes on.
func (s *Server) GuildOutage(guildID string, on bool) error {
	return s.inWorld(guildID, func(g *guild) {
		if !g.in {
			return
		}
		if on {
			s.emit("GUILD_DELETE", scope{guild: g, intent: IntentGuilds}, object{"id": g.id, "unavailable": true})
		} else {
			s.emit("GUILD_CREATE", scope{guild: g, intent: IntentGuilds}, s.guildCreate(g))
		}
	})
}

// Permit changes what the bot may do in a guild.
func (s *Server) Permit(guildID string, p Permission) error {
	return s.inWorld(guildID, func(g *guild) {
		r := g.roles[g.roleOrder[1]]
		r.permissions = p
		s.emitRole("GUILD_ROLE_UPDATE", g, r)
	})
}

// RenameGuild changes a guild's name.
func (s *Server) RenameGuild(guildID, name string) error {
	return s.inWorld(guildID, func(g *guild) {
		g.name = name
		s.emit("GUILD_UPDATE", scope{guild: g, intent: IntentGuilds}, s.guildObject(g))
	})
}

// Join brings a user into a guild. Only sessions with the privileged intent are told.
func (s *Server) Join(guildID string, m Member) error {
	var err error
	bad := s.inWorld(guildID, func(g *guild) {
		if err = s.addMember(g, m); err == nil {
			o := s.memberObject(g, s.memberNamed(g, m.User))
			o["guild_id"] = g.id
			s.emit("GUILD_MEMBER_ADD", scope{guild: g, intent: IntentGuildMembers}, o)
		}
	})
	if bad != nil {
		return bad
	}
	return err
}

// DeleteAccount ends a user's account: it is a member of nothing, what it wrote stays,
// and whoever asks for it is told 10013 (D: topics/opcodes-and-status-codes, unknown user).
func (s *Server) DeleteAccount(user string) error {
	s.lock()
	defer s.unlock()
	u := s.user(user)
	if u == nil {
		return fmt.Errorf("discord sim: there is no user %s", user)
	}
	u.deleted, u.Name, u.GlobalName = true, "deleted_user_"+u.ID, ""
	for _, g := range s.guilds {
		delete(g.members, u.ID)
	}
	return nil
}

// Leave takes a user out of a guild; for the bot there is KickBot.
func (s *Server) Leave(guildID, user string) error {
	return s.inWorld(guildID, func(g *guild) {
		if m := s.memberNamed(g, user); m != nil && m.user != s.bot.ID {
			delete(g.members, m.user)
			s.emit("GUILD_MEMBER_REMOVE", scope{guild: g, intent: IntentGuildMembers}, object{"guild_id": g.id, "user": userObject(s.users[m.user])})
		}
	})
}

func (s *Server) inWorld(guildID string, do func(*guild)) error {
	s.lock()
	defer s.unlock()
	g := s.guilds[guildID]
	if g == nil {
		return fmt.Errorf("discord sim: there is no guild %s", guildID)
	}
	do(g)
	return nil
}
