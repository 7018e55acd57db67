package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bullpen/office"
)

var mailCommand = Command{
	Name: "mail", Args: "[how many]", Right: Anyone,
	MaxArgs: 1,
	Help:    "Show your mailbox, newest last.",
	Run:     mail,
}

var readCommand = Command{
	Name: "read", Args: "[from[-to]] [channel]", Right: Anyone,
	MaxArgs: 2,
	Help:    "Show messages of this channel, or of another.",
	Run:     readChannel, Complete: placeNames,
}

// pageSize is how many messages a read shows unless told otherwise; pageMost bounds it.
const (
	pageSize = 20
	pageMost = 100
)

func mail(ctx context.Context, c Call) (Answer, error) {
	n := pageSize
	if c.Args != "" {
		var err error
		if n, err = strconv.Atoi(c.Args); err != nil || n < 1 || n > pageMost {
			return Answer{}, fmt.Errorf("/mail takes a number from 1 to %d, not %q", pageMost, clip(c.Args))
		}
	}
	q := office.MessageQuery{Channels: []office.ChannelID{office.MailboxOf(c.Person.ID)}, Limit: n, Newest: true}
	return show(ctx, c, q, "Your mailbox is empty.")
}

func readChannel(ctx context.Context, c Call) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	place := *c.Place
	q := office.MessageQuery{Limit: pageSize, Newest: true}
	var name []string // of several words, perhaps
	for _, arg := range strings.Fields(c.Args) {
		if from, to, ok := parseRange(arg); ok {
			q.From, q.To, q.Limit = from, to, pageMost
			continue
		}
		name = append(name, arg)
	}
	if len(name) > 0 {
		if place, err = findPlace(v, strings.Join(name, " ")); err != nil {
			return Answer{}, err
		}
	}
	q.Channels = []office.ChannelID{place.Channel}
	if place.To != "" {
		q.Channels[0] = office.DirectWithPerson(place.To, c.Person.ID)
	}
	return show(ctx, c, q, "No messages yet in "+place.Label+".")
}

// parseRange reads 12, 12- and 12-20.
func parseRange(s string) (from, to int64, ok bool) {
	a, b, open := strings.Cut(s, "-")
	from, err := strconv.ParseInt(a, 10, 64)
	if err != nil || from < 1 {
		return 0, 0, false
	}
	switch {
	case !open:
		return from, from, true
	case b == "":
		return from, 0, true
	}
	to, err = strconv.ParseInt(b, 10, 64)
	return from, to, err == nil && to >= from
}

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
		return Answer{Text: none}, nil
	case len(page.Messages) == 0:
		return Answer{Text: "Nothing matches."}, nil
	}
	var b strings.Builder
	if page.Total > len(page.Messages) {
		fmt.Fprintf(&b, "%d of %d messages:\n", len(page.Messages), page.Total)
	}
	for i := range page.Messages {
		m := &page.Messages[i]
		fmt.Fprintf(&b, "%s %s (wake %s): %s", m.Anchor(), m.Author.Name, m.Wake.Address(v.Names), m.Text)
		if m.Origin != (office.Anchor{}) {
			fmt.Fprintf(&b, "  [copy of %s]", m.Origin)
		}
		b.WriteByte('\n')
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

var helpCommand = Command{
	Name: "help", Right: Anyone,
	Help: "Show how to address people and what commands there are.",
	Run:  help,
}

func help(_ context.Context, c Call) (Answer, error) {
	var b strings.Builder
	b.WriteString("Write @name to wake a colleague, $leader or $member for a rung, #channel for a channel's members; @user puts a copy into your mailbox. Without an address a message is kept and wakes nobody.\n")
	for _, cmd := range c.set.commands {
		if cmd.Right == Admins && !c.Person.Admin && !c.Person.Owner {
			continue
		}
		use := "/" + cmd.Name
		if cmd.Args != "" {
			use += " " + cmd.Args
		}
		fmt.Fprintf(&b, "%-32s %s\n", use, cmd.Help)
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

var quitCommand = Command{
	Name: "quit", Right: Anyone,
	Help: "Leave; turns in progress go on the next time the office runs.",
	Run:  func(context.Context, Call) (Answer, error) { return Answer{Quit: true}, nil },
}
