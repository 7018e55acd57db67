package telegram

import (
	"encoding/json"
	"strings"
	"time"
)

// draftLife is how long a draft is shown (D: sendMessageDraft).
const draftLife = 30 * time.Second

// draft is what the bot shows of a message that it still writes.
type draft struct {
	id       int64
	thread   int64
	text     string
	entities json.RawMessage
	until    time.Time
}

// sendMessageDraft shows a message while it is written, in private chats alone. A draft of
// the same id takes the place of the one before (D: sendMessageDraft). That another id
// does as well, and that the next message of the bot takes it away, is K.
func sendMessageDraft(s *Server, p params) (any, *refusal) {
	c, thread, no := s.sendTo(p)
	if no != nil {
		return nil, no
	}
	id, ok := p.number("draft_id")
	switch {
	case c.kind != private:
		return nil, bad("TEXTDRAFT_PEER_INVALID") // P: nullclaw issue 626, openclaw issue 7803
	case !ok || id == 0:
		return nil, bad("draft_id must be non-zero") // D; the wording is K
	case p["reply_parameters"] != "" || p["reply_markup"] != "":
		return nil, bad("sim: a draft answers nothing and has no buttons") // D: it has no such parameters
	}
	d := &draft{id: id, thread: thread, until: time.Now().Add(draftLife)}
	if p["text"] != "" { // an empty one shows "Thinking..."
		if d.text, d.entities, no = content(p); no != nil {
			return nil, no
		}
		d.text = strings.TrimSpace(d.text)
	}
	if no := s.limited(c.id); no != nil {
		return nil, no
	}
	c.draft = d
	return true, nil
}

// shown is the draft that is in sight, nil if there is none.
func (c *chat) shown() *draft {
	if c.draft == nil || !time.Now().Before(c.draft.until) {
		return nil
	}
	return c.draft
}

// entry is a draft as a person sees it, below all messages.
func (d *draft) entry() Entry {
	e := Entry{Draft: d.id, Author: "Office", Ours: true, Text: d.text, Topic: d.thread, Marks: marksOf(d.text, d.entities)}
	if e.Text == "" {
		e.Text = "Thinking..."
	}
	return e
}

// Draft is what the bot shows in a chat of a message that it still writes.
func (s *Server) Draft(id int64) (Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[id]; c != nil && c.shown() != nil {
		return c.shown().entry(), true
	}
	return Entry{}, false
}
