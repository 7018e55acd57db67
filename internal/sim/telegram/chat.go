package telegram

import (
	"encoding/json"
	"slices"
	"strconv"
)

type kind string

const (
	private    kind = "private"
	group      kind = "group"
	supergroup kind = "supergroup"
)

// general is the topic of a forum that is always there.
const general = 1

type chat struct {
	id      int64
	kind    kind
	title   string
	forum   bool
	topics  map[int64]string
	members []int64
	in      bool // the bot is a member
	admin   bool // and an administrator
	started bool // of a private chat: its person has written to the bot
	blocked bool // and blocked it
	deleted bool // the account is no more
	moved   int64
	byID    map[int64]*message
	all     []*message
	gone    int   // of all, those that were deleted
	last    int64 // message id
	action  string
	draft   *draft
}

type message struct {
	id, from, at, edited int64
	text                 string
	entities             json.RawMessage
	thread, replyTo      int64
	buttons              [][]button
	markup               json.RawMessage
	silent, deleted      bool
	reaction             string // the bot's
	extra                object // service fields and media
	media                *Media
}

type button struct {
	Text string `json:"text"`
	Data string `json:"callback_data"`
	URL  string `json:"url,omitempty"`
}

// add gives a message its id in the chat.
func (c *chat) add(m *message) *message {
	c.last++
	if m.from == botID {
		c.draft = nil
	}
	m.id, m.at = c.last, now()
	c.byID[m.id] = m
	c.all = append(c.all, m)
	return m
}

func (s *Server) chatObject(c *chat) object {
	o := object{"id": c.id, "type": string(c.kind)}
	if c.kind == private {
		u := s.users[c.id]
		o["first_name"], o["username"] = u.First, u.Username
		return o
	}
	o["title"] = c.title
	if c.forum {
		o["is_forum"] = true
	}
	return o
}

func userObject(u *User) object {
	return object{"id": u.ID, "is_bot": u.Bot, "first_name": u.First, "username": u.Username}
}

// messageObject is a Message (D: Message). It holds the message it answers one level deep.
func (s *Server) messageObject(c *chat, m *message, deep bool) object {
	o := object{"message_id": m.id, "date": m.at, "chat": s.chatObject(c), "from": userObject(s.users[m.from])}
	if m.text != "" {
		text, entities := "text", "entities"
		if m.media != nil {
			text, entities = "caption", "caption_entities"
		}
		o[text] = m.text
		if len(m.entities) > 0 {
			o[entities] = m.entities
		}
	}
	if m.edited > 0 {
		o["edit_date"] = m.edited
	}
	if m.thread != 0 {
		o["message_thread_id"] = m.thread
		o["is_topic_message"] = true
	}
	if len(m.markup) > 0 {
		o["reply_markup"] = m.markup
	}
	for k, v := range m.extra {
		o[k] = v
	}
	to := c.byID[m.replyTo]
	if to == nil && m.thread != 0 {
		// What answers nothing in a topic answers, to the Bot API, the message that made the topic (K).
		to = &message{id: m.thread, from: botID, thread: m.thread, extra: object{"forum_topic_created": object{"name": c.topics[m.thread]}}}
	}
	if deep && to != nil {
		o["reply_to_message"] = s.messageObject(c, to, false)
	}
	return o
}

// hears says whether privacy mode lets the bot see a person's message (D: bot features, privacy mode).
func (s *Server) hears(c *chat, m *message) bool {
	switch to := c.byID[m.replyTo]; {
	case c.kind == private:
		return !c.blocked
	case !c.in:
		return false
	case s.opts.ReadsAll || c.admin || to != nil && to.from == botID:
		return true
	}
	return s.namesBot(m)
}

// namesBot says whether a text has a command for this bot or mentions it.
func (s *Server) namesBot(m *message) bool {
	for _, e := range detect(m.text) {
		switch word, bot := cutBot(slice16(m.text, e.Offset, e.Length)); {
		case e.Type == "mention" && word == "" && sameName(bot, s.opts.Username):
			return true
		case e.Type == "bot_command" && (bot == "" || sameName(bot, s.opts.Username)):
			return true
		}
	}
	return false
}

// sendTo finds where the bot wants to send, or why it may not.
func (s *Server) sendTo(p params) (*chat, int64, *refusal) {
	if p["chat_id"] == "" {
		return nil, 0, bad("chat_id is empty") // K
	}
	id, ok := p.number("chat_id")
	c := s.chats[id]
	switch {
	case !ok || c == nil:
		return nil, 0, bad("chat not found") // P: openclaw docs, telegram/troubleshooting
	case c.moved != 0:
		// D: ResponseParameters
		return nil, 0, &refusal{code: 400, text: "Bad Request: group chat was upgraded to a supergroup chat", migrate: c.moved}
	case c.deleted:
		return nil, 0, forbidden("user is deactivated") // K
	case c.kind == private && c.blocked:
		return nil, 0, forbidden("bot was blocked by the user") // K
	case c.kind == private && !c.started:
		return nil, 0, forbidden("bot can't initiate conversation with a user") // D: bots FAQ; the wording is K
	case c.kind != private && !c.in:
		return nil, 0, forbidden("bot was kicked from the " + string(c.kind) + " chat") // K
	}
	thread, no := c.topic(p)
	return c, thread, no
}

// topic reads message_thread_id. General is 1 and refused: what goes there names no topic (P: openclaw
// docs, telegram/threads-and-sessions).
func (c *chat) topic(p params) (int64, *refusal) {
	if p["message_thread_id"] == "" {
		return 0, nil
	}
	id, ok := p.number("message_thread_id")
	if _, there := c.topics[id]; !ok || !c.forum || id == general || !there {
		return 0, bad("message thread not found")
	}
	return id, nil
}

// Migrate makes a group a supergroup with a new id, in which message ids begin anew (D: Message,
// migrate_to_chat_id). Without service the bot is not told.
func (s *Server) Migrate(old, id int64, service bool) {
	s.lock()
	defer s.unlock()
	c := s.chats[old]
	c.moved = id
	next := &chat{id: id, kind: supergroup, title: c.title, members: slices.Clone(c.members), in: c.in, admin: c.admin, topics: map[int64]string{}}
	s.addChat(next)
	from := c.members[0]
	to := c.add(&message{from: from, extra: object{"migrate_to_chat_id": id}})
	back := next.add(&message{from: from, extra: object{"migrate_from_chat_id": old}})
	if service && c.in {
		s.emit("message", s.messageObject(c, to, true))
		s.emit("message", s.messageObject(next, back, true))
	}
}

// MigrateTold makes a group a supergroup twice over three ids, and tells the bot of the later step first.
func (s *Server) MigrateTold(ids [3]int64, service bool) {
	s.Migrate(ids[0], ids[1], false)
	s.Migrate(ids[1], ids[2], service)
	s.lock()
	defer s.unlock()
	for _, id := range ids[:2] {
		c := s.chats[id]
		if id == ids[0] && service {
			s.emit("message", s.messageObject(c, c.all[len(c.all)-1], true))
		}
	}
}

// Forget makes the server know nothing of a chat that became another.
func (s *Server) Forget(id int64) { s.set(func() { s.chats[id].moved = 0; s.chats[id].in = false }) }

// DeleteTopic deletes a topic of a forum.
func (s *Server) DeleteTopic(chat, topic int64) {
	s.set(func() { delete(s.chats[chat].topics, topic) })
}

// AddBot brings the bot into a group, RemoveBot takes it out; the bot is told (D: my_chat_member).
func (s *Server) AddBot(chat, by int64) { s.membership(chat, by, true) }

// RemoveBot takes the bot out of a group.
func (s *Server) RemoveBot(chat, by int64) { s.membership(chat, by, false) }

func (s *Server) membership(id, by int64, in bool) {
	s.lock()
	defer s.unlock()
	c := s.chats[id]
	c.in = in
	s.memberUpdate(c, by, map[bool]string{true: "member", false: "kicked"}[in])
}

func (s *Server) memberUpdate(c *chat, by int64, status string) {
	s.emit("my_chat_member", object{
		"chat": s.chatObject(c), "from": userObject(s.users[by]), "date": now(),
		"old_chat_member": object{"user": userObject(s.users[botID]), "status": "left"},
		"new_chat_member": object{"user": userObject(s.users[botID]), "status": status},
	})
}

func getChat(s *Server, p params) (any, *refusal) {
	id, _ := p.number("chat_id")
	c := s.chats[id]
	switch {
	case c == nil || c.kind == private && !c.started || c.kind != private && !c.in && c.moved == 0:
		return nil, bad("chat not found") // K: for a group that the bot was thrown out of it is a 403
	case c.moved != 0:
		return nil, &refusal{code: 400, text: "Bad Request: group chat was upgraded to a supergroup chat", migrate: c.moved} // K
	}
	return s.chatObject(c), nil
}

func getChatMember(s *Server, p params) (any, *refusal) {
	id, _ := p.number("chat_id")
	who, _ := p.number("user_id")
	c, u := s.chats[id], s.users[who]
	if c == nil || u == nil {
		return nil, bad("chat not found")
	}
	status := "left"
	switch {
	case who == botID && c.admin:
		status = "administrator"
	case who == botID && c.in, slices.Contains(c.members, who):
		status = "member"
	}
	return object{"user": userObject(u), "status": status}, nil
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
