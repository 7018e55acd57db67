package command

import "context"

var _ = add(Command{
	Name: "interrupt", Group: Steer, Right: Leads, Tool: "office_interrupt", Changes: true,
	Args: []Arg{{Name: "colleague", Kind: TalkKind, Required: true, Help: "Whose turn."}},
	Help: "End the turn that a colleague is running now.",
	More: "Whoever asked for it is told, and what waits for the colleague is handed over.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		found, err := c.Office.Interrupt(ctx, c.Colleague("colleague").Name, c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		if !found.Was {
			return Answer{Text: found.Name + " is not running; nothing was interrupted."}, nil
		}
		return Answer{Text: found.Name + " has been interrupted; what waits for it is handed over."}, nil
	},
})
