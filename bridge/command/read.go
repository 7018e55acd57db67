package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "read",
	Args: []Arg{
		{Name: "place", Kind: PlaceKind, Help: "A channel, or @ and a colleague's name; without it, the one you are in."},
		{Name: "range", Kind: RangeKind, Help: "Which messages: 12, 12- or 12-20; without it, the newest."},
		{Name: "with", Kind: ColleagueKind, Option: true, Help: "Read what @place and this colleague tell each other; for admins."},
	},
	Help: "Show messages of this channel, or of another.",
	Run:  readPlace,
})

// pageSize is how many messages a read shows unless told otherwise; pageMost bounds it.
const (
	pageSize = 20
	pageMost = 100
)

func readPlace(ctx context.Context, c Call) (Answer, error) {
	place := *c.Place
	if c.Has("place") {
		place = c.At("place")
	}
	if place.Channel == "" && place.To == "" {
		return Answer{}, &Usage{"say which channel to read, like " + c.typed(c.cmd) + " #general"}
	}
	q := office.MessageQuery{Channels: []office.ChannelID{place.Channel}, Limit: pageSize, Newest: true}
	switch {
	case c.Has("with") && place.To == "":
		return Answer{}, &Usage{"name the first of the two colleagues too, like " + c.typed(c.cmd) + " @alice with=bob"}
	case c.Has("with"):
		with := c.Colleague("with")
		id, err := c.Office.Overhear(ctx, c.Person.ID, place.To, with.ID)
		if err != nil {
			return Answer{}, &Refusal{err.Error()}
		}
		q.Channels[0], place.Label = id, place.Label+" with @"+with.Name
	case place.To != "":
		q.Channels[0] = office.DirectWithPerson(place.To, c.Person.ID)
	}
	if r := get[numbers](c, "range"); r.from > 0 {
		q.From, q.To, q.Limit = r.from, r.to, pageMost
	}
	return show(ctx, c, q, "No messages yet in "+place.Label+".")
}

// show answers with a page of messages.
func show(ctx context.Context, c Call, q office.MessageQuery, none string) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	page, err := c.Office.Messages(ctx, q)
	switch {
	case err != nil:
		return Answer{}, err
	case !page.Stored:
		return Answer{Text: none, Data: []any{}}, nil
	case len(page.Messages) == 0:
		return Answer{Text: "Nothing matches.", Data: []any{}}, nil
	}
	var b strings.Builder
	if page.Total > len(page.Messages) {
		fmt.Fprintf(&b, "%d of %d messages:\n", len(page.Messages), page.Total)
	}
	for i := range page.Messages {
		m := &page.Messages[i]
		fmt.Fprintf(&b, "%s %s (wake %s): %s", m.Anchor(), m.Author.Name, m.Wake.Address(v.Names), m.Shown())
		if m.Origin != (office.Anchor{}) {
			fmt.Fprintf(&b, "  [copy of %s]", m.Origin)
		}
		b.WriteByte('\n')
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: page.Messages}, nil
}
