package command

import (
	"context"
	"fmt"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "compact", Right: Leaders, Tool: "office_compact", Changes: true,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which one."},
		{Name: "range", Kind: RangeKind, Required: true, Help: "Which messages, like 12-40."},
		{Name: "summary", Kind: TextKind, Required: true, Long: true, Help: "What stands in their place."},
	},
	Help: "Replace messages of a channel by a summary; the originals go to the archive.",
	Preview: func(_ context.Context, c Call) (string, error) {
		from, to, err := c.compactRange()
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("Replace the messages %d to %d of #%s by one: %s", from, to, c.Channel("channel").Name, line(c.Text("summary"), 200)), nil
	},
	Run: func(ctx context.Context, c Call) (Answer, error) {
		from, to, err := c.compactRange()
		if err != nil {
			return Answer{}, err
		}
		ch := c.Channel("channel")
		rec, err := c.Office.Compact(ctx, ch.ID, from, to, c.Text("summary"), c.Person.ID)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("%s is the summary of the messages %d to %d of #%s, which go to the archive.", rec.Anchor, from, to, ch.Name)}, nil
	},
})

// compactRange is what to replace; an open end is the newest message.
func (c Call) compactRange() (from, to int64, err error) {
	r := get[numbers](c, "range")
	if r.to == 0 {
		r.to = c.Channel("channel").Last
	}
	if r.to <= r.from {
		return 0, 0, &Usage{"name two messages or more, like 12-40"}
	}
	return r.from, r.to, nil
}
