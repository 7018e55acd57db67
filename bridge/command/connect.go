package command

import (
	"context"
	"fmt"
)

var _ = add(Command{
	Name: "connect", Group: People, Right: Anyone, Changes: true,
	Help: "Get a code that connects an account of yours on another platform.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		p, err := c.Office.ConnectCode(ctx, c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("Write this to the office's bot from your other account, within an hour: connect %s", p.Code)}, nil
	},
})

var _ = add(Command{
	Name: "disconnect", Group: People, Right: Anyone, Changes: true,
	Args: []Arg{{Name: "platform", Kind: WordKind, Required: true, Help: "Slack, discord or telegram."}},
	Help: "Take away your account on a platform that a code connected.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		gone, err := c.Office.Disconnect(ctx, c.Person.ID, c.Text("platform"), c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("%d account(s) of yours on %s are no longer yours here.", len(gone), c.Text("platform"))}, nil
	},
})
