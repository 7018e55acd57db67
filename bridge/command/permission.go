package command

import (
	"context"
	"slices"
	"strings"

	"bullpen/office"
)

// The keys of office.yaml for the tools that a colleague is given, and is denied.
const (
	allowKey = "permissions.tools.allow"
	denyKey  = "permissions.tools.deny"
)

var _ = add(Command{
	Root: AgentRoot, Name: "permission", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose permissions."},
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "allow"}, {Value: "deny"}, {Value: "clear"}}, Help: "allow: these tools alone; deny: all but these; clear: what the role holds."},
		{Name: "tools", Kind: TextKind, Help: "Which tools, like read, ls and bash."},
	},
	Help: "Show or change which tools a colleague may use.",
	More: "allow gives it these tools alone, deny all that its role holds but these, clear all of them again.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		who, do := c.Colleague("colleague"), c.Choice("do")
		tools := strings.FieldsFunc(c.Text("tools"), func(r rune) bool { return r == ',' || space(r) })
		tools = slices.DeleteFunc(tools, func(t string) bool { return t == "and" })
		fields := map[string]any{allowKey: nil, denyKey: nil}
		switch {
		case do == "allow" || do == "deny":
			if len(tools) == 0 {
				return Answer{}, &Usage{"name the tools to " + do + ": " + c.cmd.Usage(c.prefix(c.cmd))}
			}
			fields["permissions.tools."+do] = tools
		case len(tools) > 0:
			return Answer{}, &Usage{"say whether to allow or to deny the tools: " + c.cmd.Usage(c.prefix(c.cmd))}
		case do != "clear":
			return c.permissions(&who.Colleague), nil
		}
		text, err := c.Office.Configure(ctx, who.Name, fields, c.Person.ID, c.from())
		return Answer{Text: text}, err
	},
})

// permissions says what a colleague may do.
func (c Call) permissions(who *office.Colleague) Answer {
	lines := []string{who.Name + " is a " + string(who.Role) + " with the permission " + string(who.Effective()) + "."}
	say := func(label string, names []string) {
		if len(names) > 0 {
			lines = append(lines, label+": "+strings.Join(names, ", "))
		}
	}
	say("Allowed alone", who.Allow)
	say("Denied", who.Deny)
	say("Asks a person before each call of", who.Approve)
	if c.Premises.Tools != nil {
		say("Holds", c.Premises.Tools(who))
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: map[string]any{
		"colleague": who.Name, "permission": who.Effective(), "allow": who.Allow, "deny": who.Deny, "approve": who.Approve,
	}}
}
