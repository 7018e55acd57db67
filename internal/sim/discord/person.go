package discord

import (
	"fmt"
)

// Person is one of the people, for a test to act as.
type Person struct {
	s   *Server
	key string
}

// User finds a person by id or name.
func (s *Server) User(key string) *Person { return &Person{s, key} }

func (p *Person) user() (*User, error) {
	if u := p.s.user(p.key); u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("discord sim: there is no user %q", p.key)
}

// Said is something that a person writes.
type Said struct {
	Channel string // id or name of a channel or thread; "": the DM with the bot
	Text    string // mentions as on the wire; Mention helps
	Reply   string // the message that it answers; "": none
	NoPing  bool   // a reply that does not notify whom it answers
	Files   []File
	// Change alters the message wherever the API shows it, for what this type has no field for and for what
	// no library knows.
	Change func(d map[string]any)
}

// File is a file that a person uploads.
type File struct {
	Name, Type string
	Data       []byte
}

// Say writes a message. It gives the message's id.
func (p *Person) Say(channel, text string) (string, error) {
	return p.Send(Said{Channel: channel, Text: text})
}

// DM writes to the bot. It gives the message's id.
func (p *Person) DM(text string) (string, error) { return p.Send(Said{Text: text}) }

// Send writes a message. It gives the message's id.
func (p *Person) Send(w Said) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, ch, err := p.in(w.Channel)
	if err != nil {
		return "", err
	}
	if chars(w.Text) > 4000 { // with Nitro; the client refuses more
		return "", fmt.Errorf("discord sim: %s: a message of %d characters is too long", u.Name, chars(w.Text))
	}
	if err := s.speaks(u, ch); err != nil {
		return "", err
	}
	m := &message{channel: ch, author: u.ID, content: w.Text, alter: w.Change}
	if w.Reply != "" {
		parent, bad := ch.live(w.Reply)
		if bad != nil {
			return "", fmt.Errorf("discord sim: %s: message %s: %s", ch.name, w.Reply, bad)
		}
		m.replyTo, m.replyID, m.kind = parent, parent.id, kindReply
	}
	kinds := []string{"users", "roles", "everyone"}
	s.resolveMentions(m, &allowed{Parse: &kinds, RepliedUser: !w.NoPing}, everybody, s.permissions(u.ID, ch))
	for _, f := range w.Files {
		id := s.newID()
		s.stored[id] = f.Data
		url := s.URL() + "/attachments/" + ch.id + "/" + id + "/" + f.Name
		m.attachments = append(m.attachments, object{
			"id": id, "filename": f.Name, "size": len(f.Data), "content_type": f.Type, "url": url, "proxy_url": url,
		})
	}
	s.post(m)
	return m.id, nil
}

// in finds the person and the place, which they must see.
func (p *Person) in(channel string) (*User, *channel, error) {
	s := p.s
	u, err := p.user()
	if err != nil {
		return nil, nil, err
	}
	if channel == "" || channel == "@"+s.bot.Name {
		return u, s.openDM(u.ID), nil
	}
	ch, err := s.place(channel)
	switch {
	case err != nil:
		return nil, nil, err
	case !s.permissions(u.ID, ch).has(ViewChannel):
		return nil, nil, fmt.Errorf("discord sim: %s does not see %s", u.Name, channel)
	}
	return u, ch, nil
}

func (s *Server) place(channel string) (*channel, error) {
	if ch := s.find(channel); ch != nil {
		return ch, nil
	}
	return nil, fmt.Errorf("discord sim: there is no channel %q", channel)
}

// speaks says whether somebody may write in a place; writing in an archived thread brings it back.
func (s *Server) speaks(u *User, ch *channel) error {
	may := s.permissions(u.ID, ch)
	need := SendMessages
	if ch.isThread() {
		need = SendInThreads
	}
	switch {
	case ch.kind == Category || ch.kind == Forum:
		return fmt.Errorf("discord sim: %s takes no messages", ch.name)
	case !may.has(need), ch.isThread() && ch.thread.locked && !may.has(ManageThreads):
		return fmt.Errorf("discord sim: %s may not write in %s", u.Name, ch.name)
	}
	return nil
}

// own finds a message of the person's.
func (p *Person) own(channel, id string) (*message, error) {
	u, ch, err := p.in(channel)
	if err != nil {
		return nil, err
	}
	m, bad := ch.live(id)
	if bad != nil || m.author != u.ID {
		return nil, fmt.Errorf("discord sim: %s has no message %s in %s", u.Name, id, channel)
	}
	return m, nil
}

// Edit changes a message of the person's.
func (p *Person) Edit(channel, id, text string) error {
	p.s.lock()
	defer p.s.unlock()
	m, err := p.own(channel, id)
	if err != nil {
		return err
	}
	pings := m.pings
	m.content = text
	p.s.resolveMentions(m, nil, everybody, p.s.permissions(m.author, m.channel))
	m.pings = pings
	p.s.edited(m)
	return nil
}

// Delete deletes a message of the person's, or anybody's if they may manage messages.
func (p *Person) Delete(channel, id string) error {
	p.s.lock()
	defer p.s.unlock()
	u, ch, err := p.in(channel)
	if err != nil {
		return err
	}
	m, bad := ch.live(id)
	if bad != nil || m.author != u.ID && (ch.guild == nil || !p.s.permissions(u.ID, ch).has(ManageMessages)) {
		return fmt.Errorf("discord sim: %s cannot delete message %s in %s", u.Name, id, channel)
	}
	p.s.remove(m)
	return nil
}

// React adds a reaction.
func (p *Person) React(channel, id, emoji string) error {
	return p.reacts(channel, id, func(m *message, u *User) error {
		p.s.addReaction(m, u.ID, emoji)
		return nil
	})
}

// Unreact takes a reaction back.
func (p *Person) Unreact(channel, id, emoji string) error {
	return p.reacts(channel, id, func(m *message, u *User) error {
		if !p.s.dropReaction(m, u.ID, emoji) {
			return fmt.Errorf("discord sim: %s has not reacted with %s", u.Name, emoji)
		}
		return nil
	})
}

func (p *Person) reacts(channel, id string, do func(*message, *User) error) error {
	p.s.lock()
	defer p.s.unlock()
	u, ch, err := p.in(channel)
	if err != nil {
		return err
	}
	m, bad := ch.live(id)
	if bad != nil {
		return fmt.Errorf("discord sim: %s: message %s: %s", channel, id, bad)
	}
	return do(m, u)
}

// Thread begins a thread at a message, or without one if id is empty; in a forum it is a post, with text as
// its first message. It gives the thread's id.
func (p *Person) Thread(place, id, name, text string) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, ch, err := p.in(place)
	if err != nil {
		return "", err
	}
	if ch.guild == nil || ch.isThread() || ch.kind == Category {
		return "", fmt.Errorf("discord sim: %s takes no threads", place)
	}
	var t *channel
	if id != "" {
		m, bad := ch.live(id)
		if bad != nil || m.started != nil {
			return "", fmt.Errorf("discord sim: %s: no thread can begin at message %s", place, id)
		}
		t = s.threadAt(m, name, u.ID, 4320)
	} else {
		t = s.openThread(ch, name, u.ID, PublicThread, 4320)
	}
	if text != "" {
		m := &message{channel: t, author: u.ID, content: text}
		s.resolveMentions(m, nil, everybody, s.permissions(u.ID, t))
		if ch.kind == Forum {
			s.postAs(t.id, m)
		} else {
			s.post(m)
		}
	}
	return t.id, nil
}

// Mention is how a user, by id or name, or a role of any guild, by name, is mentioned on the wire.
func (s *Server) Mention(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.user(key); u != nil {
		return "<@" + u.ID + ">"
	}
	for _, id := range s.guildOrder {
		if r := s.guilds[id].role(key); r != nil {
			return "<@&" + r.id + ">"
		}
	}
	return "@" + key
}

// roleName is a role's name, for the transcript.
func (s *Server) roleName(id string) string {
	for _, g := range s.guilds {
		if r := g.roles[id]; r != nil {
			return r.name
		}
	}
	return id
}

func (s *Server) memberNamed(g *guild, key string) *member {
	u := s.user(key)
	if u == nil || g == nil {
		return nil
	}
	return g.members[u.ID]
}
