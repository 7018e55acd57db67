package command

import "context"

var _ = add(Command{
	Root: AgentRoot, Name: "adopt", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "name", Kind: WordKind, Required: true, Help: "Whom to bring back."},
		{Name: "temporary", Kind: BoolKind, Option: true, Help: "on: office.yaml does not list it; it stays until it is dismissed."},
	},
	Help: "Bring a dismissed colleague back, with what it knows.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		h, err := c.Office.Adopt(ctx, c.Text("name"), c.Bool("temporary"), c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: h.String(), Data: h}, nil
	},
})
