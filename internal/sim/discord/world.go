package discord

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// User is an account.
type User struct {
	ID         string // a number; default: the next free one
	Name       string // unique, lower case
	GlobalName string // what people see; default Name
	Bot        bool
	NoDMs      bool // takes no DM from the bot: 50007
	deleted    bool
}

func (u *User) shown() string { return cmp.Or(u.GlobalName, u.Name) }

// Guild is a server, as its people call it.
type Guild struct {
	ID       string
	Name     string
	Owner    string   // user name or id
	Members  []Member // the bot is one without being named
	Roles    []Role
	Channels []Channel
	// Bot is what the bot may do; 0: Everything.
	Bot Permission
	// Without says that the bot is not in it, until Invite.
	Without bool
}

// Member is somebody in a guild.
type Member struct {
	User  string // name or id
	Nick  string
	Roles []string // names or ids
}

// Role is a role of a guild. The role @everyone is always there; its id is the guild's.
type Role struct {
	ID, Name    string
	Permissions Permission
	Mentionable bool
}

// ChannelType says what a channel is (D: resources/channel, channel types).
type ChannelType int

// The types of channels that are built here.
const (
	Text               ChannelType = 0
	DM                 ChannelType = 1
	Category           ChannelType = 4
	Announcement       ChannelType = 5
	AnnouncementThread ChannelType = 10
	PublicThread       ChannelType = 11
	PrivateThread      ChannelType = 12
	Forum              ChannelType = 15
)

// Channel is a channel of a guild.
type Channel struct {
	ID, Name, Topic string
	Type            ChannelType
	Parent          string // name or id of its category, which comes before it
	// Deny is what the bot may not do there.
	Deny Permission
}

type guild struct {
	id, name, owner string
	members         map[string]*member
	roles           map[string]*role
	roleOrder       []string
	commands        commandSet // application commands of this guild
	in              bool       // the bot is
	joined          time.Time
}

type member struct {
	user, nick string
	roles      []string
	joined     time.Time
}

func (m *member) hasRole(id string) bool { return slices.Contains(m.roles, id) }

type role struct {
	id, name    string
	permissions Permission
	mentionable bool
	managed     bool
	color       int
	position    int
}

type channel struct {
	id          string
	kind        ChannelType
	guild       *guild // nil: a DM
	name, topic string
	parent      string
	position    int
	slow        int
	overwrites  []overwrite
	tags        []object
	recipient   string // of a DM
	thread      *thread
	messages    []*message
	gone        int // of messages, those that were deleted
	byID        map[string]*message
}

func (c *channel) isThread() bool { return c.thread != nil }

func (c *channel) guildID() string {
	if c.guild == nil {
		return ""
	}
	return c.guild.id
}

func (s *Server) populate() error {
	s.users[s.bot.ID] = &s.bot
	s.userOrder = append(s.userOrder, s.bot.ID)
	for _, u := range s.opts.Users {
		if err := s.AddUser(u); err != nil {
			return err
		}
	}
	for _, g := range s.opts.Guilds {
		if err := s.AddGuild(g); err != nil {
			return err
		}
	}
	return nil
}

// AddUser adds an account. Its id and its name must be new.
func (s *Server) AddUser(u User) error {
	s.lock()
	defer s.unlock()
	u.ID = cmp.Or(u.ID, s.newID())
	switch {
	case u.Name == "":
		return fmt.Errorf("discord sim: user %s: needs a Name", u.ID)
	case s.user(u.ID) != nil || s.user(u.Name) != nil:
		return fmt.Errorf("discord sim: user %s (%s) is there already", u.ID, u.Name)
	}
	s.users[u.ID] = &u
	s.userOrder = append(s.userOrder, u.ID)
	return nil
}

// AddGuild adds a guild; if the bot is in it, its sessions are told.
func (s *Server) AddGuild(o Guild) error {
	s.lock()
	defer s.unlock()
	g := &guild{
		id: cmp.Or(o.ID, s.newID()), name: o.Name, members: map[string]*member{}, roles: map[string]*role{},
		in: !o.Without, joined: time.Now(),
	}
	g.addRole(&role{id: g.id, name: "@everyone", permissions: Talk})
	g.addRole(&role{id: s.newID(), name: s.bot.Name, permissions: cmp.Or(o.Bot, Everything), managed: true})
	botRole := g.roleOrder[1]
	for _, r := range o.Roles {
		g.addRole(&role{id: cmp.Or(r.ID, s.newID()), name: r.Name, permissions: r.Permissions, mentionable: r.Mentionable})
	}
	if s.guilds[g.id] != nil {
		return fmt.Errorf("discord sim: guild %s is there already", g.id)
	}
	for _, m := range o.Members {
		if err := s.addMember(g, m); err != nil {
			return err
		}
	}
	if o.Owner != "" {
		u := s.user(o.Owner)
		if u == nil || g.members[u.ID] == nil {
			return fmt.Errorf("discord sim: guild %s: its owner %s is not one of its members", g.id, o.Owner)
		}
		g.owner = u.ID
	}
	if g.in {
		g.members[s.bot.ID] = &member{user: s.bot.ID, roles: []string{botRole}, joined: time.Now()}
	}
	s.guilds[g.id] = g
	s.guildOrder = append(s.guildOrder, g.id)
	for _, c := range o.Channels {
		if err := s.addConfigured(g, c); err != nil {
			return err
		}
	}
	if g.in {
		s.emit("GUILD_CREATE", scope{guild: g, intent: IntentGuilds}, s.guildCreate(g))
	}
	return nil
}

func (g *guild) addRole(r *role) {
	r.position = len(g.roleOrder)
	g.roles[r.id] = r
	g.roleOrder = append(g.roleOrder, r.id)
}

// role finds a role by id or name.
func (g *guild) role(key string) *role {
	if r := g.roles[key]; r != nil {
		return r
	}
	for _, id := range g.roleOrder {
		if strings.EqualFold(g.roles[id].name, key) {
			return g.roles[id]
		}
	}
	return nil
}

func (s *Server) addMember(g *guild, m Member) error {
	u := s.user(m.User)
	if u == nil {
		return fmt.Errorf("discord sim: guild %s: member %s is no user", g.id, m.User)
	}
	var roles []string
	for _, key := range m.Roles {
		r := g.role(key)
		if r == nil {
			return fmt.Errorf("discord sim: guild %s: member %s has a role %s that does not exist", g.id, m.User, key)
		}
		roles = append(roles, r.id)
	}
	g.members[u.ID] = &member{user: u.ID, nick: m.Nick, roles: roles, joined: time.Now()}
	return nil
}

func (s *Server) addConfigured(g *guild, o Channel) error {
	c := &channel{id: cmp.Or(o.ID, s.newID()), kind: o.Type, guild: g, name: strings.TrimPrefix(o.Name, "#"), topic: o.Topic}
	if s.channels[c.id] != nil {
		return fmt.Errorf("discord sim: channel %s is there already", c.id)
	}
	if o.Parent != "" {
		p := s.channel(o.Parent)
		if p == nil || p.kind != Category {
			return fmt.Errorf("discord sim: channel %s: its parent %s is no category", o.Name, o.Parent)
		}
		c.parent = p.id
	}
	if o.Deny != 0 {
		c.overwrites = []overwrite{{id: s.bot.ID, member: true, deny: o.Deny}}
	}
	s.addChannel(c)
	return nil
}

func (s *Server) addChannel(c *channel) {
	c.byID = map[string]*message{}
	c.position = len(s.order)
	s.channels[c.id] = c
	s.order = append(s.order, c.id)
}

// user finds a user by id or name.
func (s *Server) user(key string) *User {
	if u := s.users[key]; u != nil {
		return u
	}
	for _, u := range s.users {
		if u.Name == strings.TrimPrefix(key, "@") {
			return u
		}
	}
	return nil
}

// channel finds a channel or thread by id or name; of channels with one name, the oldest.
func (s *Server) channel(key string) *channel {
	if c := s.channels[key]; c != nil {
		return c
	}
	for _, id := range s.order {
		if c := s.channels[id]; c.guild != nil && c.name == strings.TrimPrefix(key, "#") {
			return c
		}
	}
	return nil
}

// dm is the DM channel of the bot with a user, or nil.
func (s *Server) dm(user string) *channel {
	for _, id := range s.order {
		if c := s.channels[id]; c.kind == DM && c.recipient == user {
			return c
		}
	}
	return nil
}

func (s *Server) openDM(user string) *channel {
	if c := s.dm(user); c != nil {
		return c
	}
	c := &channel{id: s.newID(), kind: DM, recipient: user}
	s.addChannel(c)
	return c
}
