package command

import "context"

var _ = add(Command{
	Name: "new", Group: Talk, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: TalkKind, Help: "Whose; without it, the one you talk with here."},
		{Name: "which", Kind: ChoiceKind, Choices: []Choice{{Value: "mine"}, {Value: "working", Right: Admins}}, Help: "Your own talk with it, or what it works on with everybody."},
	},
	Help: "Let a colleague start afresh: its next turn begins without what was said before.",
	More: "The record and its memory files stay.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		name := c.Colleague("colleague").Name
		if name == "" {
			v, err := c.Office.View(ctx)
			if err != nil {
				return Answer{}, err
			}
			if v.Boss != nil {
				v.Colleagues = append(v.Colleagues, *v.Boss)
			}
			for _, m := range v.Colleagues {
				if m.ID == c.Place.To {
					name = m.Name
				}
			}
		}
		if name == "" {
			return Answer{}, &Missing{Command: c.cmd, Values: raws(c.values), Arg: c.cmd.Args[0], sentence: "name the colleague that is to start afresh, like " + c.typed(c.cmd) + " alice"}
		}
		person := c.Person.ID
		if c.Choice("which") == "working" {
			person = ""
		}
		text, err := c.Office.NewContext(ctx, name, person, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})
