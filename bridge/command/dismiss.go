package command

import "context"

var _ = add(Command{
	Root: AgentRoot, Name: "dismiss", Right: Admins, Changes: true, Direct: true,
	Args: []Arg{{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Who goes."}},
	Help: "Take a colleague off the roster; adopt brings it back.",
	Preview: func(ctx context.Context, c Call) (string, error) {
		loss, err := c.Office.Loss(ctx, c.Colleague("colleague").Name)
		if err != nil {
			return "", err
		}
		return "Dismiss " + loss.Name + "? " + loss.String(), nil
	},
	Run: func(ctx context.Context, c Call) (Answer, error) {
		loss, err := c.Office.Dismiss(ctx, c.Colleague("colleague").Name, c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: loss.Name + " is dismissed. " + loss.String(), Data: loss}, nil
	},
})
