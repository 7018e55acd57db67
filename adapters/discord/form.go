package discord

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

// Forms (interactions/receiving-and-responding, modal; components/reference, label
// and text input): their type as a first answer, that of the interaction that sends
// one, what they are made of, and their bounds in characters.
const (
	openForm, formSent              = 9, 5
	label, listField, textField     = 18, 3, 4
	oneLineStyle, paragraphStyle    = 1, 2
	fieldsMost, formTitle, hintMost = 5, 45, 100
	formPrefix                      = "form:"
)

// formPart is a field of a form that was sent, in a label or, as older clients have
// it, in a row.
type formPart struct {
	Field  *filled  `json:"component"`
	Fields []filled `json:"components"`
}

type filled struct {
	Name   string   `json:"custom_id"`
	Value  string   `json:"value"`
	Values []string `json:"values"`
}

// form is the form that asks for what a command lacks, as the first answer to it:
// Discord takes none later, so the office is not asked before. It is nil where the
// command lacks nothing, or no form can hold it.
func (a *Adapter) form(ctx context.Context, i *interaction) map[string]any {
	c, args, _ := a.used(ctx, i)
	if c == nil || c.Form == nil || !c.Form(args) {
		return nil
	}
	id := formName(c, args)
	if len(id) > format.MaxCustomID {
		return nil
	}
	var parts []any
	for _, arg := range asked(c, args) {
		parts = append(parts, map[string]any{
			"type": label, "label": render.Truncate(spoken(arg.Name), formTitle, render.UTF16),
			"description": render.Truncate(arg.Help, hintMost, render.UTF16), "component": field(arg),
		})
	}
	return map[string]any{"type": openForm, "data": map[string]any{
		"custom_id": id, "title": render.Truncate(spoken(c.Path()), formTitle, render.UTF16), "components": parts,
	}}
}

// formName holds the command of a form and what it was given.
func formName(c *command.Command, args map[string]string) string {
	given := url.Values{}
	for name, v := range args {
		given.Set(name, v)
	}
	return formPrefix + string(c.Root) + ":" + c.Name + ":" + given.Encode()
}

// formNamed reads a form's name.
func formNamed(id string) (root command.Root, name string, args map[string]string, ok bool) {
	rest, ours := strings.CutPrefix(id, formPrefix)
	parts := strings.SplitN(rest, ":", 3)
	if !ours || len(parts) != 3 {
		return "", "", nil, false
	}
	given, err := url.ParseQuery(parts[2])
	args = map[string]string{}
	for k := range given {
		args[k] = given.Get(k)
	}
	return command.Root(parts[0]), parts[1], args, err == nil
}

// asked are the arguments that a form asks for: of those that were not given as
// many as it has room for, those that must be given first.
func asked(c *command.Command, args map[string]string) []command.Arg {
	lacking := c.Fields(args)
	rank := func(x command.Arg) int {
		switch {
		case x.Required:
			return 0
		case x.Option:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(lacking, func(x, y command.Arg) int { return cmp.Compare(rank(x), rank(y)) })
	return lacking[:min(len(lacking), fieldsMost)]
}

// field is where an argument is given: a list where it is one of a few words.
func field(x command.Arg) map[string]any {
	if x.Complete == nil && len(x.Choices) > 0 && len(x.Choices) <= 25 {
		var options []any
		for _, c := range x.Choices {
			options = append(options, map[string]any{"label": render.Truncate(c.Shown(), choiceSize, render.UTF16), "value": c.Value})
		}
		return map[string]any{"type": listField, "custom_id": x.Name, "options": options, "required": x.Required}
	}
	style := oneLineStyle
	if x.Long {
		style = paragraphStyle
	}
	return map[string]any{"type": textField, "custom_id": x.Name, "style": style, "required": x.Required, "max_length": min(command.TextMost, 4000)}
}

// spoken is a name as a form's reader sees it.
func spoken(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// submitted carries out the command of a form that was sent.
func (a *Adapter) submitted(ctx context.Context, i *interaction) {
	root, name, args, ok := formNamed(i.Data.CustomID)
	c, there := a.attached().Commands().Command(platform, root, name)
	if !ok || !there {
		a.respond(i, "This form is no longer of use; use the command again.", nil)
		return
	}
	for _, p := range i.Data.Parts {
		if p.Field != nil {
			p.Fields = append(p.Fields, *p.Field)
		}
		for _, f := range p.Fields {
			if v := strings.TrimSpace(f.Value + strings.Join(f.Values, " ")); v != "" {
				args[f.Name] = a.spelled(ctx, v)
			}
		}
	}
	o, err := a.order(ctx, i)
	if err == nil {
		o.Way, o.Command, o.Args = command.ByButton, c, args
		err = a.obey(ctx, i, o)
	}
	if err != nil {
		a.log.Warn("a form could not be taken in", "err", err)
		a.respond(i, notDone, nil)
	}
}
