package command

import "context"

var _ = add(Command{
	Name: "with", Group: Talk, Only: []string{Console, "slack", "discord", "telegram"},
	Args: []Arg{{Name: "colleague", Kind: TalkKind, Required: true, Help: "Whom what you write here is for from now on."}},
	Help: "Choose the colleague with whom you talk here, in a direct talk.",
	More: "In a channel you call somebody with @name instead.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		m := c.Colleague("colleague")
		if c.From == Console {
			*c.Place = Place{To: m.ID, Label: "@" + m.Name}
			return Answer{Text: "You talk with " + m.Name + " now."}, nil
		}
		text, err := c.Office.TalkWith(ctx, c.Portal, c.Person.ID, m.Name)
		return Answer{Text: text}, err
	},
})
