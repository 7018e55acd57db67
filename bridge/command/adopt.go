package command

import (
	"context"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: AgentRoot, Name: "adopt", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "name", Kind: WordKind, Required: true, Help: "Whom to bring back, or agents/NAME: a folder there to make a colleague of."},
		{Name: "temporary", Kind: BoolKind, Option: true, Help: "on: office.yaml does not list it; it stays until it is dismissed."},
	},
	Help: "Bring a dismissed colleague back, or make one of an agent's folder.",
	More: "The owner may name a folder anywhere by its absolute path; it is copied.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		adopt := (*office.Office).Adopt
		if strings.ContainsAny(c.Text("name"), `/\`) {
			adopt = (*office.Office).AdoptFolder
		}
		h, err := adopt(c.Office, ctx, c.Text("name"), c.Bool("temporary"), c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: h.String(), Data: h}, nil
	},
})
