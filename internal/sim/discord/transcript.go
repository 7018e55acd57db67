package discord

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Entry is one message as people see it.
type Entry struct {
	ID        string
	Author    string // the name it is headed with: a nickname, a global name, or that of a persona
	AuthorID  string // a user's or a webhook's
	Avatar    string // URL of a persona's picture
	App       bool   // it has the badge APP
	Ours      bool   // the app wrote it, itself or by a webhook of its own
	Text      string // readable: mentions by name
	Wire      string // the content as it is on the wire
	Embeds    []string
	Shows     string // the text of components V2
	Files     []string
	Buttons   []Button
	Reactions map[string][]string // emoji to the names of who added it
	ReplyTo   string              // id
	Edited    bool
	Silent    bool
	Loading   bool     // a deferred answer that is not there yet
	OnlyFor   string   // name of the only one who sees it; empty: everybody
	Pings     []string // whom it notified when it was posted: "maria", "@role", "@everyone"
	Thread    string   // id of the thread that began at it
	Posted    time.Time
}

// Button is one that a person can press, or a menu to select from.
type Button struct {
	CustomID, Label, URL string
	Disabled             bool
	Options              []string // values of a menu
}

// String is one line for a log or a failed test.
func (e Entry) String() string {
	badge := ""
	if e.App {
		badge = " [APP]"
	}
	return e.ID + " " + e.Author + badge + ": " + fmt.Sprintf("%q", e.Shown())
}

// Shown is all the text of the message: content, embeds, components.
func (e Entry) Shown() string {
	parts := []string{e.Text, strings.Join(e.Embeds, "\n"), e.Shows}
	return strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), "\n")
}

// Transcript is what there is to see in a channel, thread or DM ("@maria"), oldest first, without what was
// deleted. What only one person sees is in it; OnlyFor tells whose it is.
func (s *Server) Transcript(channel string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil {
		return nil
	}
	out := make([]Entry, 0, len(c.messages))
	for _, m := range c.messages {
		if !m.deleted {
			out = append(out, s.entry(m))
		}
	}
	return out
}

// Count is how many messages Transcript would show, at less cost.
func (s *Server) Count(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.find(channel); c != nil {
		return len(c.messages) - c.gone
	}
	return 0
}

// Seen is the part of Transcript that one person sees.
func (p *Person) Seen(channel string) []Entry {
	p.s.mu.Lock()
	u := p.s.user(p.key)
	p.s.mu.Unlock()
	if u == nil {
		return nil
	}
	if channel == "" {
		channel = "@" + u.Name
	}
	return slices.DeleteFunc(p.s.Transcript(channel), func(e Entry) bool { return e.OnlyFor != "" && e.OnlyFor != u.Name })
}

func (s *Server) entry(m *message) Entry {
	e := Entry{
		ID: m.id, AuthorID: m.author, Author: s.headed(m), Avatar: m.avatar, App: s.badge(m), Ours: s.ours(m), Wire: m.content,
		Text: s.readableText(m.content), ReplyTo: m.replyID, Edited: !m.edited.IsZero(), Silent: m.flags&flagSilent != 0,
		Loading: m.flags&flagLoading != 0, Posted: m.created,
	}
	if m.onlyFor != "" {
		e.OnlyFor = s.users[m.onlyFor].Name
	}
	if m.started != nil {
		e.Thread = m.started.id
	}
	for _, a := range m.attachments {
		e.Files = append(e.Files, str(a, "filename"))
	}
	for _, x := range m.embeds {
		e.Embeds = append(e.Embeds, s.embedText(x))
	}
	var shows []string
	for _, c := range flatten(m.components) {
		switch kind, _ := num(c, "type"); kind {
		case textDisplay:
			shows = append(shows, s.readableText(str(c, "content")))
		case button, stringSelect:
			e.Buttons = append(e.Buttons, buttonOf(c))
		}
	}
	e.Shows = strings.Join(shows, "\n")
	for _, r := range m.reactions {
		if e.Reactions == nil {
			e.Reactions = map[string][]string{}
		}
		for _, u := range r.users {
			e.Reactions[r.emoji] = append(e.Reactions[r.emoji], s.users[u].Name)
		}
	}
	for _, p := range m.pings {
		switch {
		case strings.HasPrefix(p, "&"):
			e.Pings = append(e.Pings, "@"+s.roleName(p[1:]))
		case s.users[p] != nil:
			e.Pings = append(e.Pings, s.users[p].Name)
		default:
			e.Pings = append(e.Pings, "@"+p)
		}
	}
	return e
}

func buttonOf(c object) Button {
	b := Button{CustomID: str(c, "custom_id"), Label: str(c, "label"), URL: str(c, "url")}
	if b.Label == "" {
		b.Label = str(c, "placeholder")
	}
	b.Disabled, _ = c["disabled"].(bool)
	for _, o := range objects(c, "options") {
		b.Options = append(b.Options, str(o, "value"))
	}
	return b
}

func (s *Server) embedText(x object) string {
	footer, _ := x["footer"].(object)
	parts := []string{str(x, "title"), str(x, "description")}
	for _, f := range objects(x, "fields") {
		parts = append(parts, str(f, "name")+": "+str(f, "value"))
	}
	parts = append(parts, str(footer, "text"))
	return s.readableText(strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), "\n"))
}

// headed is the name above a message.
func (s *Server) headed(m *message) string {
	if m.hook != nil {
		return m.persona
	}
	u := s.users[m.author]
	if g := m.channel.guild; g != nil && g.members[u.ID] != nil && g.members[u.ID].nick != "" {
		return g.members[u.ID].nick
	}
	return u.shown()
}

func (s *Server) badge(m *message) bool { return m.hook != nil || s.users[m.author].Bot }

var anyMention = regexp.MustCompile(`<(@!?|@&|#)(\d+)>`)

// readableText shows mentions by name.
func (s *Server) readableText(text string) string {
	return anyMention.ReplaceAllStringFunc(text, func(found string) string {
		parts := anyMention.FindStringSubmatch(found)
		switch id := parts[2]; {
		case parts[1] == "#" && s.channels[id] != nil:
			return "#" + s.channels[id].name
		case parts[1] == "@&":
			return "@" + s.roleName(id)
		case parts[1] != "#" && s.users[id] != nil:
			return "@" + s.users[id].shown()
		}
		return found
	})
}

// Uploaded is the content of a file, by the id of its attachment.
func (s *Server) Uploaded(channel, message string) map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil || c.byID[message] == nil {
		return nil
	}
	out := map[string][]byte{}
	for _, a := range c.byID[message].attachments {
		out[str(a, "filename")] = slices.Clone(s.stored[str(a, "id")])
	}
	return out
}
