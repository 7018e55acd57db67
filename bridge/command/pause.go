package command

import "context"

var _ = add(Command{
	Name: "pause", Group: Steer, Right: Leaders, Tool: "office_pause", Changes: true,
	Args: []Arg{{Name: "why", Kind: TextKind, Help: "The reason, which everybody who writes is told."}},
	Help: "Pause the office: nobody is woken until it is resumed.",
	More: "Those who are working finish what they do.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if _, err := c.Office.Pause(ctx, true, c.Text("why"), c.Person.ID, c.from()); err != nil {
			return Answer{}, err
		}
		return Answer{Text: "The office is paused: nobody is woken until " + c.prefix(c.cmd) + "resume. Those who are working finish what they do."}, nil
	},
})
