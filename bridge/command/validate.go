package command

import (
	"context"
	"errors"
)

var _ = add(Command{
	Name: "validate", Group: About, Right: Admins, Bundle: AdminBundle,
	Help: "Check office.yaml as it stands now, without changing anything.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if c.Premises.Validate == nil {
			return Answer{}, errors.New("this office was not made from an office.yaml")
		}
		text, err := c.Premises.Validate(ctx)
		return Answer{Text: text}, err
	},
})
