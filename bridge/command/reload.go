package command

import "context"

var _ = add(Command{
	Name: "reload", Group: About, Right: Admins, Changes: true, Bundle: AdminBundle,
	Args: []Arg{{Name: "how", Kind: ChoiceKind, Choices: []Choice{{Value: "dry-run"}}, Help: "dry-run: only say what it would do."}},
	Help: "Read office.yaml again and follow it, without a restart.",
	More: "An office.yaml that cannot be used leaves the office as it was.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		r, err := c.Office.Reload(ctx, c.Choice("how") != "", c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: r.String(), Data: r}, nil
	},
})
