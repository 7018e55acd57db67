package discord

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

func getGateway(s *Server, _ *call) (any, *refusal) { return object{"url": s.gatewayURL()}, nil }

// getGatewayBot tells how many identifies are left of the day's 1000 (D: events/gateway, get gateway bot).
func getGatewayBot(s *Server, _ *call) (any, *refusal) {
	return object{"url": s.gatewayURL(), "shards": 1, "session_start_limit": object{
		"total": 1000, "remaining": max(0, 1000-len(s.identifies)), "reset_after": 86400000, "max_concurrency": 1,
	}}, nil
}

func getMe(s *Server, _ *call) (any, *refusal) { return s.ownUser(), nil }

func getUser(s *Server, c *call) (any, *refusal) {
	u := s.users[c.path("user")]
	if u == nil || u.deleted {
		return nil, refuse(10013)
	}
	return userObject(u), nil
}

func getMyGuilds(s *Server, _ *call) (any, *refusal) {
	out := []object{}
	for _, id := range s.guildOrder {
		if g := s.guilds[id]; g.in {
			out = append(out, object{"id": id, "name": g.name, "owner": false, "permissions": g.base(g.members[s.bot.ID]).String(), "features": []any{}})
		}
	}
	return out, nil
}

func getApplication(s *Server, _ *call) (any, *refusal) {
	return object{
		"id": s.bot.ID, "name": s.bot.Name, "description": "", "bot_public": false, "bot_require_code_grant": false,
		"flags": s.appFlags(), "bot": userObject(&s.bot), "verify_key": "00", "summary": "",
	}, nil
}

func listRoles(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	return s.roleObjects(g), nil
}

type roleDraft struct {
	Name        *string `json:"name"`
	Permissions *string `json:"permissions"`
	Mentionable *bool   `json:"mentionable"`
	Color       *int    `json:"color"`
}

func (r *role) fill(d *roleDraft) {
	if d.Name != nil {
		r.name = *d.Name
	}
	if d.Permissions != nil {
		p, _ := strconv.ParseUint(*d.Permissions, 10, 64) // it was checked
		r.permissions = Permission(p)
	}
	if d.Mentionable != nil {
		r.mentionable = *d.Mentionable
	}
	if d.Color != nil {
		r.color = *d.Color
	}
}

// readRole: a name of at most 100; only permissions that the bot has itself can be given (D: resources/guild,
// create guild role; topics/permissions, permission hierarchy).
func (s *Server) readRole(c *call, g *guild) (*roleDraft, *refusal) {
	var d roleDraft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	if d.Name != nil && chars(*d.Name) > 100 {
		return nil, tooLong("name", 100)
	}
	if d.Permissions != nil {
		p, err := strconv.ParseUint(*d.Permissions, 10, 64)
		if err != nil {
			return nil, invalid("permissions", "NUMBER_TYPE_COERCE", "Value %q is not int.", *d.Permissions)
		}
		if have := g.base(g.members[s.bot.ID]); !have.has(Permission(p)) && !have.has(Administrator) {
			return nil, refuse(50013)
		}
	}
	return &d, nil
}

func createRole(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, ManageRoles)
	if bad != nil {
		return nil, bad
	}
	d, bad := s.readRole(c, g)
	if bad != nil {
		return nil, bad
	}
	if len(g.roles) >= 250 {
		return nil, refuse(30005)
	}
	r := &role{id: s.newID(), name: "new role", permissions: g.roles[g.id].permissions}
	r.fill(d)
	g.addRole(r)
	s.emitRole("GUILD_ROLE_CREATE", g, r)
	return r.object(), nil
}

func (s *Server) emitRole(event string, g *guild, r *role) {
	s.emit(event, scope{guild: g, intent: IntentGuilds}, object{"guild_id": g.id, "role": r.object()})
}

func modifyRole(s *Server, c *call) (any, *refusal) {
	g, r, bad := s.ownRole(c)
	if bad != nil {
		return nil, bad
	}
	d, bad := s.readRole(c, g)
	if bad != nil {
		return nil, bad
	}
	r.fill(d)
	s.emitRole("GUILD_ROLE_UPDATE", g, r)
	return r.object(), nil
}

func (s *Server) ownRole(c *call) (*guild, *role, *refusal) {
	g, bad := s.inGuild(c, ManageRoles)
	if bad != nil {
		return nil, nil, bad
	}
	r := g.roles[c.path("role")]
	switch {
	case r == nil:
		return nil, nil, refuse(10011)
	case r.managed || r.id == g.id:
		return nil, nil, refuse(50013)
	}
	return g, r, nil
}

func deleteRole(s *Server, c *call) (any, *refusal) {
	g, r, bad := s.ownRole(c)
	if bad != nil {
		return nil, bad
	}
	delete(g.roles, r.id)
	g.roleOrder = slices.DeleteFunc(g.roleOrder, func(id string) bool { return id == r.id })
	for _, m := range g.members {
		m.roles = slices.DeleteFunc(m.roles, func(id string) bool { return id == r.id })
	}
	s.emit("GUILD_ROLE_DELETE", scope{guild: g, intent: IntentGuilds}, object{"guild_id": g.id, "role_id": r.id})
	return nil, nil
}

func getMember(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	id := c.path("user")
	if id == "@me" {
		id = s.bot.ID
	}
	if m := g.members[id]; m != nil {
		return s.memberObject(g, m), nil
	}
	if u := s.users[id]; u != nil && u.deleted {
		return nil, refuse(10013)
	}
	return nil, refuse(10007)
}

// listMembers needs the privileged intent in the developer portal (D: resources/guild, list guild members).
func listMembers(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	if s.disallowed&IntentGuildMembers != 0 {
		return nil, refuse(50001)
	}
	return s.membersWhere(g, c, func(*User, *member) bool { return true }), nil
}

func searchMembers(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	query := strings.ToLower(c.query.Get("query"))
	return s.membersWhere(g, c, func(u *User, m *member) bool {
		return strings.HasPrefix(strings.ToLower(u.Name), query) || strings.HasPrefix(strings.ToLower(m.nick), query)
	}), nil
}

func (s *Server) membersWhere(g *guild, c *call, want func(*User, *member) bool) []object {
	limit, _ := strconv.Atoi(c.query.Get("limit")) // absent is 1
	after := cmp.Or(c.query.Get("after"), "0")
	out := []object{}
	for _, id := range s.userOrder {
		if m := g.members[id]; m != nil && newer(id, after) && want(s.users[id], m) && len(out) < max(1, limit) {
			out = append(out, s.memberObject(g, m))
		}
	}
	return out
}

func giveRole(s *Server, c *call) (any, *refusal) {
	return s.changeRoles(c, func(m *member, r string) {
		if !m.hasRole(r) {
			m.roles = append(m.roles, r)
		}
	})
}

func takeRole(s *Server, c *call) (any, *refusal) {
	return s.changeRoles(c, func(m *member, r string) {
		m.roles = slices.DeleteFunc(m.roles, func(x string) bool { return x == r })
	})
}

// changeRoles needs MANAGE_ROLES (D: resources/guild, add guild member role).
func (s *Server) changeRoles(c *call, change func(*member, string)) (any, *refusal) {
	g, r, bad := s.ownRole(c)
	if bad != nil {
		return nil, bad
	}
	m := g.members[c.path("user")]
	if m == nil {
		return nil, refuse(10007)
	}
	change(m, r.id)
	o := s.memberObject(g, m)
	o["guild_id"] = g.id
	s.emit("GUILD_MEMBER_UPDATE", scope{guild: g, intent: IntentGuildMembers}, o)
	return nil, nil
}

// setOverwrite sets one overwrite of a channel, or deletes it with an empty body; it needs MANAGE_ROLES there
// (D: resources/channel, edit channel permissions).
func setOverwrite(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, ManageRoles)
	if bad != nil {
		return nil, bad
	}
	if ch.guild == nil || ch.isThread() {
		return nil, refuse(50024)
	}
	var in overwriteDraft
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	in.ID = c.path("overwrite")
	ch.overwrites = slices.DeleteFunc(slices.Clone(ch.overwrites), func(w overwrite) bool { return w.id == in.ID })
	if c.body != nil {
		ch.overwrites = append(ch.overwrites, in.overwrite())
	}
	s.emitChannel("CHANNEL_UPDATE", ch)
	return nil, nil
}

func (w overwriteDraft) overwrite() overwrite {
	allow, _ := strconv.ParseUint(w.Allow, 10, 64) // absent is none
	deny, _ := strconv.ParseUint(w.Deny, 10, 64)
	member := string(w.Type) == "1" || string(w.Type) == `"1"`
	return overwrite{w.ID, member, Permission(allow), Permission(deny)}
}
