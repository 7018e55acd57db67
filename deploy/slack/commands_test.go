package slack_test

import (
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/deploy/slack"
)

// hint is what Slack shows behind /office: the office's commands with what each
// needs, and the other roots.
func hint() string {
	var all []string
	for _, tree := range command.NewSet().Trees("slack") {
		if tree.Root != command.OfficeRoot {
			all = append(all, string(tree.Root)+" …")
			continue
		}
		for _, c := range tree.Commands {
			form := c.Name
			for _, a := range c.Args {
				if a.Required {
					form += " <" + a.Name + ">"
				}
			}
			all = append(all, form)
		}
	}
	return strings.Join(all, " | ")
}

// A command that is new is in the hint of the manifest as well.
func TestTheHintListsTheCommands(t *testing.T) {
	t.Parallel()
	m := read(t, slack.Manifest)
	if got, want := strings.Join(m["features.slash_commands.usage_hint"], ""), hint(); got != want {
		t.Errorf("the usage_hint of manifest.yaml is not what the commands are; write\n      usage_hint: %q", want)
	}
}
