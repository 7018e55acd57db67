package command

import (
	"context"

	"bullpen/office"
)

var _ = add(Command{
	Name: "dm", Group: Talk,
	Args: []Arg{
		{Name: "colleague", Kind: TalkKind, Required: true, Help: "To whom."},
		{Name: "text", Kind: TextKind, Required: true, Long: true, Help: "What to say."},
	},
	Help: "Write to one colleague directly, wherever you are.",
	More: "The answer comes into your direct talk with the office.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		m := c.Colleague("colleague")
		return c.write(ctx, office.Post{To: m.ID, Text: c.Text("text")}, m.Name)
	},
})
