package discord

import (
	"slices"
	"strconv"
)

// Permission is a set of rights in a guild or channel (D: topics/permissions).
type Permission uint64

// The permissions that a chat bot meets.
const (
	Administrator       Permission = 1 << 3
	ManageChannels      Permission = 1 << 4
	ManageGuild         Permission = 1 << 5
	AddReactions        Permission = 1 << 6
	ViewChannel         Permission = 1 << 10
	SendMessages        Permission = 1 << 11
	ManageMessages      Permission = 1 << 13
	EmbedLinks          Permission = 1 << 14
	AttachFiles         Permission = 1 << 15
	ReadMessageHistory  Permission = 1 << 16
	MentionEveryone     Permission = 1 << 17
	ManageRoles         Permission = 1 << 28
	ManageWebhooks      Permission = 1 << 29
	UseCommands         Permission = 1 << 31
	ManageThreads       Permission = 1 << 34
	CreatePublicThreads Permission = 1 << 35
	SendInThreads       Permission = 1 << 38
)

// Everything is every permission above but Administrator, and what the bot has in a guild that says
// nothing about it. Talk is what everybody has.
const (
	Everything = Talk | ManageChannels | ManageGuild | ManageMessages | ManageRoles | ManageWebhooks | ManageThreads
	Talk       = AddReactions | ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone |
		UseCommands | CreatePublicThreads | SendInThreads
)

// String is the decimal number that the API uses.
func (p Permission) String() string { return strconv.FormatUint(uint64(p), 10) }

func (p Permission) has(q Permission) bool { return p&q == q }

// overwrite changes permissions in one channel.
type overwrite struct {
	id          string // of a role or a member
	member      bool
	allow, deny Permission
}

// permissions are what a user may do in a channel (D: topics/permissions, permission hierarchy). Threads
// inherit from their parent; in a DM both may do what there is to do.
func (s *Server) permissions(user string, c *channel) Permission {
	if c.guild == nil {
		if user == c.recipient || user == s.bot.ID {
			return Talk
		}
		return 0
	}
	m := c.guild.members[user]
	if m == nil {
		return 0
	}
	base := c.guild.base(m)
	if base.has(Administrator) {
		return ^Permission(0)
	}
	from := c
	if c.isThread() {
		if from = s.channels[c.parent]; from == nil {
			return 0
		}
	}
	var everyone, roles, own overwrite
	for _, o := range from.overwrites {
		switch {
		case o.member && o.id == user:
			own = o
		case o.id == c.guild.id:
			everyone = o
		case m.hasRole(o.id):
			roles.allow |= o.allow
			roles.deny |= o.deny
		}
	}
	for _, o := range []overwrite{everyone, roles, own} {
		base = base&^o.deny | o.allow
	}
	if !base.has(ViewChannel) { // D: topics/permissions, implicit permissions
		return 0
	}
	if c.kind == PrivateThread && !base.has(ManageThreads) && !slices.Contains(c.thread.members, user) {
		return 0 // D: topics/threads, private threads
	}
	return base
}

// base are a member's permissions in the whole guild.
func (g *guild) base(m *member) Permission {
	if g.owner == m.user {
		return Administrator
	}
	p := g.roles[g.id].permissions
	for _, r := range m.roles {
		if role := g.roles[r]; role != nil {
			p |= role.permissions
		}
	}
	return p
}

// may refuses unless the bot has the permissions in the channel. Without sight of it the answer is
// 50001, without another permission 50013 (D: opcodes).
func (s *Server) may(c *channel, p Permission) *refusal {
	have := s.permissions(s.bot.ID, c)
	switch {
	case !have.has(ViewChannel):
		return refuse(50001)
	case !have.has(p):
		return refuse(50013)
	}
	return nil
}
