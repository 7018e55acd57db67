package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: AgentRoot, Name: "model", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Help: "Whose model; without it, what models there are."},
		{Name: "model", Kind: WordKind, Complete: offerModels, Help: "Which model it is to think with, like openai:gpt-5."},
	},
	Help: "Show the models that there are and who has which, or give a colleague another.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		who := c.Colleague("colleague")
		switch {
		case c.Has("model") && !c.Has("colleague"):
			return Answer{}, &Usage{"say whose model it is to be: " + c.cmd.Usage(c.prefix(c.cmd))}
		case c.Has("model"):
			text, err := c.Office.Configure(ctx, who.Name, map[string]any{"model": c.Text("model")}, c.Person.ID, c.from())
			return Answer{Text: text}, err
		case c.Has("colleague"):
			return Answer{Text: who.Name + " thinks with " + modelOf(&who.Colleague) + ".", Data: who.Model}, nil
		}
		return c.models(ctx)
	},
})

// modelOf is a colleague's model with what stands in for it.
func modelOf(c *office.Colleague) string {
	said := c.Model
	if len(c.Fallback) > 0 {
		said += ", or else " + strings.Join(c.Fallback, ", ")
	}
	if c.Thinking != "" {
		said += ", thinking " + c.Thinking
	}
	return said
}

// modelsMost is how many models one answer lists.
const modelsMost = 60

// models lists the models that there are, those in use first.
func (c Call) models(ctx context.Context) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	var all []Model
	if c.Premises.Models != nil {
		all = c.Premises.Models(ctx)
	}
	by := map[string][]string{}
	for _, m := range v.Colleagues {
		by[m.Model] = append(by[m.Model], m.Name)
		if !slices.ContainsFunc(all, func(x Model) bool { return x.Ref == m.Model }) {
			all = append(all, Model{Ref: m.Model})
		}
	}
	slices.SortStableFunc(all, func(a, b Model) int { return len(by[b.Ref]) - len(by[a.Ref]) })
	t := &Table{Head: []string{"model", "who", "note"}}
	var lines []string
	for i, m := range all {
		t.Rows = append(t.Rows, []string{m.Ref, strings.Join(by[m.Ref], ", "), m.Note})
		line := "- " + m.Ref
		if len(by[m.Ref]) > 0 {
			line += ": " + strings.Join(by[m.Ref], ", ")
		}
		if m.Note != "" {
			line += " (" + m.Note + ")"
		}
		if i < modelsMost {
			lines = append(lines, line)
		}
	}
	if n := len(all) - modelsMost; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; begin to type one to see it", n))
	}
	return Answer{Text: strings.Join(lines, "\n"), Table: t, Data: all}, nil
}

// offerModels offers the models that there are.
func offerModels(ctx context.Context, c Call) ([]Choice, error) {
	if c.Premises.Models == nil {
		return nil, nil
	}
	var out []Choice
	for _, m := range c.Premises.Models(ctx) {
		out = append(out, Choice{Value: m.Ref})
	}
	return out, nil
}
