package office

import (
	"encoding/json"
	"fmt"
	"time"
)

// structureMost bounds what a result says for programs, in bytes. What is longer
// is left out: the text is there in any case.
const structureMost = 32 << 10

// structure encodes what a result says for programs; nil where it is too long.
func structure(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil || len(raw) > structureMost {
		return nil
	}
	return raw
}

// bounded is a structure that may be stored.
func bounded(raw json.RawMessage) json.RawMessage {
	if len(raw) > structureMost || !json.Valid(raw) {
		return nil
	}
	return raw
}

// PostedStructure is what office_post and office_dm say for programs.
type PostedStructure struct {
	Message    string              `json:"message"` // its anchor
	Channel    string              `json:"channel"`
	Deliveries []DeliveryStructure `json:"deliveries"`
}

// DeliveryStructure is what became of a message for one recipient.
type DeliveryStructure struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail,omitempty"`
	// Status is what a colleague was doing when it arrived; empty for a person.
	Status Status `json:"status,omitempty"`
}

// statuses are what colleagues do now, by id.
func (s *State) statuses(of []*Colleague) map[string]Status {
	all := make(map[string]Status, len(of))
	for _, c := range of {
		all[string(c.ID)] = s.status(c)
	}
	return all
}

// posted is the result of a call that posted a message; before is what its
// recipients were doing then.
func posted(m *Message, where, text string, before map[string]Status) Result {
	p := PostedStructure{Message: m.Anchor().String(), Channel: where, Deliveries: []DeliveryStructure{}}
	for _, x := range m.Deliveries {
		p.Deliveries = append(p.Deliveries, DeliveryStructure{x.Name, x.Outcome, x.Detail, before[x.To]})
	}
	return Result{Text: text, Structure: structure(p)}
}

// ChannelStructure is a channel as office_channels tells it to programs.
type ChannelStructure struct {
	Name     string   `json:"name"`
	Topic    string   `json:"topic,omitempty"`
	Everyone bool     `json:"everyone,omitempty"`
	Members  []string `json:"members,omitempty"`
	Reads    bool     `json:"reads"` // the one who asks reads it
	Messages int64    `json:"messages"`
}

// ReadStructure is what office_read says for programs.
type ReadStructure struct {
	Total    int                `json:"total"` // that match; Messages are the newest of them
	Messages []MessageStructure `json:"messages"`
}

// MessageStructure is a message as a reader gets it.
type MessageStructure struct {
	Message string     `json:"message"` // its anchor
	At      time.Time  `json:"at"`
	Kind    AuthorKind `json:"kind"` // of its author
	Author  string     `json:"author"`
	Wake    string     `json:"wake"`
	Thread  int64      `json:"thread,omitempty"`
	Text    string     `json:"text"`
}

// amendResult is the result of a call that amended the office.
func amendResult(out any) Result {
	r := Result{Text: fmt.Sprint(out)}
	switch out := out.(type) {
	case Hired:
		r.Structure = structure(struct {
			Name      string `json:"name"`
			Role      Role   `json:"role"`
			Temporary bool   `json:"temporary,omitempty"`
		}{out.Name, out.Role, out.Ephemeral})
	case Loss:
		r.Structure = structure(struct {
			Name     string   `json:"name"`
			Running  bool     `json:"running"`
			Dropped  int      `json:"dropped"`
			Writers  []string `json:"writers,omitempty"`
			Channels []string `json:"channels,omitempty"`
		}{out.Name, out.Running, out.Waiting, out.Writers, out.Channels})
	}
	return r
}
