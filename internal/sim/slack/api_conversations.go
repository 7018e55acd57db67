package slack

import (
	"slices"
	"strings"
)

func (s *Server) channelObject(c *conversation) map[string]any {
	o := map[string]any{
		"id": c.id, "created": c.created, "is_archived": c.archived, "is_org_shared": false,
		"is_im": c.kind == kindIM, "is_mpim": c.kind == kindMPIM, "is_channel": c.kind == kindChannel,
		"is_group": c.kind == kindGroup, "is_private": c.kind != kindChannel,
		"is_ext_shared": c.shared, "is_shared": c.shared, "context_team_id": s.ws.TeamID,
	}
	if c.kind == kindIM {
		o["user"], o["is_open"] = s.partner(c), c.open
		return o
	}
	previous := c.previous
	if previous == nil {
		previous = []string{}
	}
	o["name"], o["name_normalized"], o["previous_names"] = c.name, c.name, previous
	o["is_member"], o["is_general"], o["creator"] = c.has(s.ws.BotUserID), c.name == "general", ""
	o["topic"] = map[string]any{"value": c.topic, "creator": "", "last_set": 0}
	o["purpose"] = map[string]any{"value": "", "creator": "", "last_set": 0}
	return o
}

// partner is the person at the other end of a DM.
func (s *Server) partner(c *conversation) string {
	for _, u := range c.members {
		if u != s.ws.BotUserID {
			return u
		}
	}
	return s.ws.BotUserID
}

// visible finds a conversation that the bot may know of: public ones and its own (D: conversations.*,
// channel_not_found).
func (s *Server) visible(id string) (*conversation, *refusal) {
	c := s.conversations[id]
	if c == nil || (c.kind != kindChannel && !c.has(s.ws.BotUserID)) {
		return nil, refuse("channel_not_found")
	}
	return c, nil
}

func conversationsInfo(s *Server, a args) (reply, *refusal) {
	c, ref := s.visible(a["channel"])
	if ref != nil {
		return nil, ref
	}
	if ref := s.needAny(c.kind.scopePrefix() + ":read"); ref != nil {
		return nil, ref
	}
	o := s.channelObject(c)
	if a.flag("include_num_members") {
		o["num_members"] = len(c.members)
	}
	return reply{"channel": o}, nil
}

func conversationsList(s *Server, a args) (reply, *refusal) { return s.listConversations(a, false) }

// usersConversations lists those that the bot is in; asking for another user's is not simulated.
func usersConversations(s *Server, a args) (reply, *refusal) {
	if u := a["user"]; u != "" && u != s.ws.BotUserID {
		return nil, refuse("user_not_found")
	}
	return s.listConversations(a, true)
}

func (s *Server) listConversations(a args, own bool) (reply, *refusal) {
	types := a["types"]
	if types == "" {
		types = kindChannel.listType() // D: the default
	}
	kinds, ref := s.listedKinds(types)
	if ref != nil {
		return nil, ref
	}
	var ids []string
	for _, id := range s.order {
		c := s.conversations[id]
		if !kinds[c.kind] || ((own || c.kind != kindChannel) && !c.has(s.ws.BotUserID)) || (c.archived && a.flag("exclude_archived")) {
			continue
		}
		ids = append(ids, id)
	}
	page, next, ref := pageOf(ids, a, "team:")
	if ref != nil {
		return nil, ref
	}
	channels := make([]map[string]any, len(page))
	for i, id := range page {
		c := s.conversations[id]
		channels[i] = s.channelObject(c)
		if !c.direct() {
			channels[i]["num_members"] = len(c.members)
		}
	}
	return reply{"channels": channels, "response_metadata": map[string]any{"next_cursor": next}}, nil
}

func (s *Server) listedKinds(types string) (map[kind]bool, *refusal) {
	kinds := map[kind]bool{}
	for t := range strings.SplitSeq(types, ",") {
		known := false
		for _, k := range []kind{kindChannel, kindGroup, kindIM, kindMPIM} {
			if strings.TrimSpace(t) == k.listType() {
				if ref := s.needAny(k.scopePrefix() + ":read"); ref != nil {
					return nil, ref
				}
				kinds[k], known = true, true
			}
		}
		if !known { // D: conversations.list
			return nil, refuse("invalid_types")
		}
	}
	return kinds, nil
}

func conversationsMembers(s *Server, a args) (reply, *refusal) {
	c, ref := s.visible(a["channel"])
	if ref != nil {
		return nil, ref
	}
	if ref := s.needAny(c.kind.scopePrefix() + ":read"); ref != nil {
		return nil, ref
	}
	page, next, ref := pageOf(c.members, a, "user:")
	if ref != nil {
		return nil, ref
	}
	return reply{"members": page, "response_metadata": map[string]any{"next_cursor": next}}, nil
}

func conversationsOpen(s *Server, a args) (reply, *refusal) {
	if a["channel"] != "" {
		c, ref := s.visible(a["channel"])
		if ref == nil && !c.direct() { // D: method_not_supported_for_channel_type
			ref = refuse("method_not_supported_for_channel_type")
		}
		if ref != nil {
			return nil, ref
		}
		return s.opened(c, a)
	}
	if a["users"] == "" { // D
		return nil, refuse("users_list_not_supplied")
	}
	users := strings.Split(a["users"], ",")
	if len(users) > maxDMUsers { // D
		return nil, refuse("too_many_users")
	}
	scope := "im:write"
	if len(users) > 1 {
		scope = "mpim:write"
	}
	if ref := s.needAny(scope); ref != nil {
		return nil, ref
	}
	for _, id := range users {
		u := s.users[id]
		switch {
		case u == nil: // D
			return nil, refuse("user_not_found")
		case u.Deleted: // D
			return nil, refuse("user_disabled")
		case u.Bot: // D: im.open, which this method replaced
			return nil, refuse("cannot_dm_bot")
		}
	}
	return s.opened(s.directWith(slices.Clone(users)), a)
}

func (s *Server) opened(c *conversation, a args) (reply, *refusal) {
	before := c.open
	c.open = true
	channel := map[string]any{"id": c.id}
	if a.flag("return_im") {
		channel = s.channelObject(c)
	}
	return reply{"channel": channel, "no_op": before, "already_open": before}, nil
}
