package command

import "context"

var _ = add(Command{
	Root: AgentRoot, Name: "revive", Right: Admins, Changes: true,
	Args: []Arg{{Name: "colleague", Kind: TalkKind, Required: true, Help: "Who gave no sign of life."}},
	Help: "Take a colleague that counts as dead back to work; what was held is handed over.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.Revive(ctx, c.Colleague("colleague").Name, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
