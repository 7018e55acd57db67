package command

import (
	"context"
	"fmt"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "delete", Right: Leaders, Tool: "office_channel_delete", Changes: true,
	Args: []Arg{{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which one."}},
	Help: "Take a channel away; its messages stay in the record.",
	Preview: func(_ context.Context, c Call) (string, error) {
		ch := c.Channel("channel")
		return fmt.Sprintf("Delete #%s? Nobody can write there any more; its %d message(s) stay in the record.", ch.Name, ch.Last), nil
	},
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.DeleteChannel(ctx, c.Channel("channel").Name, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
