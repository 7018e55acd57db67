package command

import (
	"context"
	"errors"
)

var _ = add(Command{
	Name: "path", Group: About, Right: Admins, Only: []string{Console, Shell},
	Help: "Say where the office's folder is.",
	Run: func(_ context.Context, c Call) (Answer, error) {
		if c.Premises.Dir == "" {
			return Answer{}, errors.New("this office has no folder")
		}
		return Answer{Text: c.Premises.Dir, Data: c.Premises.Dir}, nil
	},
})
