package slack

import (
	"fmt"
)

// Person acts as one user of the workspace, as if from Slack's own client. Channels are named by id
// or by name. Its methods fail with an error where the client would not let the person do it.
type Person struct {
	s  *Server
	id string
}

// User is the person with this id or handle. Whether there is one shows when they act.
func (s *Server) User(id string) *Person { return &Person{s: s, id: id} }

// as finds the acting user and the conversation, which must be one that they are in.
func (p *Person) as(channel string) (*User, *conversation, error) {
	u, err := p.user()
	if err != nil {
		return nil, nil, err
	}
	c := p.s.find(channel)
	switch {
	case c == nil:
		return nil, nil, fmt.Errorf("slack sim: %s: there is no channel %q", u.Name, channel)
	case !c.has(u.ID):
		return nil, nil, fmt.Errorf("slack sim: %s is not in %s", u.Name, p.s.label(c))
	case c.archived:
		return nil, nil, fmt.Errorf("slack sim: %s: %s is archived", u.Name, p.s.label(c))
	}
	return u, c, nil
}

func (p *Person) user() (*User, error) {
	u := p.s.users[p.id]
	if u == nil {
		u = p.s.userByName(p.id)
	}
	switch {
	case u == nil:
		return nil, fmt.Errorf("slack sim: there is no user %q", p.id)
	case u.Deleted:
		return nil, fmt.Errorf("slack sim: user %s is deactivated", u.Name)
	}
	return u, nil
}

func (s *Server) label(c *conversation) string {
	if c.direct() {
		return c.id
	}
	return "#" + c.name
}

// Post says text in a channel and returns the message's ts. Text is what the person types: & < > are
// escaped, @handles and #channels become mentions, as do <@U…>, <#C…>, <!channel> as they stand, and
// addresses become links.
func (p *Person) Post(channel, text string) (ts string, err error) {
	return p.post(channel, "", text, func(*message) {})
}

// Reply says text in the thread of the message rootTS. A reply's ts leads to its root, as in the
// client.
func (p *Person) Reply(channel, rootTS, text string) (ts string, err error) {
	return p.post(channel, rootTS, text, func(*message) {})
}

// ReplyBroadcast is Reply with "also send to channel" ticked: a thread_broadcast.
func (p *Person) ReplyBroadcast(channel, rootTS, text string) (ts string, err error) {
	return p.post(channel, rootTS, text, func(m *message) { m.subtype, m.broadcast = "thread_broadcast", true })
}

// Me says text as "/me text" does.
func (p *Person) Me(channel, text string) (ts string, err error) {
	return p.post(channel, "", text, func(m *message) { m.subtype, m.blocks = "me_message", nil })
}

// DM says text to the bot in private.
func (p *Person) DM(text string) (ts string, err error) {
	id, err := p.DMChannel()
	if err != nil {
		return "", err
	}
	return p.Post(id, text)
}

// DMChannel is the id of the person's DM with the bot, opened if it was not.
func (p *Person) DMChannel() (string, error) {
	p.s.lock()
	defer p.s.unlock()
	u, err := p.user()
	if err != nil {
		return "", err
	}
	c := p.s.dm(u.ID)
	c.open = true
	return c.id, nil
}

// GroupDM is the id of the direct talk of the person, the bot and others together, opened if it was not.
func (p *Person) GroupDM(others ...string) (string, error) {
	p.s.lock()
	defer p.s.unlock()
	u, err := p.user()
	if err != nil {
		return "", err
	}
	members := []string{u.ID}
	for _, id := range others {
		if p.s.users[id] == nil {
			return "", fmt.Errorf("slack sim: there is nobody with the id %q", id)
		}
		members = append(members, id)
	}
	c := p.s.directWith(members)
	c.open = true
	return c.id, nil
}

func (p *Person) post(channel, rootTS, text string, shape func(*message)) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, c, err := p.as(channel)
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", fmt.Errorf("slack sim: %s: an empty message cannot be sent", u.Name)
	}
	content := s.compose(text)
	m := &message{user: u.ID, team: u.TeamID, text: content.wire, blocks: content.blocks(s.ids.next("rt"))}
	if u.Bot {
		m.botID, m.appID = u.BotID, u.AppID // another app's post has no client
	} else {
		m.clientMsgID = s.ids.uuid()
	}
	if rootTS != "" {
		root := c.byTS[rootTS]
		if root == nil || root.deleted {
			return "", fmt.Errorf("slack sim: %s: no message %s in %s to reply to", u.Name, rootTS, s.label(c))
		}
		if root.root != nil {
			root = root.root
		}
		m.root, m.threadTS = root, root.ts
	}
	shape(m)
	s.publish(c, m)
	return m.ts, nil
}

// own finds a message that the person wrote.
func (p *Person) own(channel, ts string) (*conversation, *message, error) {
	u, c, err := p.as(channel)
	if err != nil {
		return nil, nil, err
	}
	m := c.byTS[ts]
	if m == nil || m.deleted || m.user != u.ID {
		return nil, nil, fmt.Errorf("slack sim: %s has no message %s in %s", u.Name, ts, p.s.label(c))
	}
	return c, m, nil
}

// Edit changes the text of one of the person's messages.
func (p *Person) Edit(channel, ts, text string) error {
	s := p.s
	s.lock()
	defer s.unlock()
	c, m, err := p.own(channel, ts)
	if err != nil {
		return err
	}
	before := m.clone()
	content := s.compose(text)
	m.text, m.blocks = content.wire, content.blocks(s.ids.next("rt"))
	m.edited = &edit{user: m.user, ts: s.ids.ts()}
	s.emitChanged(c, m, before)
	return nil
}

// Delete deletes one of the person's messages.
func (p *Person) Delete(channel, ts string) error {
	p.s.lock()
	defer p.s.unlock()
	c, m, err := p.own(channel, ts)
	if err != nil {
		return err
	}
	p.s.remove(c, m)
	return nil
}

// React adds a reaction, named without colons, to a message.
func (p *Person) React(channel, ts, emoji string) error {
	return p.reaction(channel, ts, emoji, p.s.react)
}

// Unreact takes it away again.
func (p *Person) Unreact(channel, ts, emoji string) error {
	return p.reaction(channel, ts, emoji, p.s.unreact)
}

func (p *Person) reaction(channel, ts, emoji string, do func(*conversation, *message, string, string) bool) error {
	p.s.lock()
	defer p.s.unlock()
	u, c, err := p.as(channel)
	if err != nil {
		return err
	}
	m := c.byTS[ts]
	switch {
	case m == nil || m.deleted:
		return fmt.Errorf("slack sim: %s: no message %s in %s", u.Name, ts, p.s.label(c))
	case !p.s.knownEmoji(emoji):
		return fmt.Errorf("slack sim: %s: there is no emoji %q", u.Name, emoji)
	case !do(c, m, u.ID, emoji):
		return fmt.Errorf("slack sim: %s: :%s: on %s is as it was asked to be already", u.Name, emoji, ts)
	}
	return nil
}

// OpenHome looks at the bot's page, on the tab "home" or "messages".
func (p *Person) OpenHome(tab string) error {
	p.s.lock()
	defer p.s.unlock()
	u, err := p.user()
	if err != nil {
		return err
	}
	e := map[string]any{"type": "app_home_opened", "user": u.ID, "channel": p.s.dm(u.ID).id, "tab": tab}
	if home := p.s.homes[u.ID]; home != nil && tab == "home" {
		e["view"] = p.s.viewObject(home)
	}
	p.s.emit(e)
	return nil
}
