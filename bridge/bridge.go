package bridge

import (
	"context"
	"fmt"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Bridge joins one office to its adapters. It is safe for concurrent use.
type Bridge struct {
	office   *office.Office
	commands *command.Set
}

// New makes the bridge of an office.
func New(o *office.Office, commands *command.Set) *Bridge {
	return &Bridge{office: o, commands: commands}
}

// Office is the office behind the bridge, for viewers.
func (b *Bridge) Office() *office.Office { return b.office }

// Commands are what people can type on every platform.
func (b *Bridge) Commands() *command.Set { return b.commands }

// Handle takes a message in. When it returns without error the message is
// durable and the platform may be told so; the receipt says what became of it.
func (b *Bridge) Handle(ctx context.Context, e Event) (office.Receipt, error) {
	who, err := b.person(ctx, e.Author)
	if err != nil {
		return office.Receipt{}, err
	}
	return b.office.Post(ctx, office.Post{
		Event: e.ID, Person: who.ID, Channel: e.Channel, To: e.To, Root: e.Root, ReplyTo: e.ReplyTo,
		Text: e.Text, Spans: e.Mentions,
	})
}

// Command runs one line of a command, without its slash, for an account that
// stands in a place. The answer is for that account alone.
func (b *Bridge) Command(ctx context.Context, by Account, at *command.Place, line string) (command.Answer, error) {
	who, err := b.person(ctx, by)
	if err != nil {
		return command.Answer{}, err
	}
	return b.commands.Run(ctx, command.Call{Office: b.office, Person: who, Place: at}, line)
}

// ConsoleAccount is who sits at the terminal in which the office runs: whoever
// can start the program in the office's folder is its owner.
var ConsoleAccount = Account{Platform: "console", ID: "owner"}

// person finds the person behind an account.
func (b *Bridge) person(ctx context.Context, a Account) (office.Person, error) {
	v, err := b.office.View(ctx)
	if err != nil {
		return office.Person{}, err
	}
	for _, p := range v.People {
		if a == ConsoleAccount && p.Owner {
			return p, nil
		}
	}
	return office.Person{}, fmt.Errorf("nobody here is known by the %s account %s", a.Platform, a.ID)
}
