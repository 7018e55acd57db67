package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

var inCommand = Command{
	Name: "in", Args: "<channel or @colleague>", Right: Anyone,
	MaxArgs:  1,
	Help:     "Go to a channel, or to a direct talk with a colleague.",
	Run:      enter,
	Complete: placeNames,
}

// enter moves the caller to another place.
func enter(ctx context.Context, c Call) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	if c.Args == "" {
		return Answer{Text: fmt.Sprintf("You are in %s. There are %s.", c.Place.Label, strings.Join(places(v), ", "))}, nil
	}
	place, err := findPlace(v, c.Args)
	if err != nil {
		return Answer{}, err
	}
	*c.Place = place
	return Answer{Text: "You are in " + place.Label + " now."}, nil
}

func findPlace(v office.View, name string) (Place, error) {
	key := wake.Fold(strings.TrimLeft(name, "#@"))
	if !strings.HasPrefix(name, "@") {
		for _, ch := range v.Channels {
			if shared(ch) && wake.Fold(ch.Name) == key {
				return Place{Channel: ch.ID, Label: "#" + ch.Name}, nil
			}
		}
	}
	if !strings.HasPrefix(name, "#") {
		for _, m := range v.Colleagues {
			if wake.Fold(m.Name) == key {
				return Place{To: m.ID, Label: "@" + m.Name}, nil
			}
		}
	}
	return Place{}, fmt.Errorf("there is no place called %q; there are %s", clip(name), strings.Join(places(v), ", "))
}

func shared(ch office.Channel) bool {
	return ch.Kind == office.GeneralChannel || ch.Kind == office.GroupChannel
}

func places(v office.View) []string {
	var names []string
	for _, ch := range v.Channels {
		if shared(ch) {
			names = append(names, "#"+ch.Name)
		}
	}
	for _, m := range v.Colleagues {
		names = append(names, "@"+m.Name)
	}
	return names
}

func placeNames(ctx context.Context, o *office.Office) ([]string, error) {
	v, err := o.View(ctx)
	if err != nil {
		return nil, err
	}
	return places(v), nil
}
