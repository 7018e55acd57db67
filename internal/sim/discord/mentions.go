package discord

import (
	"regexp"
	"slices"
	"strconv"
)

// allowed is the allowed_mentions object (D: resources/message, allowed mentions object).
type allowed struct {
	Parse       *[]string `json:"parse"`
	Users       []string  `json:"users"`
	Roles       []string  `json:"roles"`
	RepliedUser bool      `json:"replied_user"`
}

// check refuses what the documentation calls invalid: an unknown kind, more than 100 ids, and a kind both
// parsed and listed.
func (a *allowed) check() *refusal {
	if a == nil {
		return nil
	}
	for i, kind := range a.kinds() {
		if !oneOf(kind, "users", "roles", "everyone") {
			return notOne("allowed_mentions.parse."+strconv.Itoa(i), "('roles', 'users', 'everyone')")
		}
	}
	switch {
	case len(a.Users) > 100:
		return tooLong("allowed_mentions.users", 100)
	case len(a.Roles) > 100:
		return tooLong("allowed_mentions.roles", 100)
	case a.parses("users") && len(a.Users) > 0, a.parses("roles") && len(a.Roles) > 0:
		return invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
			"parse:[\"users\"] and users: [ids...] are mutually exclusive.")
	}
	return nil
}

func (a *allowed) kinds() []string {
	if a.Parse == nil {
		return nil
	}
	return *a.Parse
}

func (a *allowed) parses(kind string) bool { return slices.Contains(a.kinds(), kind) }

// mentionDefault is what a draft without allowed_mentions means (D: resources/message, allowed mentions).
type mentionDefault int

const (
	everybody mentionDefault = iota // of the bot's own messages: all that is written
	onlyUsers                       // of webhooks and interactions
)

func (d mentionDefault) allowed() *allowed {
	kinds := []string{"users"}
	if d == everybody {
		kinds = []string{"users", "roles", "everyone"}
	}
	return &allowed{Parse: &kinds, RepliedUser: d == everybody}
}

var (
	userMention = regexp.MustCompile(`<@!?(\d+)>`)
	roleMention = regexp.MustCompile(`<@&(\d+)>`)
	everyone    = regexp.MustCompile(`@(everyone|here)\b`)
)

// resolveMentions finds out whom a message mentions and whom it notifies. What allowed leaves out is still
// shown as a name, but is in neither list (K). p are the permissions of who writes.
func (s *Server) resolveMentions(m *message, a *allowed, d mentionDefault, p Permission) {
	if a == nil {
		a = d.allowed()
	}
	m.mentions, m.roles, m.everyone, m.pings = nil, nil, false, nil
	for _, found := range userMention.FindAllStringSubmatch(m.content, -1) {
		id := found[1]
		if s.users[id] == nil || slices.Contains(m.mentions, id) || !a.parses("users") && !slices.Contains(a.Users, id) {
			continue
		}
		m.mentions = append(m.mentions, id)
		if m.channel.guild == nil || m.channel.guild.members[id] != nil {
			m.pings = append(m.pings, id)
		}
	}
	if m.replyTo != nil && a.RepliedUser && !slices.Contains(m.mentions, m.replyTo.author) && s.users[m.replyTo.author] != nil {
		m.mentions = append(m.mentions, m.replyTo.author)
		m.pings = append(m.pings, m.replyTo.author)
	}
	g := m.channel.guild
	if g == nil {
		return
	}
	for _, found := range roleMention.FindAllStringSubmatch(m.content, -1) {
		r := g.roles[found[1]]
		if r == nil || slices.Contains(m.roles, r.id) || !a.parses("roles") && !slices.Contains(a.Roles, r.id) {
			continue
		}
		m.roles = append(m.roles, r.id)
		if r.mentionable || p.has(MentionEveryone) { // D: topics/permissions, MENTION_EVERYONE
			m.pings = append(m.pings, "&"+r.id)
		}
	}
	if found := everyone.FindStringSubmatch(m.content); found != nil && a.parses("everyone") && p.has(MentionEveryone) {
		m.everyone = true
		m.pings = append(m.pings, found[1])
	}
}
