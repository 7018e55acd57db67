package command

import "context"

var _ = add(Command{
	Name: "approve", Group: People, Right: Admins, Changes: true,
	Args: []Arg{{Name: "code", Kind: WordKind, Required: true, Help: "The code that the stranger was given."}},
	Help: "Let somebody in who was given a code.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		p, err := c.Office.Approve(ctx, c.Text("code"), c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		if p.Owner {
			return Answer{Text: "That account is the owner's now."}, nil
		}
		return Answer{Text: p.Name + " may talk to the office now."}, nil
	},
})
