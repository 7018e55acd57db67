package command

import (
	"context"

	"bullpen/office"
)

var _ = add(Command{
	Root: AgentRoot, Name: "hire", Right: Admins, Changes: true, Direct: true,
	Form: func(given map[string]string) bool { return given["name"] == "" },
	Args: append([]Arg{
		{Name: "name", Kind: WordKind, Required: true, Help: "What the new colleague is called; several words in quotation marks."},
	}, append(settings, Arg{Name: "temporary", Kind: BoolKind, Option: true, Help: "on: office.yaml does not list it; it stays until it is dismissed."})...),
	Help: "Put a new colleague on the roster.",
	More: "Without a role it is a member; without a model it has that of its manager, or of the front desk.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		set := office.ColleagueSetup{
			Name: c.Text("name"), Role: office.Role(c.Choice("role")), Description: c.Text("description"), Model: c.Text("model"),
			Thinking: c.Choice("thinking"), Priority: office.Priorities[c.Choice("priority")], ReportsTo: c.Colleague("reports_to").Name,
		}
		h, err := c.Office.Hire(ctx, office.Hire{Setup: set, Ephemeral: c.Bool("temporary"), By: c.Person.ID, From: c.from()})
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: h.String(), Data: h}, nil
	},
})

// settings are those that hire and configure share.
var settings = []Arg{
	{Name: "role", Kind: ChoiceKind, Option: true, Choices: []Choice{{Value: string(office.Member)}, {Value: string(office.Leader)}}, Help: "member or leader: which tools it has."},
	{Name: "description", Kind: TextKind, Option: true, Long: true, Help: "What it is there for, as all others read it."},
	{Name: "model", Kind: WordKind, Option: true, Complete: offerModels, Help: "Which model it thinks with, like openai:gpt-5."},
	{Name: "reports_to", Kind: ColleagueKind, Option: true, Help: "Its manager."},
	{Name: "thinking", Kind: ChoiceKind, Option: true, Choices: choicesOf(office.Thinkings), Help: "How much its model thinks before it answers."},
	{Name: "priority", Kind: ChoiceKind, Option: true, Choices: choicesOf([]string{"idle", "low", "normal", "high", "critical"}), Help: "How urgent its turns are when many wait."},
}

func choicesOf(words []string) []Choice {
	out := make([]Choice, len(words))
	for i, w := range words {
		out[i].Value = w
	}
	return out
}
