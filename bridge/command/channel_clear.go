package command

import (
	"context"
	"fmt"

	"bullpen/office"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "clear", Right: Admins, Changes: true,
	Args: []Arg{{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which one."}},
	Help: "Put all messages of a channel into the archive; on the platforms they stay.",
	Preview: func(_ context.Context, c Call) (string, error) {
		ch := c.Channel("channel")
		if err := clearable(ch); err != nil {
			return "", err
		}
		return fmt.Sprintf("Clear #%s? Its messages up to %d go to the archive, and its colleagues read there no more of them than one line.", ch.Name, ch.Last), nil
	},
	Run: func(ctx context.Context, c Call) (Answer, error) {
		ch := c.Channel("channel")
		if err := clearable(ch); err != nil {
			return Answer{}, err
		}
		rec, err := c.Office.Compact(ctx, ch.ID, 1, ch.Last, "The channel was cleared by "+c.Person.Name+".", c.Person.ID)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("#%s is cleared; its messages up to %d go to the archive, and %s says so.", ch.Name, ch.Last, rec.Anchor)}, nil
	},
})

// clearable refuses a channel that has nothing to clear.
func clearable(ch office.Channel) error {
	for _, r := range ch.Ranges {
		if r.Summary == ch.Last && r.To == ch.Last-1 {
			return &Usage{"#" + ch.Name + " is cleared already"}
		}
	}
	if ch.Last == 0 || ch.Archived == ch.Last {
		return &Usage{"#" + ch.Name + " holds no messages"}
	}
	return nil
}
