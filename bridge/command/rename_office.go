package command

import "context"

// On the command line it is bullpen office rename, which needs no running office.
var _ = add(Command{
	Name: "rename", Group: About, Right: Admins, Changes: true, Bundle: AdminBundle, Only: []string{Console, "slack", "discord", "telegram"},
	Args: []Arg{{Name: "name", Kind: TextKind, Required: true, Help: "What people are to call the office."}},
	Help: "Give the office another name; its id and all else of it stay.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.RenameOffice(ctx, c.Text("name"), c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
