package command

import (
	"context"
	"strings"
)

var _ = add(Command{
	Name: "resume", Group: Steer, Right: Leaders, Tool: "office_pause", Changes: true,
	Help: "End the pause; whoever has mail is woken.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		out, err := c.Office.Pause(ctx, false, "", c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		if len(out.Woken) == 0 {
			return Answer{Text: "The office is running; nobody had mail."}, nil
		}
		return Answer{Text: "The office is running again; woken: " + strings.Join(out.Woken, ", ") + "."}, nil
	},
})
