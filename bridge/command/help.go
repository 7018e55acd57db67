package command

import (
	"context"
	"fmt"
	"strings"
)

var _ = add(Command{
	Name: "help", Group: About,
	Args: []Arg{{Name: "command", Kind: VerbKind, Help: "Tell all about this one."}},
	Help: "Show how to address people and what commands there are.",
	Run:  help,
})

// address is how one calls somebody, for those who are new.
const address = "Write @name to wake a colleague, $leader or $member for a rung, #channel for a channel's members; " +
	"@user puts a copy into the owner's mailbox. Without an address a message is kept and wakes nobody."

func help(_ context.Context, c Call) (Answer, error) {
	switch what := c.values["command"].is.(type) {
	case *Command:
		return Answer{Text: c.helpOne(what)}, nil
	case Root:
		return c.helpRoot(what), nil
	}
	var b strings.Builder
	b.WriteString(address + "\n")
	for _, g := range groups {
		title := "\n" + string(g) + "\n"
		for _, cmd := range c.set.On(c.From) {
			if cmd.Group == g && cmd.Root == OfficeRoot && Allowed(c.Way, c.Sender, cmd.Right) {
				fmt.Fprintf(&b, "%s- %s: %s\n", title, c.typed(cmd), cmd.Help)
				title = ""
			}
		}
	}
	for _, t := range c.set.Trees(c.From) {
		if t.Root == OfficeRoot {
			continue
		}
		var names []string
		for _, cmd := range t.Commands {
			if Allowed(c.Way, c.Sender, cmd.Right) {
				names = append(names, cmd.Name)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "\n%s%s …: %s\n", c.prefix(t.Commands[0]), t.Root, strings.Join(names, ", "))
		}
	}
	fmt.Fprintf(&b, "\n%shelp <command> tells all about one.", c.prefix(c.cmd))
	return Answer{Text: b.String()}, nil
}

// helpRoot lists the commands of one root.
func (c Call) helpRoot(root Root) Answer {
	var b strings.Builder
	for _, t := range c.set.Trees(c.From) {
		if t.Root != root {
			continue
		}
		b.WriteString(t.Help + "\n")
		for _, cmd := range t.Commands {
			if Allowed(c.Way, c.Sender, cmd.Right) {
				fmt.Fprintf(&b, "- %s: %s\n", cmd.Usage(c.prefix(cmd)), cmd.Help)
			}
		}
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Verb: "help"}
}

// helpOne tells all about one command.
func (c Call) helpOne(cmd *Command) string {
	var b strings.Builder
	b.WriteString(cmd.Usage(c.prefix(cmd)) + "\n" + cmd.Help)
	if cmd.More != "" {
		b.WriteString(" " + cmd.More)
	}
	b.WriteByte('\n')
	for _, a := range cmd.Args {
		fmt.Fprintf(&b, "- %s: %s", a.Name, a.Help)
		if !a.Required {
			b.WriteString(" It may be left out.")
		}
		if len(a.Choices) > 0 {
			var all []string
			for _, x := range a.Choices {
				all = append(all, x.Value)
			}
			b.WriteString(" One of " + strings.Join(all, ", ") + ".")
		}
		b.WriteByte('\n')
	}
	if cmd.Dangerous() {
		b.WriteString("It says what it would do and asks before it does it; --yes at the end does it at once.\n")
	}
	if cmd.Right != Anyone {
		b.WriteString("For " + cmd.For() + ".\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
