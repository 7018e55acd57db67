package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"bullpen/office"
)

var _ = add(Command{
	Root: AgentRoot, Name: "prompt", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose prompt."},
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "report"}, {Value: "show"}, {Value: "set"}, {Value: "append"}, {Value: "clear"}}, Help: "What to do; report without it."},
		{Name: "text", Kind: TextKind, Long: true, Help: "What to set, or to add."},
	},
	Help: "Report or show what a colleague's model is told first, or change its own part.",
	More: "set, append and clear change what office.yaml calls prompt_inline; all else of a prompt is made by the office.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		who, text := c.Colleague("colleague"), strings.TrimSpace(c.Text("text"))
		do := c.Choice("do")
		changes := do == "set" || do == "append"
		switch {
		case changes && text == "":
			m := &Missing{Command: c.cmd, Values: raws(c.values), sentence: "say what to " + do + ": " + c.cmd.Usage(c.prefix(c.cmd))}
			m.Arg, _ = c.cmd.Arg("text")
			return Answer{}, m
		case !changes && text != "":
			return Answer{}, &Usage{"say what to do with the text: " + c.cmd.Usage(c.prefix(c.cmd))}
		}
		var value any
		switch do {
		case "set":
			value = text
		case "append":
			own := strings.TrimSpace(who.Prompt)
			if own == text || strings.HasSuffix(own, "\n\n"+text) { // as when it comes again after a crash
				return Answer{Text: "The prompt of " + who.Name + " ends so already."}, nil
			}
			value = strings.TrimSpace(own + "\n\n" + text)
		case "clear":
		default:
			return c.promptOf(ctx, &who.Colleague, do == "show")
		}
		said, err := c.Office.Configure(ctx, who.Name, map[string]any{"prompt_inline": value}, c.Person.ID, c.from())
		return Answer{Text: said}, err
	},
})

// promptOf reports on a colleague's prompt, or shows it.
func (c Call) promptOf(ctx context.Context, who *office.Colleague, whole bool) (Answer, error) {
	if c.Premises.Prompt == nil || c.Premises.Tools == nil {
		return Answer{}, errors.New("this process composes no prompts")
	}
	p, err := c.Premises.Prompt(ctx, who)
	if err != nil {
		return Answer{}, err
	}
	tools := c.Premises.Tools(who)
	if whole {
		return Answer{Text: p.Text, Data: p}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The prompt of %s: version %s, sha256 %s, %s characters, %d tools\n",
		who.Name, p.Version, p.Hash, office.Grouped(int64(utf8.RuneCountInString(p.Text))), len(tools))
	for _, l := range p.Layers {
		fmt.Fprintf(&b, "- %s: %s characters\n", l.Name, office.Grouped(int64(utf8.RuneCountInString(l.Text))))
	}
	b.WriteString("Its memory files are added when a context begins.")
	return Answer{Text: b.String(), Data: struct {
		Prompt
		Tools []string
	}{p, tools}}, nil
}
