package slack

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
)

// What a form may have (docs.slack.dev, reference/views/modal-views and
// reference/block-kit): characters of a title, a label and a hint, and choices of
// a list.
const (
	titleMost   = 24
	labelMost   = 2000
	hintMost    = 2000
	optionsMost = 100
	// optionMost is the longest text, and the longest value, of a choice of a list.
	optionMost = 75
	// formCallback marks our forms.
	formCallback = "bullpen_form"
	// formField names the one element of each block of a form.
	formField = "value"
)

// formState is what a form remembers of its command, in its private_metadata.
type formState struct {
	Root   command.Root      `json:"root"`
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
	Place  string            `json:"place"`
}

// stateMost is the length of private_metadata, in bytes.
const stateMost = 3000

// openForm shows a form for the arguments that a command still needs, and says
// whether it could: a trigger is good for three seconds.
func (a *Adapter) openForm(ctx context.Context, trigger, place string, f bridge.Form) bool {
	state, err := json.Marshal(formState{f.Command.Root, f.Command.Name, f.Values, place})
	if err != nil || len(state) > stateMost {
		return false
	}
	view := slack.ModalViewRequest{
		Type: slack.VTModal, CallbackID: formCallback, PrivateMetadata: string(state),
		Title: plain(f.Command.Path(), titleMost), Submit: plain("Do it", titleMost), Close: plain("Leave it", titleMost),
		Blocks: slack.Blocks{BlockSet: a.fields(ctx, f)},
	}
	once, at := watched(ctx)
	if _, err := a.api.OpenViewContext(once, trigger, view); err != nil {
		a.log.Info("a form could not be opened; what it asks for is said instead", "err", a.scrub.Error(a.explain("views.open", err, at)))
		return false
	}
	return true
}

// fields are the inputs for all arguments that were not given.
func (a *Adapter) fields(ctx context.Context, f bridge.Form) []slack.Block {
	out := []slack.Block{slack.NewSectionBlock(plain(f.Command.Help, labelMost), nil, nil)}
	for _, arg := range f.Command.Fields(f.Values) {
		label := strings.ReplaceAll(arg.Name, "_", " ")
		in := slack.NewInputBlock(arg.Name, plain(strings.ToUpper(label[:1])+label[1:], labelMost), plain(arg.Help, hintMost), a.field(ctx, arg))
		in.Optional = !arg.Required
		out = append(out, in)
	}
	return out
}

// field is where one argument is given: a list where it is one of a few.
func (a *Adapter) field(ctx context.Context, arg command.Arg) slack.BlockElement {
	if all := a.attached().Offers(ctx, arg); len(all) > 0 && len(all) <= optionsMost {
		var options []*slack.OptionBlockObject
		for _, c := range all {
			if len([]rune(c.Value)) <= optionMost {
				options = append(options, slack.NewOptionBlockObject(c.Value, plain(c.Shown(), optionMost), nil))
			}
		}
		return slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, formField, options...)
	}
	in := slack.NewPlainTextInputBlockElement(nil, formField)
	in.Multiline = arg.Long
	return in
}

func plain(text string, most int) *slack.TextBlockObject {
	r := []rune(text)
	return slack.NewTextBlockObject(slack.PlainTextType, string(r[:min(len(r), most)]), false, false)
}

// submitted is what we read of a view_submission.
type submitted struct {
	User struct {
		ID   word `json:"id"`
		Team word `json:"team_id"`
	} `json:"user"`
	View struct {
		ID       word `json:"id"`
		Callback word `json:"callback_id"`
		Metadata word `json:"private_metadata"`
		State    struct {
			Values map[string]map[string]struct {
				Value    word `json:"value"`
				Selected struct {
					Value word `json:"value"`
				} `json:"selected_option"`
			} `json:"values"`
		} `json:"state"`
	} `json:"view"`
}

// formJob carries out the command of a form that was sent and acknowledged, which
// closed it.
func (a *Adapter) formJob(work context.Context, env envelope) (lane string, j bridge.Job) {
	var s submitted
	err := json.Unmarshal(env.Payload, &s)
	return "press " + string(s.User.ID), bridge.Job{What: "form", Run: func() {
		var f formState
		if err != nil || s.View.Callback != formCallback || json.Unmarshal([]byte(s.View.Metadata), &f) != nil {
			return
		}
		cmd, ok := a.attached().Commands().Command(platform, f.Root, f.Name)
		if !ok {
			return
		}
		args := map[string]string{}
		for name, v := range f.Values {
			args[name] = v
		}
		for name, block := range s.View.State.Values {
			if v := block[formField]; v.Value != "" || v.Selected.Value != "" {
				args[name] = string(v.Value + v.Selected.Value)
			}
		}
		r := a.order(work, string(s.User.ID), string(s.User.Team), f.Place, bridge.Order{
			Way: command.ByButton, Event: string(s.View.ID), Command: cmd, Args: args,
		})
		a.tell(f.Place, string(s.User.ID), r)
	}}
}

// tell says a reply to somebody alone where there is no response URL: in the place,
// or, where the bot cannot, directly.
func (a *Adapter) tell(place, user string, r bridge.Reply) {
	if r.Text == "" {
		return
	}
	a.later.Do(func(ctx context.Context) {
		to := bridge.Arrival{Author: bridge.Author{Account: bridge.Account{Platform: platform, ID: user}}, Place: place, Direct: isDirect(place)}
		for _, part := range withChoices(format.Plan(r.Text, nil), r.Choices) {
			err := a.whisperPart(ctx, to, part)
			if err != nil && !to.Direct {
				to.Place, to.Direct = user, true // a post to an account goes to its direct talk
				err = a.whisperPart(ctx, to, part)
			}
			if err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}
