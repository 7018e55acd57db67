package slack

import (
	"slices"
	"strings"
)

// Workspace is who and what there is when a server starts. The zero value is a workspace with the
// bot and nobody else; ids that are left empty are filled in.
type Workspace struct {
	TeamID string // default T0SIM
	Name   string // default "Sim"
	Domain string // of its URL; default "sim"

	AppID     string // default A0SIM
	BotID     string // B…; default B0SIM
	BotUserID string // the bot's user; default U0BOT
	BotName   string // default "office"

	Users    []User
	Channels []Channel
}

// User is a member of the workspace, or of another one that shares a channel with it.
type User struct {
	ID          string // U… or W…; required
	Name        string // handle, lower case, as in @kim; required
	RealName    string // default: Name
	DisplayName string // what messages are headed with; default: RealName
	TeamID      string // default: the workspace's own; another one makes a stranger of a shared channel

	Admin   bool
	Owner   bool
	Guest   bool // is_restricted
	Single  bool // is_ultra_restricted: a guest of one channel; implies Guest
	Bot     bool // another app's bot; BotID is then set
	BotID   string
	AppID   string
	Deleted bool // deactivated
}

// Channel is a public or private channel. DMs come into being by being opened.
type Channel struct {
	ID       string // C…; required
	Name     string // without "#"; required
	Private  bool
	Archived bool
	Members  []string // user ids; the bot is a member if its user id is among them
	Topic    string
	Shared   bool // with another workspace (Slack Connect)
}

// kind is what Slack calls channel_type in events.
type kind string

const (
	kindChannel kind = "channel"
	kindGroup   kind = "group"
	kindIM      kind = "im"
	kindMPIM    kind = "mpim"
)

// scopePrefix is the family of scopes that guard this kind, as in "channels:history".
func (k kind) scopePrefix() string {
	switch k {
	case kindChannel:
		return "channels"
	case kindGroup:
		return "groups"
	default:
		return string(k)
	}
}

// listType is what conversations.list calls the kind in its types argument.
func (k kind) listType() string {
	switch k {
	case kindChannel:
		return "public_channel"
	case kindGroup:
		return "private_channel"
	default:
		return string(k)
	}
}

// conversation is a channel or DM with what was said in it. Guarded by Server.mu.
type conversation struct {
	id       string
	name     string
	previous []string // earlier names
	kind     kind
	archived bool
	shared   bool
	topic    string
	members  []string
	created  int64 // seconds
	open     bool  // a DM that somebody has opened

	deleted    int        // of messages
	messages   []*message // all that are or were in it, by ts; thread replies included
	byTS       map[string]*message
	ephemerals []*message // by ts
}

func (c *conversation) has(user string) bool { return slices.Contains(c.members, user) }

// direct tells a DM, single or group, from a channel.
func (c *conversation) direct() bool { return c.kind == kindIM || c.kind == kindMPIM }

// add appends m, whose ts is the newest there is.
func (c *conversation) add(m *message) {
	c.messages = append(c.messages, m)
	c.byTS[m.ts] = m
}

func (w *Workspace) fill() {
	for _, d := range []struct {
		field *string
		value string
	}{
		{&w.TeamID, "T0SIM"},
		{&w.Name, "Sim"},
		{&w.Domain, "sim"},
		{&w.AppID, "A0SIM"},
		{&w.BotID, "B0SIM"},
		{&w.BotUserID, "U0BOT"},
		{&w.BotName, "office"},
	} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
}

func (u User) filled(teamID string) *User {
	if u.RealName == "" {
		u.RealName = u.Name
	}
	if u.DisplayName == "" {
		u.DisplayName = u.RealName
	}
	if u.TeamID == "" {
		u.TeamID = teamID
	}
	u.Guest = u.Guest || u.Single
	return &u
}

func (s *Server) conversationByName(name string) *conversation {
	name = strings.TrimPrefix(name, "#")
	for _, id := range s.order {
		if c := s.conversations[id]; !c.direct() && c.name == name {
			return c
		}
	}
	return nil
}

// find takes an id or a name, with or without "#".
func (s *Server) find(channel string) *conversation {
	if c := s.conversations[channel]; c != nil {
		return c
	}
	return s.conversationByName(channel)
}

func (s *Server) userByName(name string) *User {
	for _, id := range s.userOrder {
		if u := s.users[id]; u.Name == name {
			return u
		}
	}
	return nil
}

// dm is the one-to-one conversation of the bot with user, made if there is none yet.
func (s *Server) dm(user string) *conversation { return s.directWith([]string{user}) }

// directWith is the DM of the bot with these people, made if there is none yet.
func (s *Server) directWith(users []string) *conversation {
	members := append([]string{s.ws.BotUserID}, users...)
	slices.Sort(members)
	members = slices.Compact(members)
	for _, id := range s.order {
		if c := s.conversations[id]; c.direct() && slices.Equal(c.members, members) {
			return c
		}
	}
	c := &conversation{kind: kindIM, members: members}
	if len(members) > 2 {
		c.kind, c.id, c.name = kindMPIM, s.ids.next("G"), "mpdm-"+strings.ToLower(strings.Join(members, "--"))+"-1"
	} else {
		c.id = s.ids.next("D")
	}
	s.addConversation(c)
	return c
}
