package slack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Entry is one message as people see it.
type Entry struct {
	TS          string
	ThreadTS    string // of the root; empty outside threads. A root with replies has its own ts
	Author      string // the name it is headed with: a display name, or that of a persona
	AuthorID    string // user id; empty for a post of the app under another name
	Icon        string // emoji or URL of a persona
	Text        string // readable: mentions by name, nothing escaped
	Wire        string // the text as it is on the wire
	Blocks      string // what the blocks say; empty without blocks. Clients show this instead of Text
	Buttons     []Button
	Reactions   map[string][]string // emoji to the user ids that added it
	Subtype     string
	Edited      bool
	Unfurled    bool
	Broadcast   bool     // a reply that is shown in the channel as well
	Misplaced   bool     // a reply to a reply, which no client shows in the thread it was meant for
	EphemeralTo string   // user id of the only one who sees it; empty: everybody
	Rings       []string // groups it notifies: "channel", "here", "everyone", "subteam^S…"
	Metadata    json.RawMessage
	Ours        bool // posted by the app
	Growing     bool // a stream that has not ended
	Files       []*File
}

// Button is one that a person can press.
type Button struct {
	ActionID, BlockID, Label, Value, Style string
}

// Shown is what a client shows as the message's content.
func (e Entry) Shown() string {
	if e.Blocks != "" {
		return e.Blocks
	}
	return e.Text
}

// String is one line for a log or a failed test.
func (e Entry) String() string {
	var notes []string
	if e.ThreadTS != "" && e.ThreadTS != e.TS {
		notes = append(notes, "thread "+e.ThreadTS)
	}
	if e.Growing {
		notes = append(notes, "growing")
	}
	if e.Edited {
		notes = append(notes, "edited")
	}
	if e.EphemeralTo != "" {
		notes = append(notes, "only "+e.EphemeralTo)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Reactions)) {
		notes = append(notes, fmt.Sprintf(":%s: %d", name, len(e.Reactions[name])))
	}
	tail := ""
	if notes != nil {
		tail = " (" + strings.Join(notes, ", ") + ")"
	}
	return e.TS + " " + e.Author + ": " + e.Shown() + tail
}

// Transcript is what there is to see in a channel, by id or name, threads included, in the order of
// posting. Deleted messages are not in it. Ephemeral ones are; EphemeralTo tells whose they are.
func (s *Server) Transcript(channel string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil {
		return nil
	}
	out := make([]Entry, 0, len(c.messages)+len(c.ephemerals))
	for _, m := range c.messages {
		if !m.deleted {
			out = append(out, s.entry(m))
		}
	}
	for _, m := range c.ephemerals {
		if !m.deleted {
			out = append(out, s.entry(m))
		}
	}
	if len(c.ephemerals) > 0 {
		slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.TS, b.TS) })
	}
	return out
}

// Count is the number of messages in a channel, replies counted, deleted and ephemeral ones not. It
// costs less than a transcript.
func (s *Server) Count(channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.find(channel)
	if c == nil {
		return 0
	}
	return len(c.messages) - c.deleted
}

// Thread is the part of Transcript that belongs to one thread, its root first.
func (s *Server) Thread(channel, rootTS string) []Entry {
	return slices.DeleteFunc(s.Transcript(channel), func(e Entry) bool {
		return e.TS != rootTS && e.ThreadTS != rootTS
	})
}

func (s *Server) entry(m *message) Entry {
	e := Entry{
		TS: m.ts, ThreadTS: m.threadTS, AuthorID: m.user, Author: s.authorName(m), Text: s.readableText(m.text),
		Wire: m.text, Blocks: s.blocksText(m.blocks), Buttons: buttonsOf(s, m.blocks), Subtype: m.subtype,
		Edited: m.edited != nil, Unfurled: len(m.attachments) > 0, Broadcast: m.broadcast, Misplaced: m.misplaced,
		EphemeralTo: m.ephemeralTo, Rings: broadcasts(m), Metadata: slices.Clone(m.metadata), Ours: m.ours, Growing: m.streaming,
		Files: slices.Clone(m.files),
	}
	if e.Icon = m.iconEmoji; e.Icon == "" {
		e.Icon = m.iconURL
	}
	if len(m.reactions) > 0 {
		e.Reactions = map[string][]string{}
		for _, r := range m.reactions {
			e.Reactions[r.name] = slices.Clone(r.users)
		}
	}
	return e
}

func (s *Server) authorName(m *message) string {
	if m.username != "" {
		return m.username
	}
	if u := s.users[m.user]; u != nil {
		return u.DisplayName
	}
	return m.user
}

func buttonsOf(s *Server, blocks []block) []Button {
	var out []Button
	for _, b := range blocks {
		els := list(b["elements"])
		if acc := b["accessory"]; acc != nil {
			els = append(slices.Clone(els), acc)
		}
		for _, el := range els {
			if e, _ := el.(map[string]any); str(e, "type") == "button" {
				out = append(out, Button{
					ActionID: str(e, "action_id"), BlockID: str(b, "block_id"), Label: s.textObject(e["text"]),
					Value: str(e, "value"), Style: str(e, "style"),
				})
			}
		}
	}
	return out
}

// Home is what the bot's page says to a person, by id; empty until it was published.
func (s *Server) Home(user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.homes[user]; h != nil {
		return s.blocksText(blocksOf(h.view))
	}
	return ""
}

// HomeButtons are the buttons on that page.
func (s *Server) HomeButtons(user string) []Button {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.homes[user]; h != nil {
		return buttonsOf(s, blocksOf(h.view))
	}
	return nil
}
