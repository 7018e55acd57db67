package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "preview", Group: Talk,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Help: "Where it would be written; without it, here."},
		{Name: "text", Kind: TextKind, Required: true, Long: true, Help: "What would be said."},
	},
	Help: "Tell whom a text would wake, without writing it.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		ch, err := c.here(ctx)
		if err != nil {
			return Answer{}, err
		}
		p, err := c.Office.Preview(ctx, c.Person.ID, ch.ID, c.Text("text"), nil)
		if err != nil {
			return Answer{}, err
		}
		switch {
		case p.Note != "":
			return Answer{Text: "It would wake nobody: " + strings.TrimSuffix(p.Note, ".") + ".", Data: p}, nil
		case len(p.Deliveries) == 0:
			return Answer{Text: "It would wake nobody.", Data: p}, nil
		}
		var b strings.Builder
		fmt.Fprintf(&b, "In #%s it would be for %s:\n", ch.Name, p.Wake)
		for _, d := range p.Deliveries {
			fmt.Fprintf(&b, "- %s: %s", d.Name, d.Outcome)
			if d.Detail != "" {
				b.WriteString(" (" + d.Detail + ")")
			}
			b.WriteByte('\n')
		}
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: p}, nil
	},
})

// here is the channel that a command names, or the one in which it is given, or
// the office's general one.
func (c Call) here(ctx context.Context) (office.Channel, error) {
	if c.Has("channel") {
		return c.Channel("channel"), nil
	}
	v, err := c.Office.View(ctx)
	if err != nil {
		return office.Channel{}, err
	}
	at := c.Place.Channel
	for _, ch := range v.Channels {
		if ch.ID == at && shared(ch) {
			return ch, nil
		}
	}
	return v.Channels[0], nil // general comes first
}
