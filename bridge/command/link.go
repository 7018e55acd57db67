package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bullpen/office"
)

// Link is a place on a platform and the channel that is, or is to be, shown there.
type Link struct {
	Platform, Place string
	Channel         office.ChannelID
	By              office.PersonID
	From            string
}

// linkable are the platforms whose places can be linked.
var linkable = []string{"slack", "discord", "telegram"}

var _ = add(Command{
	Root: ChannelRoot, Name: "link", Group: People, Right: Admins, Changes: true, Direct: true,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which channel of the office."},
		{Name: "place", Kind: WordKind, Help: "Where it is to be shown, like #dev or slack:#dev; here without it."},
	},
	Help: "Show a channel of the office in a place of this platform, or of another.",
	More: "office.yaml says so from then on. What was said in the place before is not read in.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if c.Link == nil {
			return Answer{}, errors.New("no platform can be reached from here")
		}
		l := Link{Platform: c.From, Place: c.Spot, Channel: c.Channel("channel").ID, By: c.Person.ID, From: c.from()}
		named := c.Text("place")
		for _, platform := range linkable {
			if rest, ok := strings.CutPrefix(named, platform+":"); ok {
				l.Platform, named = platform, rest
			}
		}
		switch {
		case named != "":
			l.Place = named
		case c.Direct || l.Place == "":
			return Answer{}, &Usage{"type it in the place where #" + c.Channel("channel").Name + " is to be shown, or name that: " + c.cmd.Usage(c.prefix(c.cmd))}
		}
		if l.Platform == Console || l.Platform == Shell {
			return Answer{}, &Usage{"say on which platform the place is, like slack:#dev or telegram:-1001234567890"}
		}
		text, err := c.Link(ctx, l)
		return Answer{Text: text}, err
	},
})

var _ = add(Command{
	Root: ChannelRoot, Name: "unlink", Group: People, Right: Admins, Changes: true, Direct: true,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Help: "Which channel of the office; the one of this place without it."},
		{Name: "platform", Kind: ChoiceKind, Option: true, Choices: choicesOf(linkable), Help: "On which platform, if not on this one."},
	},
	Help: "Show a channel of the office no more in the place where it is shown.",
	Preview: func(ctx context.Context, c Call) (string, error) {
		p, err := c.linked(ctx)
		if err != nil {
			return "", err
		}
		owed, parked, err := c.Office.Pending(ctx, p.ID)
		return fmt.Sprintf("Unlink #%s from %s %s? Nobody there is heard any more. %d message(s) that are still to be shown there, and %d of people there that are not taken in yet, are dropped.",
			p.Channel, p.Platform, p.Place, owed, parked), err
	},
	Run: func(ctx context.Context, c Call) (Answer, error) {
		p, err := c.linked(ctx)
		if err != nil {
			return Answer{}, err
		}
		text, err := c.Unlink(ctx, Link{Platform: p.Platform, Place: p.Place, Channel: p.Channel, By: c.Person.ID, From: c.from()})
		return Answer{Text: text}, err
	},
})

// linked is the linked place that a call names, or in which it is given.
func (c Call) linked(ctx context.Context) (office.Portal, error) {
	if c.Unlink == nil {
		return office.Portal{}, errors.New("no platform can be reached from here")
	}
	if !c.Has("channel") {
		p, ok, err := c.Office.Portal(ctx, c.Portal)
		if err == nil && (!ok || p.Kind != office.ChannelPortal) {
			err = &Usage{"no channel of the office is shown here; name it: " + c.cmd.Usage(c.prefix(c.cmd))}
		}
		return p, err
	}
	at := linkable
	switch {
	case c.Has("platform"):
		at = []string{c.Choice("platform")}
	case c.From != Console && c.From != Shell:
		at = []string{c.From}
	}
	var found []office.Portal
	for _, platform := range at {
		all, err := c.Office.Portals(ctx, platform)
		if err != nil {
			return office.Portal{}, err
		}
		for _, p := range all {
			if p.Kind == office.ChannelPortal && p.Channel == c.Channel("channel").ID {
				found = append(found, p)
			}
		}
	}
	switch len(found) {
	case 0:
		return office.Portal{}, &Usage{"#" + c.Channel("channel").Name + " is shown nowhere on " + strings.Join(at, ", ")}
	case 1:
		return found[0], nil
	}
	return office.Portal{}, &Usage{"#" + c.Channel("channel").Name + " is shown in several places; say platform=" + found[0].Platform + " or another"}
}
