package command

import (
	"context"
	"fmt"
	"strings"
)

var _ = add(Command{
	Name: "dnd", Group: Steer, Changes: true,
	Args: []Arg{
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "release", Right: Admins}}, Help: "What to do."},
		{Name: "colleague", Kind: ColleagueKind, Help: "Whose do-not-disturb to release."},
	},
	Help: "Show who is not to be disturbed, or release one who forgot it.",
	More: "A name without a word before it is released.",
	Run:  disturb,
})

func disturb(ctx context.Context, c Call) (Answer, error) {
	switch {
	case c.Has("colleague") && c.Choice("do") != "show":
		if err := refuse(c, Admins, c.typed(c.cmd)+" release"); err != nil {
			return Answer{}, err
		}
		text, err := c.Office.Disturb(ctx, c.Colleague("colleague").Name, c.Person.ID, c.from())
		return Answer{Text: text}, err
	case c.Choice("do") == "release":
		return Answer{}, &Missing{Command: c.cmd, Values: raws(c.values), Arg: c.cmd.Args[1], sentence: c.typed(c.cmd) + " release takes a colleague's name"}
	}
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	for _, m := range v.Colleagues {
		if q := m.Quiet; q.On && (!c.Has("colleague") || m.ID == c.Colleague("colleague").ID) {
			fmt.Fprintf(&b, "- %s until %s at the latest, %d waiting", m.Name, q.Until.UTC().Format("15:04 MST"), m.Waiting)
			if q.Note != "" {
				b.WriteString(": " + q.Note)
			}
			b.WriteByte('\n')
		}
	}
	if b.Len() == 0 {
		return Answer{Text: "Everybody can be disturbed."}, nil
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}
