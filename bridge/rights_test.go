package bridge_test

import (
	"maps"
	"slices"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/agent/tool"
)

// everyVerb are all commands, wherever they are to be had.
func everyVerb() []*command.Command {
	var all []*command.Command
	seen := map[*command.Command]bool{}
	for _, platform := range []string{command.Console, command.Shell, "slack", "discord", "telegram"} {
		for _, c := range command.NewSet().On(platform) {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// The table of rights: every command by every way in for every kind of sender.
// Whatever is not named here is forbidden.
func TestTheTableOfRights(t *testing.T) {
	t.Parallel()
	ways := map[command.Way]bool{
		command.BySlash: true, command.ByText: true, command.ByMention: true, command.ByDirect: true, command.ByButton: true,
		command.ByShell: true, command.ByConsole: true, command.ByEdit: false, command.ByForward: false, command.ByReplay: false,
		command.ByReaction: false, command.ByTool: false, command.BySchedule: false, "": false, "smoke signals": false,
	}
	admins := []command.Right{command.Anyone, command.Leaders, command.Leads, command.Admins}
	may := map[command.Sender][]command.Right{
		command.OwnerSender: append(admins, command.Owner), command.AdminSender: admins,
		command.Leader: nil, command.ItsOwnLeader: nil,
		command.PersonSender: {command.Anyone}, command.Stranger: nil, command.Guest: nil, command.Foreign: nil, command.Gone: nil,
		command.Bot: nil, command.Colleague: nil, "": nil, "president": nil,
	}
	byTool := map[command.Sender][]command.Right{
		command.Leader: {command.Leaders}, command.ItsOwnLeader: {command.Leaders, command.Leads},
	}
	for _, c := range everyVerb() {
		for way, commands := range ways {
			for sender, rights := range may {
				want := commands && slices.Contains(rights, c.Right) || way == command.ByTool && slices.Contains(byTool[sender], c.Right)
				if got := command.Allowed(way, sender, c.Right); got != want {
					t.Errorf("/%s by %s from %s: %v", c.Path(), way, sender, got)
				}
			}
		}
	}
	if command.Allowed(command.ByConsole, command.OwnerSender, "") || command.Allowed(command.ByConsole, command.OwnerSender, "anything") {
		t.Error("a right that there is not is given")
	}
}

// What the table says of colleagues is what their tools do: a tool that leaders
// alone hold does what a command does that the table opens to them, and nothing else.
func TestTheToolsOfLeadersKeepToTheTable(t *testing.T) {
	t.Parallel()
	tools, err := tool.New()
	if err != nil {
		t.Fatal(err)
	}
	held := func(role office.Role) []string {
		var names []string
		for _, x := range tools.For(&office.Colleague{ColleagueSetup: office.ColleagueSetup{Role: role, AskUser: true}}) {
			names = append(names, x.Name)
		}
		return names
	}
	leaders := slices.DeleteFunc(held(office.Leader), func(name string) bool { return slices.Contains(held(office.Member), name) })
	open := map[string]bool{}
	for _, c := range everyVerb() {
		rights := []command.Right{c.Right}
		for _, a := range c.Args {
			for _, x := range a.Choices {
				rights = append(rights, x.Right)
			}
		}
		opens := slices.ContainsFunc(rights, func(r command.Right) bool { return r == command.Leaders || r == command.Leads })
		if opens != (c.Tool != "") {
			t.Errorf("/%s is open to leaders: %v, and its tool is %q", c.Path(), opens, c.Tool)
		}
		if opens {
			open[c.Tool] = true
		}
	}
	if got := slices.Sorted(maps.Keys(open)); !slices.Equal(got, slices.Sorted(slices.Values(leaders))) {
		t.Errorf("the table opens %v to leaders, who hold %v", got, leaders)
	}
}
