package command

import (
	"context"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "create", Right: Leaders, Tool: "office_channel_create", Changes: true,
	Args: []Arg{
		{Name: "name", Kind: WordKind, Required: true, Help: "What it is called, in small letters."},
		{Name: "members", Kind: TextKind, Help: "Which colleagues read it."},
		{Name: "topic", Kind: TextKind, Option: true, Help: "What it is for."},
	},
	Help: "Make a channel for some of the colleagues.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		members, err := c.colleagues(ctx, c.Text("members"))
		if err != nil {
			return Answer{}, err
		}
		set := office.ChannelSetup{Name: strings.TrimPrefix(c.Text("name"), "#"), Topic: c.Text("topic")}
		for _, m := range members {
			set.Members = append(set.Members, m.Name)
		}
		text, err := c.Office.CreateChannel(ctx, set, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
