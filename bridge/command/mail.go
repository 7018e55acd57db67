package command

import (
	"context"

	"bullpen/office"
)

var _ = add(Command{
	Name: "mail",
	Args: []Arg{{Name: "count", Kind: NumberKind, Min: 1, Max: pageMost, Help: "How many, from 1 to 100."}},
	Help: "Show your mailbox, newest last.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		q := office.MessageQuery{Channels: []office.ChannelID{office.MailboxOf(c.Person.ID)}, Limit: int(c.Number("count", pageSize)), Newest: true}
		return show(ctx, c, q, "Your mailbox is empty.")
	},
})
