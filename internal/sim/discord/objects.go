package discord

import (
	"slices"
	"strconv"
	"strings"
)

// The JSON forms of what is here (D: resources/user, guild, channel).

func userObject(u *User) object {
	var global any
	if u.GlobalName != "" {
		global = u.GlobalName
	}
	o := object{
		"id": u.ID, "username": u.Name, "global_name": global, "discriminator": "0", "avatar": nil, "public_flags": 0,
	}
	if u.Bot {
		o["bot"] = true
		o["discriminator"] = "0001"
	}
	return o
}

func (s *Server) ownUser() object {
	o := userObject(&s.bot)
	o["verified"], o["mfa_enabled"], o["email"], o["flags"] = true, true, nil, 0
	return o
}

// appFlags tell which privileged intents are switched on, in their form for apps in fewer than 100 guilds
// (D: resources/application, application flags).
func (s *Server) appFlags() int {
	flags := 1 << 23 // APPLICATION_COMMAND_BADGE
	for intent, bit := range map[Intent]int{IntentPresences: 13, IntentGuildMembers: 15, IntentMessageContent: 19} {
		if s.disallowed&intent == 0 {
			flags |= 1 << bit
		}
	}
	return flags
}

func (s *Server) memberObject(g *guild, m *member) object {
	var nick any
	if m.nick != "" {
		nick = m.nick
	}
	return object{
		"user": userObject(s.users[m.user]), "nick": nick, "avatar": nil, "roles": append([]string{}, m.roles...),
		"joined_at": stamp(m.joined), "premium_since": nil, "deaf": false, "mute": false, "flags": 0, "pending": false,
	}
}

func (r *role) object() object {
	o := object{
		"id": r.id, "name": r.name, "permissions": r.permissions.String(), "mentionable": r.mentionable, "managed": r.managed,
		"color": r.color, "position": r.position, "hoist": false, "flags": 0,
	}
	return o
}

func (s *Server) roleObjects(g *guild) []object {
	out := []object{}
	for _, id := range g.roleOrder {
		o := g.roles[id].object()
		if g.roles[id].managed {
			o["tags"] = object{"bot_id": s.bot.ID}
		}
		out = append(out, o)
	}
	return out
}

func (s *Server) guildObject(g *guild) object {
	return object{
		"id": g.id, "name": g.name, "icon": nil, "owner_id": g.owner, "roles": s.roleObjects(g), "emojis": []any{}, "features": []any{},
		"verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "mfa_level": 0, "preferred_locale": "en-US",
		"premium_tier": 0, "nsfw_level": 0, "system_channel_id": nil, "rules_channel_id": nil, "stickers": []any{}, "description": nil,
	}
}

// guildCreate is a guild with what only GUILD_CREATE has (D: events/gateway-events, guild create). Of the
// members only the bot is there, as without the privileged intent.
func (s *Server) guildCreate(g *guild) object {
	o := s.guildObject(g)
	channels, threads := []object{}, []object{}
	for _, c := range s.channelsOf(g) {
		switch {
		case !s.permissions(s.bot.ID, c).has(ViewChannel):
		case !c.isThread():
			channels = append(channels, s.channelObject(c))
		case !c.thread.archived:
			threads = append(threads, s.channelObject(c))
		}
	}
	o["channels"], o["threads"], o["member_count"], o["large"] = channels, threads, len(g.members), false
	o["members"] = []object{s.memberObject(g, g.members[s.bot.ID])}
	o["presences"], o["voice_states"], o["unavailable"], o["joined_at"] = []any{}, []any{}, false, stamp(g.members[s.bot.ID].joined)
	return o
}

func (s *Server) channelsOf(g *guild) []*channel {
	var out []*channel
	for _, id := range s.order {
		if c := s.channels[id]; c.guild == g {
			out = append(out, c)
		}
	}
	return out
}

func (s *Server) channelObject(c *channel) object {
	o := object{"id": c.id, "type": c.kind, "flags": 0, "last_message_id": nil}
	if n := len(c.messages); n > 0 {
		o["last_message_id"] = c.messages[n-1].id
	}
	if c.kind == DM {
		o["recipients"] = []object{userObject(s.users[c.recipient])}
		return o
	}
	o["guild_id"], o["name"], o["parent_id"], o["rate_limit_per_user"] = c.guild.id, c.name, nil, c.slow
	if c.parent != "" {
		o["parent_id"] = c.parent
	}
	if c.isThread() {
		c.thread.describe(o, c)
		return o
	}
	o["topic"], o["position"], o["nsfw"], o["permission_overwrites"] = nil, c.position, false, overwriteObjects(c.overwrites)
	if c.topic != "" {
		o["topic"] = c.topic
	}
	if c.kind == Forum {
		o["available_tags"] = append([]object{}, c.tags...)
	}
	return o
}

func overwriteObjects(all []overwrite) []object {
	out := []object{}
	for _, w := range all {
		kind := 0
		if w.member {
			kind = 1
		}
		out = append(out, object{"id": w.id, "type": kind, "allow": w.allow.String(), "deny": w.deny.String()})
	}
	return out
}

// str reads a string field.
func str(o object, key string) string {
	v, _ := o[key].(string)
	return v
}

// num reads a number field, which JSON gives as a float.
func num(o object, key string) (int, bool) {
	switch v := o[key].(type) {
	case float64:
		return int(v), true
	case int:
		return v, true
	case string: // ids and permissions are written as strings
		n, err := strconv.Atoi(v)
		return n, err == nil
	}
	return 0, false
}

// objects reads a field that is a list of objects.
func objects(o object, key string) []object {
	switch v := o[key].(type) {
	case []object:
		return v
	case []any:
		var out []object
		for _, x := range v {
			if m, ok := x.(object); ok {
				out = append(out, m)
			}
		}
		return out
	}
	return nil
}

func chars(text string) int { return len([]rune(text)) }

func oneOf(v string, all ...string) bool { return slices.Contains(all, v) }

func trimmed(name string) string { return strings.Join(strings.Fields(name), " ") }
