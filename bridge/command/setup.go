package command

import (
	"context"
	"errors"
)

var _ = add(Command{
	Root: ChannelRoot, Direct: true, Name: "setup", Group: People, Right: Admins, Changes: true, Only: []string{"discord"},
	Help: "Make the office's channels and roles on this server; what is there stays.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if c.Build == nil {
			return Answer{}, errors.New("nothing can be set up from here")
		}
		text, err := c.Build(ctx, c.From)
		return Answer{Text: text}, err
	},
})
