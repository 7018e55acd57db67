package command

import "context"

var _ = add(Command{
	Root: ChannelRoot, Name: "topic", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which one."},
		{Name: "topic", Kind: TextKind, Help: "What it is for; without it, nothing in particular."},
	},
	Help: "Say what a channel is for.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.SetTopic(ctx, c.Channel("channel").Name, c.Text("topic"), c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
