package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"bullpen/bridge/command"
	"bullpen/bridge/render"
	"bullpen/office"
)

// The types of options (interactions/application-commands, application command
// option type).
const (
	subcommand, groupOption, textOption, numberOption, boolOption = 1, 2, 3, 4, 5
)

// choiceSize is the length of a choice's name and value (interactions/application-
// commands, application command option choice).
const choiceSize = 100

// registered is a command as Discord keeps it.
type registered struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Type        int                `json:"type,omitempty"`
	Options     []registeredOption `json:"options,omitempty"`
	Contexts    []int              `json:"contexts,omitempty"`
}

type registeredOption struct {
	Type         int                `json:"type"`
	Name         string             `json:"name"`
	Description  string             `json:"description"`
	Required     bool               `json:"required,omitempty"`
	Autocomplete bool               `json:"autocomplete,omitempty"`
	MaxLength    int                `json:"max_length,omitempty"`
	Min          *int64             `json:"min_value,omitempty"`
	Max          *int64             `json:"max_value,omitempty"`
	Choices      []offered          `json:"choices,omitempty"`
	Options      []registeredOption `json:"options,omitempty"`
}

// offered is a choice as Discord shows it.
type offered struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// onServers and directly are where commands can be used (interactions/application-
// commands, interaction context types).
const onServers, directly = 0, 1

// natively are the office's commands as Discord's: a command for each root, with
// subcommands.
func natively(set *command.Set) []registered {
	var out []registered
	for _, tree := range set.Trees(platform) {
		r := registered{Name: string(tree.Root), Description: tree.Help, Type: 1, Contexts: []int{onServers, directly}}
		for _, c := range tree.Commands {
			sub := registeredOption{Type: subcommand, Name: c.Name, Description: c.Help}
			for _, arg := range c.Fields(nil) {
				o := argument(&arg)
				if c.Form != nil && !o.Autocomplete {
					o.Required = false // the form asks for it
				}
				sub.Options = append(sub.Options, o)
			}
			// Discord wants what is required first.
			slices.SortStableFunc(sub.Options, func(x, y registeredOption) int { return cmp.Compare(order(x), order(y)) })
			r.add(c.Bundle, sub)
		}
		out = append(out, r)
	}
	return out
}

// add adds a subcommand, in a group where it has one.
func (r *registered) add(bundle string, sub registeredOption) {
	if bundle == "" {
		r.Options = append(r.Options, sub)
		return
	}
	i := slices.IndexFunc(r.Options, func(o registeredOption) bool { return o.Type == groupOption && o.Name == bundle })
	if i < 0 {
		i = len(r.Options)
		r.Options = append(r.Options, registeredOption{Type: groupOption, Name: bundle, Description: command.BundleHelp})
	}
	r.Options[i].Options = append(r.Options[i].Options, sub)
}

func order(o registeredOption) int {
	if o.Required {
		return 0
	}
	return 1
}

// argument is an argument as Discord's option. Names of the office are texts that
// are completed while they are typed: there may be more than the choices that
// Discord takes, and they change.
func argument(x *command.Arg) registeredOption {
	o := registeredOption{Type: textOption, Name: x.Name, Description: x.Help, Required: x.Required}
	restricted := slices.ContainsFunc(x.Choices, func(c command.Choice) bool { return c.Right != "" })
	switch {
	case x.Kind == command.BoolKind:
		o.Type = boolOption
	case x.Kind == command.NumberKind:
		o.Type, o.Min, o.Max = numberOption, &x.Min, &x.Max
	case x.Complete == nil && len(x.Choices) > 0 && !restricted:
		for _, c := range x.Choices {
			o.Choices = append(o.Choices, offered{c.Shown(), c.Value})
		}
	case x.Complete != nil || restricted || completes(x.Kind):
		o.Autocomplete = true
	default:
		o.MaxLength = command.TextMost
	}
	return o
}

func completes(k command.Kind) bool {
	switch k {
	case command.ColleagueKind, command.TalkKind, command.ChannelKind, command.PersonKind, command.PlaceKind, command.VerbKind:
		return true
	}
	return false
}

// register makes the commands known to Discord, if it has others.
func (a *Adapter) register(ctx context.Context) {
	want := natively(a.attached().Commands())
	path := "applications/" + a.self().App + "/commands"
	var have []registered
	err := a.ask(ctx, http.MethodGet, path, nil, &have)
	if err == nil && !sameCommands(have, want) {
		err = a.ask(ctx, http.MethodPut, path, want, nil)
	}
	sentence := ""
	if err != nil {
		a.log.Warn("the commands could not be registered", "err", err)
		sentence = "Discord did not take the office's commands, so there is no /office in it; as text they work all the same"
	}
	a.problem("commands", sentence)
}

// sameCommands compares what Discord has, which names more than it was given.
func sameCommands(have, want []registered) bool {
	byName := func(x, y registered) int { return strings.Compare(x.Name, y.Name) }
	have, want = slices.Clone(have), slices.Clone(want)
	slices.SortFunc(have, byName)
	slices.SortFunc(want, byName)
	x, err := json.Marshal(have)
	y, err2 := json.Marshal(want)
	return err == nil && err2 == nil && string(x) == string(y)
}

// used finds the command of an interaction and its arguments; nil if there is none
// of that name any more.
func (a *Adapter) used(ctx context.Context, i *interaction) (c *command.Command, args map[string]string, focused *option) {
	if len(i.Data.Options) == 0 {
		return nil, nil, nil
	}
	sub := &i.Data.Options[0]
	if sub.Type == groupOption && len(sub.Options) > 0 {
		sub = &sub.Options[0]
	}
	c, ok := a.attached().Commands().Command(platform, command.Root(i.Data.Name), sub.Name)
	if !ok {
		return nil, nil, nil
	}
	args = map[string]string{}
	for n := range sub.Options {
		o := &sub.Options[n]
		args[o.Name] = a.spelled(ctx, scalar(o))
		if o.Focused {
			focused = o
		}
	}
	return c, args, focused
}

var native = regexp.MustCompile(`<(@!?|@&|#)([0-9]{15,20})>`)

// spelled writes Discord's mentions in an argument as the office's names.
func (a *Adapter) spelled(ctx context.Context, text string) string {
	return native.ReplaceAllStringFunc(text, func(token string) string {
		m := native.FindStringSubmatch(token)
		switch m[1] {
		case "#":
			if name := a.roomName(ctx, m[2]); name != "" {
				return "#" + name
			}
		case "@&":
			if r, _ := a.role(m[2]); r.Name != "" {
				return "@" + r.Name
			}
		default:
			if p, ok, err := a.attached().Office().PersonBy(ctx, office.Account{Platform: platform, ID: m[2]}); err == nil && ok {
				return "@" + p.Name
			}
		}
		return token
	})
}

// commanded carries a command out.
func (a *Adapter) commanded(ctx context.Context, i *interaction) {
	c, args, _ := a.used(ctx, i)
	if c == nil {
		a.respond(i, "This command is no longer there; Discord will show the new ones in a moment.", nil)
		return
	}
	o, err := a.order(ctx, i)
	if err == nil {
		o.Way, o.Command, o.Args = command.BySlash, c, args
		err = a.obey(ctx, i, o)
	}
	if err != nil {
		a.log.Warn("a command could not be taken in", "err", err)
		a.respond(i, notDone, nil)
	}
}

// complete offers what an argument may be.
func (a *Adapter) complete(ctx context.Context, i *interaction) {
	offers := []offered{}
	if c, _, typed := a.used(ctx, i); c != nil && typed != nil {
		if o, err := a.order(ctx, i); err == nil {
			o.Way, o.Command = command.BySlash, c
			all, err := a.attached().Choices(ctx, o, typed.Name, typed.text())
			if err != nil {
				a.log.Info("nothing could be offered", "err", err)
			}
			for _, x := range all {
				if render.UTF16(x.Value) <= choiceSize {
					offers = append(offers, offered{render.Truncate(x.Shown(), choiceSize, render.UTF16), x.Value})
				}
			}
		}
	}
	a.answer(ctx, i, map[string]any{"type": offerCompletion, "data": map[string]any{"choices": offers}})
}
