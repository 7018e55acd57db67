package discord

import (
	"cmp"
	"slices"
	"time"
)

// thread is what makes a channel a thread (D: topics/threads).
type thread struct {
	owner            string
	archived, locked bool
	autoArchive      int // minutes
	since            time.Time
	created          time.Time
	members          []string
	count            int
	tags             []string
}

func (t *thread) join(user string) {
	if !slices.Contains(t.members, user) {
		t.members = append(t.members, user)
	}
}

func (t *thread) describe(o object, c *channel) {
	o["owner_id"], o["message_count"], o["member_count"], o["total_message_sent"] = t.owner, t.count, len(t.members), t.count
	o["applied_tags"] = append([]string{}, t.tags...)
	o["thread_metadata"] = object{
		"archived": t.archived, "locked": t.locked, "auto_archive_duration": t.autoArchive, "archive_timestamp": stamp(t.since),
		"create_timestamp": stamp(t.created),
	}
	o["guild_id"] = c.guildID()
}

// openThread makes a thread in parent; the bot is a member of those that it makes.
func (s *Server) openThread(parent *channel, name, owner string, kind ChannelType, archive int) *channel {
	return s.openThreadAs(s.newID(), parent, name, owner, kind, archive)
}

func (s *Server) openThreadAs(id string, parent *channel, name, owner string, kind ChannelType, archive int) *channel {
	now := time.Now()
	t := &channel{
		id: id, kind: kind, guild: parent.guild, name: name, parent: parent.id,
		thread: &thread{owner: owner, autoArchive: archive, since: now, created: now, members: []string{owner}},
	}
	s.addChannel(t)
	o := s.channelObject(t)
	o["newly_created"] = true
	s.emit("THREAD_CREATE", scope{guild: t.guild, channel: t, intent: IntentGuilds}, o)
	return t
}

// setArchived changes a thread and tells of it.
func (s *Server) setArchived(c *channel, archived, locked bool) {
	c.thread.archived, c.thread.locked, c.thread.since = archived, locked, time.Now()
	s.emitChannel("THREAD_UPDATE", c)
}

func (s *Server) emitChannel(event string, c *channel) {
	s.emit(event, scope{guild: c.guild, channel: c, intent: IntentGuilds}, s.channelObject(c))
}

type threadDraft struct {
	Name        string      `json:"name"`
	AutoArchive int         `json:"auto_archive_duration"`
	Type        ChannelType `json:"type"`
	Tags        []string    `json:"applied_tags"`
	Message     object      `json:"message"`
}

// checkThread: a name of 1 to 100 characters, four durations (D: resources/channel, start thread).
func (d *threadDraft) check() *refusal {
	if n := chars(d.Name); n < 1 || n > 100 {
		return badLength("name", 1, 100)
	}
	d.AutoArchive = cmp.Or(d.AutoArchive, 4320)
	if !slices.Contains([]int{60, 1440, 4320, 10080}, d.AutoArchive) {
		return notOne("auto_archive_duration", "(60, 1440, 4320, 10080)")
	}
	return nil
}

// threadFromMessage begins a thread at a message; the thread gets the message's id (D: resources/channel,
// start thread from message).
func threadFromMessage(s *Server, c *call) (any, *refusal) {
	ch, m, bad := s.liveMessage(c, CreatePublicThreads)
	if bad != nil {
		return nil, bad
	}
	var d threadDraft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	switch bad := d.check(); {
	case bad != nil:
		return nil, bad
	case ch.kind != Text && ch.kind != Announcement:
		return nil, refuse(50024)
	case m.started != nil:
		return nil, refuse(160004)
	}
	t := s.threadAt(m, d.Name, s.bot.ID, d.AutoArchive)
	return created{s.channelObject(t)}, nil
}

func (s *Server) threadAt(m *message, name, owner string, archive int) *channel {
	kind := PublicThread
	if m.channel.kind == Announcement {
		kind = AnnouncementThread
	}
	t := s.openThreadAs(m.id, m.channel, name, owner, kind, archive)
	m.started = t
	m.flags |= flagHasThread
	s.emitMessage("MESSAGE_UPDATE", m)
	return t
}

// startThread begins a thread without a message, or a post in a forum (D: resources/channel, start thread
// without message; start thread in forum).
func startThread(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, CreatePublicThreads)
	if bad != nil {
		return nil, bad
	}
	var d threadDraft
	if bad := c.into(&d); bad != nil {
		return nil, bad
	}
	if bad := d.check(); bad != nil {
		return nil, bad
	}
	switch ch.kind {
	case Forum:
		return s.forumPost(c, ch, d)
	case Text, Announcement:
	default:
		return nil, refuse(50024)
	}
	kind := cmp.Or(d.Type, PrivateThread) // D: the default, so that nobody sees it by mistake
	if kind != PublicThread && kind != PrivateThread && kind != AnnouncementThread {
		return nil, notOne("type", "(10, 11, 12)")
	}
	t := s.openThread(ch, d.Name, s.bot.ID, kind, d.AutoArchive)
	if kind != PrivateThread {
		s.post(&message{channel: ch, author: s.bot.ID, kind: kindThreadCreated, content: d.Name, started: t})
	}
	return created{s.channelObject(t)}, nil
}

func (s *Server) forumPost(c *call, ch *channel, d threadDraft) (any, *refusal) {
	if d.Message == nil {
		return nil, required("message")
	}
	if bad := s.may(ch, SendMessages); bad != nil {
		return nil, bad
	}
	inner := &call{path: c.path, query: c.query, body: encode(d.Message), files: c.files}
	first, bad := inner.read()
	if bad != nil {
		return nil, bad
	}
	m := &message{channel: ch, author: s.bot.ID, flags: first.Flags & flagSuppress}
	if bad := s.compose(m, first, inner); bad != nil {
		return nil, bad
	}
	t := s.openThread(ch, d.Name, s.bot.ID, PublicThread, d.AutoArchive)
	t.thread.tags = d.Tags
	m.channel = t
	s.resolveMentions(m, first.AllowedMentions, everybody, s.permissions(s.bot.ID, t))
	s.postAs(t.id, m)
	o := s.channelObject(t)
	o["message"] = s.messageObject(m)
	return created{o}, nil
}

// activeThreads of a guild (D: resources/guild, list active guild threads).
func activeThreads(s *Server, c *call) (any, *refusal) {
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, bad
	}
	return s.threadList(s.channelsOf(g), false), nil
}

// archivedThreads of a channel (D: resources/channel, list public archived threads).
func archivedThreads(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, ReadMessageHistory)
	if bad != nil {
		return nil, bad
	}
	var own []*channel
	for _, t := range s.channelsOf(ch.guild) {
		if t.parent == ch.id {
			own = append(own, t)
		}
	}
	return s.threadList(own, true), nil
}

func (s *Server) threadList(all []*channel, archived bool) object {
	threads, members := []object{}, []object{}
	for _, t := range all {
		if !t.isThread() || t.thread.archived != archived || !s.permissions(s.bot.ID, t).has(ViewChannel) {
			continue
		}
		threads = append(threads, s.channelObject(t))
		if slices.Contains(t.thread.members, s.bot.ID) {
			members = append(members, object{"id": t.id, "user_id": s.bot.ID, "join_timestamp": stamp(t.thread.created), "flags": 0})
		}
	}
	return object{"threads": threads, "members": members, "has_more": false}
}

func joinThread(s *Server, c *call) (any, *refusal) {
	ch, bad := s.inChannel(c, 0)
	if bad != nil {
		return nil, bad
	}
	if !ch.isThread() {
		return nil, refuse(50024)
	}
	if bad := s.editable(ch); bad != nil {
		return nil, bad
	}
	ch.thread.join(s.bot.ID)
	return nil, nil
}
