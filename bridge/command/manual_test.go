package command_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/bridge/command"
)

var update = flag.Bool("update", false, "write docs/commands.md anew")

// manualPath is the page for people, which is made of the commands themselves.
var manualPath = filepath.Join("..", "..", "docs", "commands.md")

// manualHead stands before the commands.
const manualHead = `# Commands

<!-- Made by go test ./bridge/command -run Manual -update. What stands below is checked against the program. -->

Every command works everywhere, in the platform's own form:

| where | form |
| --- | --- |
| console | ` + "`/status`, `/agent hire …`" + ` |
| another terminal | ` + "`bullpen status`, `bullpen agent hire …`" + `, with ` + "`--office ID` or `--dir DIR`, and `--json`" + ` for programs |
| Slack | ` + "`/office status`, `/office agent hire …`; in a thread `@office status`" + ` |
| Discord | ` + "`/office status`, `/agent hire`" + `, with fields to fill in; what is rarely needed: ` + "`/office admin reload`" + ` |
| Telegram | ` + "`/status`, `/office agent hire …`" + `, with a menu |

- A name of several words needs no quotation marks where it is somebody's; anything else of several
  words does: ` + "`/agent hire \"Rita Book\" role=leader`" + `. Any marks will do: "…", '…', “…”, „…“, «…».
- What is written as ` + "`name=…`" + ` may stand anywhere behind the command; on the command line it is
  ` + "`--name …`" + `.
- Where an argument is missing, Slack shows a form, and so does Discord for /agent hire and /agent configure;
  otherwise Telegram and Discord show what there is to choose from.
- A command that cannot be undone says first what it would do. It is done when you press **Do it**,
  type ` + "`--yes`" + ` behind it, or answer y.
- Answers are for you alone, except in a group on Telegram, which has nothing for one person alone.
- A text that begins with the office's mention is a command only if all of it is one; anything else
  is talk for the front desk. Edited, forwarded and read-back messages never command anything.
- Colleagues give no commands. Leaders do some of the same by their tools, which the table names: a
  colleague's leaders are those to whom it reports, directly or through others; one that reports to
  nobody is led by every leader but those that report to it. Of /agent configure they may change role
  and description. Nobody reports to a person, so that among people only the owner and the admins do this.
- Whatever changes something, and whatever was refused, is in the audit log: ` + "`/logs audit`" + `, and
  ` + "`logs/audit.jsonl`" + ` in the office's folder.
- ` + "`bullpen logs -f`" + ` follows what happens in a running office: see [operations](operations.md#what-happens-now).
- ` + "`bullpen`" + ` says by its exit status how it went: 0 done, 1 failed, 2 typed wrongly or not confirmed,
  3 not allowed, 4 the office is not running. ` + "`bullpen completion bash|zsh|fish`" + ` makes your shell
  complete commands and names.
`

func manual() string {
	set := command.NewSet()
	everywhere := []string{command.Console, command.Shell, "slack", "discord", "telegram"}
	var b strings.Builder
	b.WriteString(manualHead)
	root := command.Root("")
	seen := map[*command.Command]bool{}
	for _, r := range []command.Root{command.OfficeRoot, command.ChannelRoot, command.AgentRoot, "task", "cron", "skill"} {
		for _, platform := range everywhere {
			for _, c := range set.On(platform) {
				if c.Root != r || seen[c] {
					continue
				}
				seen[c] = true
				if root != r {
					root = r
					b.WriteString("\n## " + string(r) + "\n\n| command | does | for |\n| --- | --- | --- |\n")
				}
				writeRow(&b, c)
			}
		}
	}
	return b.String()
}

func writeRow(b *strings.Builder, c *command.Command) {
	names := map[command.Right]string{
		command.Anyone: "everybody", command.Admins: "owner and admins", command.Owner: "owner",
		command.Leaders: "owner and admins; leaders by `" + c.Tool + "`",
		command.Leads:   "owner and admins; a colleague's leaders by `" + c.Tool + "`",
	}
	right := names[c.Right]
	for _, a := range c.Args {
		for _, x := range a.Choices {
			if x.Right != "" {
				right += "; " + x.Value + ": " + names[x.Right]
			}
		}
	}
	does := strings.TrimSpace(c.Help + " " + c.More)
	if len(c.Only) > 0 {
		does += " (" + strings.Join(c.Only, ", ") + ")"
	}
	if c.Dangerous() {
		does += " Asks first."
	}
	b.WriteString("| `" + strings.ReplaceAll(c.Usage(""), "|", `\|`) + "` | " + does + " | " + right + " |\n")
}

func TestManual(t *testing.T) {
	t.Parallel()
	want := manual()
	if *update {
		if err := os.WriteFile(manualPath, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(manualPath)
	if err != nil || string(got) != want {
		t.Errorf("docs/commands.md is not what the commands are; run go test ./bridge/command -run Manual -update (%v)", err)
	}
}
