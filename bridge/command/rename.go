package command

import "context"

var _ = add(Command{
	Root: AgentRoot, Name: "rename", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose name."},
		{Name: "to", Kind: WordKind, Required: true, Help: "The new name; several words in quotation marks."},
	},
	Help: "Give a colleague another name; all else of it stays.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		text, err := c.Office.RenameColleague(ctx, c.Colleague("colleague").Name, c.Text("to"), c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
