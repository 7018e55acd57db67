package command

import (
	"context"
	"slices"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "members", Tool: "office_channel_members", Changes: true,
	Args: []Arg{
		{Name: "channel", Kind: ChannelKind, Required: true, Help: "Which one."},
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "add", Right: Leaders}, {Value: "remove", Right: Leaders}, {Value: "set", Right: Leaders}}, Help: "What to do with the names; show without it."},
		{Name: "names", Kind: TextKind, Help: "Which colleagues."},
	},
	Help: "Show or change which colleagues read a channel.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		ch := c.Channel("channel")
		do := c.Choice("do")
		if do == "" || do == "show" {
			if c.Has("names") {
				return Answer{}, &Usage{"say what to do with the names: " + c.cmd.Usage(c.prefix(c.cmd))}
			}
			members := membersOf(v, ch)
			return Answer{Text: "#" + ch.Name + ": " + strings.Join(members, ", "), Data: members}, nil
		}
		named, err := c.colleagues(ctx, c.Text("names"))
		if err != nil {
			return Answer{}, err
		}
		if len(named) == 0 && do != "set" {
			return Answer{}, &Usage{"say whom to " + do + ": " + c.cmd.Usage(c.prefix(c.cmd))}
		}
		text, err := c.Office.SetMembers(ctx, ch.Name, changed(v, ch, do, named), c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})

// changed are the names of a channel's members after a change.
func changed(v office.View, ch office.Channel, do string, by []office.ColleagueView) []string {
	is := func(id office.ColleagueID) bool {
		return slices.ContainsFunc(by, func(m office.ColleagueView) bool { return m.ID == id })
	}
	out := []string{}
	for _, m := range v.Colleagues {
		in := slices.Contains(ch.Members, m.ID)
		if do == "set" && is(m.ID) || do == "add" && (in || is(m.ID)) || do == "remove" && in && !is(m.ID) {
			out = append(out, m.Name)
		}
	}
	return out
}
