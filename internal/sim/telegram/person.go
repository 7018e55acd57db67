package telegram

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Person is one of the people, for a test to act as.
type Person struct {
	s  *Server
	id int64
}

// User finds a person by id.
func (s *Server) User(id int64) *Person { return &Person{s, id} }

// Said is something that a person writes.
type Said struct {
	Chat  int64 // 0: the private chat with the bot
	Topic int64 // of a forum; 0: General
	Text  string
	// Reply is the message that it answers natively; 0: none.
	Reply int64
	// Media is a file; Text is its caption then. Album is the media_group_id of several.
	Media *Media
	Album string
	// Extra are fields of the message beside those: media, a caption, entities.
	Extra map[string]any
}

// DeleteAccount ends the account: whoever asks gets its id and nothing else
// (core.telegram.org/tdlib, userTypeDeleted), and what is sent to it is refused.
func (p *Person) DeleteAccount() error {
	s := p.s
	s.lock()
	defer s.unlock()
	u, c := s.users[p.id], s.chats[p.id]
	if u == nil || c == nil {
		return fmt.Errorf("telegram sim: there is no user %d", p.id)
	}
	u.First, u.Username, c.deleted = "", "", true
	return nil
}

// Start presses Start in the private chat, as everybody has to before the bot may write to them.
func (p *Person) Start() int64 {
	id, _ := p.Say(Said{Text: "/start"}) // a private chat takes everything
	return id
}

// DM writes to the bot. It gives the message's id.
func (p *Person) DM(text string) int64 {
	id, _ := p.Say(Said{Text: text}) // a private chat takes everything
	return id
}

// Say writes something. It gives the message's id in its chat.
func (p *Person) Say(w Said) (int64, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	if w.Chat == 0 {
		w.Chat = p.id
	}
	c := s.chats[w.Chat]
	switch {
	case c == nil || s.users[p.id] == nil:
		return 0, fmt.Errorf("telegram sim: user %d cannot write to chat %d: there is none", p.id, w.Chat)
	case c.moved != 0 || !slices.Contains(c.members, p.id):
		return 0, fmt.Errorf("telegram sim: user %d is not in chat %d", p.id, w.Chat)
	case w.Topic != 0 && w.Topic != general && c.topics[w.Topic] == "":
		return 0, fmt.Errorf("telegram sim: chat %d has no topic %d", w.Chat, w.Topic)
	}
	if c.kind == private {
		c.started, c.blocked = true, false
	}
	m := &message{from: p.id, text: w.Text, replyTo: w.Reply, extra: w.Extra}
	if w.Topic != general {
		m.thread = w.Topic
	}
	m.entities = marked(w.Text)
	if w.Media != nil {
		m.extra = maps.Clone(w.Extra)
		s.attach(m, w.Media)
	}
	if w.Album != "" {
		m.extra["media_group_id"] = w.Album
	}
	c.add(m)
	if s.hears(c, m) {
		s.emit("message", s.messageObject(c, m, true))
	}
	return m.id, nil
}

func marked(text string) json.RawMessage {
	all := detect(text)
	if len(all) == 0 {
		return nil
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil
	}
	return raw
}

// Edit changes a message of the person's.
func (p *Person) Edit(chat, id int64, text string) error {
	s := p.s
	s.lock()
	defer s.unlock()
	if chat == 0 {
		chat = p.id
	}
	c := s.chats[chat]
	if c == nil || c.byID[id] == nil || c.byID[id].from != p.id {
		return fmt.Errorf("telegram sim: user %d has no message %d in chat %d", p.id, id, chat)
	}
	m := c.byID[id]
	m.text, m.entities, m.edited = text, marked(text), now()
	if s.hears(c, m) {
		s.emit("edited_message", s.messageObject(c, m, true))
	}
	return nil
}

// Press presses a button under a message by its label. It gives the query's id, for Answered.
func (p *Person) Press(chat, id int64, label string) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	if chat == 0 {
		chat = p.id
	}
	c := s.chats[chat]
	if c == nil || c.byID[id] == nil {
		return "", fmt.Errorf("telegram sim: there is no message %d in chat %d", id, chat)
	}
	for _, b := range slices.Concat(c.byID[id].buttons...) {
		if b.Text == label {
			s.nextQuery++
			key := "q" + itoa(s.nextQuery)
			s.queries[key] = &query{}
			s.emit("callback_query", object{
				"id": key, "from": userObject(s.users[p.id]), "message": s.messageObject(c, c.byID[id], true),
				"chat_instance": "1", "data": b.Data,
			})
			return key, nil
		}
	}
	return "", fmt.Errorf("telegram sim: message %d in chat %d has no button %q", id, chat, label)
}

// Answered is what a press was answered, and whether it was.
func (s *Server) Answered(key string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queries[key]
	return q.text, q.answered
}

// Block blocks the bot in the private chat; writing to it again ends that.
func (p *Person) Block() {
	p.s.lock()
	defer p.s.unlock()
	c := p.s.chats[p.id]
	c.blocked = true
	p.s.memberUpdate(c, p.id, "kicked")
}

// Commands are the bot's menu for all, or, with a chat, that chat's own.
func (s *Server) Commands(chat ...int64) []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope := ""
	if len(chat) > 0 {
		scope = strconv.FormatInt(chat[0], 10)
	}
	return slices.Clone(s.commands[scope])
}

// Entry is one message as a person sees it.
type Entry struct {
	ID      int64
	Author  string // the first name
	Ours    bool   // the bot wrote it
	Text    string
	Topic   int64
	ReplyTo int64
	Edited  bool
	Silent  bool
	Buttons []string // their labels
	// File is the file of the message, if it has one.
	File *Media
	// Reaction is the bot's, an emoji.
	Reaction string
	// Marks are the formatted pieces, as "bold: alice".
	Marks []string
	// Draft is the number of a draft, which is no message and has no ID.
	Draft int64
}

// Transcript is what there is to see in a chat, oldest first; a person's id is their private chat.
func (s *Server) Transcript(id int64) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[id]
	if c == nil {
		return nil
	}
	var out []Entry
	for _, m := range c.all {
		if m.deleted {
			continue
		}
		e := Entry{
			ID: m.id, Author: s.users[m.from].First, Ours: m.from == botID, Text: m.text, Topic: m.thread,
			ReplyTo: m.replyTo, Edited: m.edited > 0, Silent: m.silent, Reaction: m.reaction, File: m.media,
		}
		for _, b := range slices.Concat(m.buttons...) {
			e.Buttons = append(e.Buttons, b.Text)
		}
		e.Marks = marksOf(m.text, m.entities)
		out = append(out, e)
	}
	return out
}

// marksOf are the formatted pieces of a text.
func marksOf(text string, entities json.RawMessage) (out []string) {
	var marks []entity
	if json.Unmarshal(entities, &marks) != nil {
		return nil
	}
	for _, x := range marks {
		out = append(out, x.Type+": "+slice16(text, x.Offset, x.Length))
	}
	return out
}

// Count is how many messages Transcript would show, at less cost.
func (s *Server) Count(id int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[id]; c != nil {
		return len(c.all) - c.gone
	}
	return 0
}

// Chats are the ids of all chats, in the order in which they came to be.
func (s *Server) Chats() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// Title is what a chat is called.
func (s *Server) Title(id int64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c := s.chats[id]; {
	case c == nil:
		return itoa(id)
	case c.kind == private:
		return "@" + s.users[id].First
	default:
		return c.title
	}
}

// Summary tells how things stand, for the message of a failed test.
func (s *Server) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pending updates %d, polling %v\n", s.Pending(), s.Polling())
	calls := s.Calls()
	for _, c := range calls[max(0, len(calls)-12):] {
		fmt.Fprintf(&b, "  %s %s -> %d %s\n", c.Time.Format("15:04:05.000"), c.Method, c.Status, c.Error)
	}
	for _, id := range s.Chats() {
		all := s.Transcript(id)
		for _, e := range all[max(0, len(all)-6):] {
			fmt.Fprintf(&b, "  %s %d %s: %q\n", s.Title(id), e.ID, e.Author, e.Text)
		}
		if e, ok := s.Draft(id); ok {
			fmt.Fprintf(&b, "  %s draft %d: %q\n", s.Title(id), e.Draft, e.Text)
		}
	}
	return b.String()
}
