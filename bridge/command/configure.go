package command

import (
	"context"
)

var _ = add(Command{
	Root: AgentRoot, Name: "configure", Right: Leaders, Tool: "office_configure", Changes: true, Direct: true,
	Form: func(given map[string]string) bool { return len(given) == 1 && given["colleague"] != "" },
	Args: append([]Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose settings."},
		{Name: "setting", Kind: ChoiceKind, Step: true, Choices: append(namesOf(settings), Choice{Value: "cwd", Right: Owner}), Help: "Which one, to be shown what it can be."},
	}, configurable...),
	Help: "Change what a colleague is and how it works.",
	More: "It holds from the next step of a running turn on. The value - goes back to the default.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		fields := map[string]any{}
		for _, a := range configurable {
			switch {
			case !c.Has(a.Name):
			case c.Text(a.Name) == unset:
				fields[a.Name] = nil
			case a.Kind == ColleagueKind:
				fields[a.Name] = c.Colleague(a.Name).Name
			case a.Kind == ChoiceKind:
				fields[a.Name] = c.Choice(a.Name)
			default:
				fields[a.Name] = c.Text(a.Name)
			}
		}
		if len(fields) == 0 {
			return Answer{}, c.whichSetting()
		}
		text, err := c.Office.Configure(ctx, c.Colleague("colleague").Name, fields, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})

// configurable are the settings that configure changes. The folder is the owner's
// alone to choose, as the office says itself.
var configurable = append(settings[:len(settings):len(settings)], Arg{
	Name: "cwd", Kind: WordKind, Option: true, Help: "The owner's alone: a folder of the machine to work in, like ~/shop.",
})

// unset is typed for a setting that goes back to its default.
const unset = "-"

func namesOf(args []Arg) []Choice {
	var out []Choice
	for _, a := range args {
		out = append(out, Choice{Value: a.Name})
	}
	return out
}

// whichSetting asks for the setting to change, or for what it is to be.
func (c Call) whichSetting() *Missing {
	who := c.Colleague("colleague").Name
	m := &Missing{Command: c.cmd, Values: raws(c.values)}
	m.Arg, _ = c.cmd.Arg("setting")
	m.sentence = "name what to change, like " + c.typed(c.cmd) + " " + who + " role=leader; " + c.prefix(c.cmd) + "help " + c.cmd.Path() + " lists what there is"
	if a, ok := c.cmd.Arg(c.Choice("setting")); ok {
		m.Arg = a
		m.sentence = "say what " + a.Name + " is to be: " + c.typed(c.cmd) + " " + who + " " + a.Name + "=…"
	}
	return m
}
