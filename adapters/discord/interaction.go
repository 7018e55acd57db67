package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

// interaction is somebody's use of a command or a button
// (interactions/receiving-and-responding).
type interaction struct {
	ID      string   `json:"id"`
	App     string   `json:"application_id"`
	Type    int      `json:"type"`
	Token   string   `json:"token"`
	Guild   string   `json:"guild_id"`
	Channel string   `json:"channel_id"`
	Member  *member  `json:"member"`
	User    *user    `json:"user"`
	Message *message `json:"message"`
	Data    struct {
		CustomID string   `json:"custom_id"`
		Name     string   `json:"name"`
		Options  []option `json:"options"`

		Parts []formPart `json:"components"` // of a form
	} `json:"data"`
}

// option is an argument of a command, or a subcommand with its arguments.
type option struct {
	Name    string          `json:"name"`
	Type    int             `json:"type"`
	Value   json.RawMessage `json:"value"`
	Focused bool            `json:"focused"`
	Options []option        `json:"options"`
}

// text is an option's value, whatever it is.
func (o *option) text() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return strings.Trim(string(o.Value), `"`)
}

// The types of interactions and of first answers to them, and the flag of an answer
// that one person alone sees.
const (
	commandUsed, buttonPressed, typedInto     = 2, 3, 4
	answerLater, updateLater, offerCompletion = 5, 6, 8
	ephemeral                                 = 1 << 6
)

// by is who used it.
func (i *interaction) by() user {
	switch {
	case i.Member != nil && i.Member.User != nil:
		return *i.Member.User
	case i.User != nil:
		return *i.User
	}
	return user{}
}

// interacted takes in the use of a command, a button or a form. It is answered at once, in
// a lane of its own, since its user waits no more than three seconds; then it is
// carried out, behind what the same person did before.
func (a *Adapter) interacted(work context.Context, i *interaction) {
	later := map[string]any{"type": answerLater, "data": map[string]any{"flags": ephemeral}}
	var first map[string]any
	var then func(context.Context, *interaction)
	switch i.Type {
	case commandUsed:
		first, then = later, a.commanded
	case formSent:
		first, then = later, a.submitted
	case buttonPressed:
		first, then = map[string]any{"type": updateLater}, a.clicked
	case typedInto:
		a.lanes.Add("complete "+i.ID, bridge.Job{What: "completion", Run: func() { a.complete(work, i) }})
		return
	default:
		return
	}
	answered := make(chan bool, 1)
	if !a.lanes.Add("answer "+i.ID, bridge.Job{What: "answer", Run: func() { answered <- a.open(work, i, first) }}) {
		return // it fails in front of its user's eyes
	}
	a.lanes.Add("by "+i.by().ID, bridge.Job{
		What: "interaction",
		Run: func() {
			if <-answered {
				then(work, i)
			}
		},
		Failed: func() {
			a.respond(i, "An internal error kept this from being done; the office's log has the details.", nil)
		},
	})
}

// open gives the first answer to an interaction, and says whether it is to be
// carried out then: a form in place of the usual answer ends it.
func (a *Adapter) open(ctx context.Context, i *interaction, first map[string]any) bool {
	if i.Type == commandUsed {
		if form := a.form(ctx, i); form != nil {
			a.answer(ctx, i, form)
			return false
		}
	}
	return a.answer(ctx, i, first)
}

// answer is the first answer to an interaction. It is false if there can be no
// other: it came too late. One that was answered before may have been by a process
// that died behind it; whether it was carried out the bridge knows.
func (a *Adapter) answer(ctx context.Context, i *interaction, body any) bool {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := a.call(ctx, http.MethodPost, "interactions/"+i.ID+"/"+i.Token+"/callback", body, nil)
	if err != nil {
		a.log.Info("an interaction could not be answered in time", "err", err)
	}
	return err == nil || !err.answered() || err.code == alreadyAnswered
}

// respond puts a text in place of the first answer, with buttons below; what does
// not fit follows.
func (a *Adapter) respond(i *interaction, text string, below []any) {
	a.later.Do(func(ctx context.Context) {
		parts := render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length)
		for n, part := range parts {
			method, path := http.MethodPost, "webhooks/"+i.App+"/"+i.Token
			p := map[string]any{"content": format.Write(part), "allowed_mentions": nobody(), "components": []any{}}
			if n == 0 {
				method, path = http.MethodPatch, path+"/messages/@original"
			} else {
				p["flags"] = ephemeral | hidePreviews
			}
			if n == len(parts)-1 && below != nil {
				p["components"] = below
			}
			if err := a.ask(ctx, method, path, p, nil); err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}

// followUp says something to who pressed a button, alone; the message with the
// button stays as it is.
func (a *Adapter) followUp(i *interaction, text string) {
	a.later.Do(func(ctx context.Context) {
		for _, part := range render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length) {
			p := payload{Content: format.Write(part), Allowed: nobody(), Flags: ephemeral | hidePreviews}
			if err := a.ask(ctx, http.MethodPost, "webhooks/"+i.App+"/"+i.Token, p, nil); err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}

// order is an interaction as the bridge wants it.
func (a *Adapter) order(ctx context.Context, i *interaction) (bridge.Order, error) {
	by := i.by()
	author := bridge.Author{
		Account: bridge.Account{Platform: platform, ID: by.ID}, Name: shownName(&by, i.Member), Bot: by.Bot,
	}
	if i.Member != nil && i.Guild == a.guild() && i.Guild != "" {
		author.Full = !i.Member.Pending
	} else {
		b, err := a.belongs(ctx, by.ID)
		if err != nil {
			// Whoever is listed by their id is who they are, whatever Discord can say now.
			a.log.Warn("who gives a command cannot be looked up", "err", err)
		}
		author.Full, author.Gone = b.full, b.gone
	}
	at, ok, err := a.standsIn(ctx, i.Channel, i.Guild == "")
	if err != nil {
		return bridge.Order{}, err
	}
	if !ok {
		at = spot{place: i.Channel, direct: i.Guild == ""}
	}
	return bridge.Order{Author: author, Place: at.place, Direct: at.direct, Event: i.ID}, nil
}

// clicked carries out the press of a button.
func (a *Adapter) clicked(ctx context.Context, i *interaction) {
	if !bridge.IsChoice(i.Data.CustomID) {
		a.pressed(ctx, i)
		return
	}
	o, err := a.order(ctx, i)
	if err == nil {
		o.Way, o.Value = command.ByButton, i.Data.CustomID
		err = a.obey(ctx, i, o)
	}
	if err != nil {
		a.log.Warn("a press could not be taken in", "err", err)
		a.followUp(i, notDone)
	}
}

// notDone is said when nothing is known of an order.
const notDone = "Nothing was done: the office cannot take commands in now. Try again in a minute."

// obey has an order carried out and shows the reply.
func (a *Adapter) obey(ctx context.Context, i *interaction, o bridge.Order) error {
	r, err := a.attached().Order(ctx, o)
	if err != nil || r.Again {
		return err
	}
	a.respond(i, r.Text, choices(r.Choices))
	return nil
}

// scalar writes an option's value as it would be typed.
func scalar(o *option) string {
	switch o.Type {
	case boolOption:
		if on, err := strconv.ParseBool(o.text()); err == nil && on {
			return "on"
		}
		return "off"
	default:
		return o.text()
	}
}
