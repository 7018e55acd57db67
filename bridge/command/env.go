package command

import (
	"context"
	"maps"
	"slices"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: AgentRoot, Name: "env", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose variables."},
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "set"}, {Value: "unset"}}, Help: "What to do; show without it."},
		{Name: "name", Kind: WordKind, Help: "Which variable, like API_URL."},
		{Name: "value", Kind: TextKind, Private: true, Help: "What it is to be; ${OTHER} takes it from the office's .env."},
	},
	Help: "Show or change the variables that the scripts of a colleague find in their environment.",
	More: "It may see them, so that no secret belongs there. office.yaml has others for all colleagues, in office.env.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		who, do := c.Colleague("colleague"), c.Choice("do")
		name, value := c.Text("name"), c.Text("value")
		if n, v, ok := strings.Cut(name, "="); ok && do == "set" && !c.Has("value") {
			name, value = n, v
		} else if do == "set" && (name == "" || !c.Has("value")) || do == "unset" && name == "" {
			m := &Missing{Command: c.cmd, Values: raws(c.values), sentence: "name the variable, and what it is to be: " + c.cmd.Usage(c.prefix(c.cmd))}
			m.Arg, _ = c.cmd.Arg("name")
			return Answer{}, m
		}
		switch {
		case do == "set":
			said, err := c.Office.Configure(ctx, who.Name, map[string]any{office.EnvKey(name): value}, c.Person.ID, c.from())
			return Answer{Text: said}, err
		case c.Has("value"), do != "unset" && name != "":
			return Answer{}, &Usage{"say whether to set or to unset it: " + c.cmd.Usage(c.prefix(c.cmd))}
		case do == "unset":
			said, err := c.Office.Configure(ctx, who.Name, map[string]any{office.EnvKey(name): nil}, c.Person.ID, c.from())
			return Answer{Text: said}, err
		}
		v, err := c.Office.View(ctx)
		return variables(v, &who.Colleague), err
	},
})

// variables lists what a colleague's scripts find in their environment, as it is
// written.
func variables(v office.View, who *office.Colleague) Answer {
	all := maps.Clone(v.Env)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, who.Env)
	if len(all) == 0 {
		return Answer{Text: who.Name + " has no variables.", Data: all}
	}
	lines := []string{"The variables of " + who.Name + ":"}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		whose := ""
		if _, own := who.Env[name]; !own {
			whose = " (the office's)"
		}
		lines = append(lines, "- "+name+"="+line(all[name], 200)+whose)
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: all}
}
