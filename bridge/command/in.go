package command

import (
	"context"
	"fmt"
	"strings"
)

var _ = add(Command{
	Name: "in", Group: Talk, Only: []string{Console},
	Args: []Arg{{Name: "place", Kind: PlaceKind, Help: "A channel, or @ and a colleague's name."}},
	Help: "Go to a channel, or to a direct talk with a colleague.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if c.Has("place") {
			*c.Place = c.At("place")
			return Answer{Text: "You are in " + c.Place.Label + " now."}, nil
		}
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("You are in %s. There are %s.", c.Place.Label, strings.Join(places(v), ", "))}, nil
	},
})
