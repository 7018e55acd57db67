package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "post", Group: Talk,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Required: true, Help: "Where to write."},
		{Name: "text", Kind: TextKind, Required: true, Long: true, Help: "What to say; @name, $level and #channel in it wake."},
	},
	Help: "Write in a channel, wherever you are.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		ch := c.Channel("channel")
		return c.write(ctx, office.Post{Channel: ch.ID, Text: c.Text("text")}, "#"+ch.Name)
	},
})

// write says something as the person, and what became of it.
func (c Call) write(ctx context.Context, p office.Post, where string) (Answer, error) {
	p.Person = c.Person.ID
	if c.Event != "" {
		p.Event = "command " + c.From + " " + c.Event
	}
	rec, err := c.Office.Post(ctx, p)
	if err != nil {
		return Answer{}, err
	}
	said := fmt.Sprintf("Written to %s as %s.", where, rec.Anchor)
	type outcome struct {
		Name    string `json:"name"`
		Outcome string `json:"outcome"`
		Detail  string `json:"detail,omitempty"`
	}
	data := struct {
		Anchor     string    `json:"anchor"`
		Note       string    `json:"note,omitempty"`
		Deliveries []outcome `json:"deliveries"`
	}{Anchor: rec.Anchor.String(), Note: rec.Note, Deliveries: []outcome{}}
	for _, d := range rec.Deliveries {
		data.Deliveries = append(data.Deliveries, outcome{d.Name, string(d.Outcome), d.Detail})
	}
	if rec.Note != "" {
		said += " Nobody was woken: " + strings.TrimSuffix(rec.Note, ".") + "."
	} else {
		said += " " + office.Told(rec.Deliveries) + "."
	}
	return Answer{Text: said, Data: data}, nil
}
