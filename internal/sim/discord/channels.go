package discord

import (
	"encoding/json"
	"slices"
	"strings"
)

func channelRoutes() []route {
	return []route{
		{pattern: "GET /channels/{channel}", do: getChannel},
		{pattern: "PATCH /channels/{channel}", do: modifyChannel},
		{pattern: "DELETE /channels/{channel}", do: deleteChannel},
		{pattern: "POST /channels/{channel}/messages/{message}/threads", do: threadFromMessage},
		{pattern: "POST /channels/{channel}/threads", do: startThread},
		{pattern: "GET /channels/{channel}/threads/archived/public", do: archivedThreads},
		{pattern: "PUT /channels/{channel}/thread-members/@me", do: joinThread},
		{pattern: "PUT /channels/{channel}/permissions/{overwrite}", do: setOverwrite},
		{pattern: "DELETE /channels/{channel}/permissions/{overwrite}", do: setOverwrite},
		{pattern: "GET /guilds/{guild}", do: getGuild},
		{pattern: "GET /guilds/{guild}/channels", do: listChannels},
		{pattern: "POST /guilds/{guild}/channels", do: createChannel},
		{pattern: "GET /guilds/{guild}/threads/active", do: activeThreads},
		{pattern: "GET /guilds/{guild}/roles", do: listRoles},
		{pattern: "POST /guilds/{guild}/roles", do: createRole},
		{pattern: "PATCH /guilds/{guild}/roles/{role}", do: modifyRole},
		{pattern: "DELETE /guilds/{guild}/roles/{role}", do: deleteRole},
		{pattern: "GET /guilds/{guild}/members/{user}", do: getMember},
		{pattern: "GET /guilds/{guild}/members", do: listMembers},
		{pattern: "GET /guilds/{guild}/members/search", do: searchMembers},
		{pattern: "PUT /guilds/{guild}/members/{user}/roles/{role}", do: giveRole},
		{pattern: "DELETE /guilds/{guild}/members/{user}/roles/{role}", do: takeRole},
	}
}

// inGuild finds the guild of a call: 10004 if there is none or the bot is not in it (K), 50013 without the
// permission.
func (s *Server) inGuild(c *call, p Permission) (*guild, *refusal) {
	g := s.guilds[c.path("guild")]
	if g == nil || !g.in {
		return nil, refuse(10004)
	}
	if have := g.base(g.members[s.bot.ID]); !have.has(p) && !have.has(Administrator) {
		return nil, refuse(50013)
	}
	return g, nil
}

func getGuild(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	return s.guildObject(g), nil
}

// listChannels leaves threads out, but not channels that the bot cannot see (D: resources/guild, get guild
// channels).
func listChannels(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	out := []object{}
	for _, ch := range s.channelsOf(g) {
		if !ch.isThread() {
			out = append(out, s.channelObject(ch))
		}
	}
	return out, nil
}

func getChannel(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad != nil {
		return nil, bad
	}
	return s.channelObject(ch), nil
}

type channelDraft struct {
	Name        *string          `json:"name"`
	Type        ChannelType      `json:"type"`
	Topic       *string          `json:"topic"`
	Parent      *string          `json:"parent_id"`
	Slow        *int             `json:"rate_limit_per_user"`
	Overwrites  []overwriteDraft `json:"permission_overwrites"`
	Tags        []object         `json:"available_tags"`
	Archived    *bool            `json:"archived"`
	Locked      *bool            `json:"locked"`
	AutoArchive *int             `json:"auto_archive_duration"`
	AppliedTags []string         `json:"applied_tags"`
}

type overwriteDraft struct {
	ID    string          `json:"id"`
	Type  json.RawMessage `json:"type"`
	Allow string          `json:"allow"`
	Deny  string          `json:"deny"`
}

// check: a name of 1 to 100, a topic of at most 1024, of a forum 4096 (D: resources/channel, modify channel).
func (s *Server) checkChannel(d *channelDraft, kind ChannelType, g *guild) *refusal {
	if d.Name != nil && (chars(*d.Name) < 1 || chars(*d.Name) > 100) {
		return badLength("name", 1, 100)
	}
	most := 1024
	if kind == Forum {
		most = 4096
	}
	if d.Topic != nil && chars(*d.Topic) > most {
		return tooLong("topic", most)
	}
	if d.Parent != nil && *d.Parent != "" {
		p := s.channels[*d.Parent]
		if p == nil || p.guild != g || p.kind != Category {
			return invalid("parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist")
		}
	}
	return nil
}

// fill applies what a draft says. Text channels' names are lower case without spaces (K: the client and the
// API both make them so).
func (ch *channel) fill(d *channelDraft) {
	if d.Name != nil {
		ch.name = *d.Name
		if ch.kind == Text || ch.kind == Announcement || ch.kind == Forum {
			ch.name = strings.ToLower(strings.ReplaceAll(trimmed(*d.Name), " ", "-"))
		}
	}
	if d.Topic != nil {
		ch.topic = *d.Topic
	}
	if d.Parent != nil && !ch.isThread() {
		ch.parent = *d.Parent
	}
	if d.Slow != nil {
		ch.slow = *d.Slow
	}
	if d.Tags != nil {
		ch.tags = d.Tags
	}
	if d.Overwrites == nil {
		return
	}
	ch.overwrites = nil
	for _, w := range d.Overwrites {
		ch.overwrites = append(ch.overwrites, w.overwrite())
	}
}

func createChannel(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, ManageChannels)
	if bad != nil {
		return nil, bad
	}
	var d channelDraft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	if d.Name == nil {
		return nil, required("name")
	}
	switch d.Type {
	case Text, Category, Announcement, Forum, 2, 13:
	default:
		return nil, notOne("type", "(0, 2, 4, 5, 13, 14, 15, 16)")
	}
	if bad := s.checkChannel(&d, d.Type, g); bad != nil {
		return nil, bad
	}
	if len(s.channelsOf(g)) >= 500 {
		return nil, refuse(30013)
	}
	ch := &channel{id: s.newID(), kind: d.Type, guild: g}
	ch.fill(&d)
	s.addChannel(ch)
	s.emitChannel("CHANNEL_CREATE", ch)
	return created{s.channelObject(ch)}, nil
}

func modifyChannel(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad != nil {
		return nil, bad
	}
	var d channelDraft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	if ch.guild == nil {
		return nil, refuse(50003)
	}
	if bad := s.checkChannel(&d, ch.kind, ch.guild); bad != nil {
		return nil, bad
	}
	if ch.isThread() {
		return s.modifyThread(ch, &d)
	}
	if bad := s.may(ch, ManageChannels); bad != nil {
		return nil, bad
	}
	ch.fill(&d)
	s.emitChannel("CHANNEL_UPDATE", ch)
	return s.channelObject(ch), nil
}

// modifyThread: the owner may archive and rename, locking needs MANAGE_THREADS; an archived thread takes
// nothing else than being unarchived (D: resources/channel, modify channel; topics/threads).
func (s *Server) modifyThread(ch *channel, d *channelDraft) (any, *refusal) {
	t := ch.thread
	manages := s.permissions(s.bot.ID, ch).has(ManageThreads)
	switch {
	case !manages && (t.owner != s.bot.ID || t.locked || d.Locked != nil && *d.Locked):
		return nil, refuse(50013)
	case t.archived && (d.Archived == nil || *d.Archived) && d.Name != nil:
		return nil, refuse(50083)
	}
	ch.fill(d)
	archived, locked := t.archived, t.locked
	if d.Archived != nil {
		archived = *d.Archived
	}
	if d.Locked != nil {
		locked = *d.Locked
	}
	if d.AutoArchive != nil {
		t.autoArchive = *d.AutoArchive
	}
	if d.AppliedTags != nil {
		t.tags = d.AppliedTags
	}
	s.setArchived(ch, archived, locked)
	return s.channelObject(ch), nil
}

func deleteChannel(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad != nil {
		return nil, bad
	}
	need := ManageChannels
	if ch.isThread() {
		need = ManageThreads
	}
	if ch.guild != nil {
		if bad := s.may(ch, need); bad != nil {
			return nil, bad
		}
	}
	o := s.channelObject(ch)
	if ch.guild != nil { // closing a DM hides it, and it is there again with its next message
		s.dropChannel(ch)
	}
	return o, nil
}

func (s *Server) dropChannel(ch *channel) {
	event := "CHANNEL_DELETE"
	if ch.isThread() {
		event = "THREAD_DELETE"
	}
	s.emitChannel(event, ch)
	s.order = slices.DeleteFunc(s.order, func(id string) bool {
		return id == ch.id || s.channels[id].parent == ch.id && s.channels[id].isThread()
	})
	for id, c := range s.channels {
		switch {
		case c == ch || c.isThread() && c.parent == ch.id:
			delete(s.channels, id)
		case c.parent == ch.id:
			c.parent = ""
		}
	}
}
