package command

import "context"

var _ = add(Command{
	Name: "wakes", Group: Steer, Right: Admins, Bundle: AdminBundle, Changes: true,
	Args: []Arg{{Name: "state", Kind: BoolKind, Required: true, Help: "on or off."}},
	Help: "Switch wakes on or off: while they are off, messages are kept and wake nobody.",
	More: "Unlike after a pause, nobody is woken by them later.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.Wakes(ctx, c.Bool("state"), c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
