package telegram

import (
	"context"
	"slices"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

const (
	// decidePrefix begins the data of a question's button; its id follows.
	decidePrefix = "decide:"
	// dataMost is the length of a button's data in bytes
	// (core.telegram.org/bots/api#inlinekeyboardbutton).
	dataMost = 64
	// popupMost is the length of what a press is answered, in UTF-16 units
	// (core.telegram.org/bots/api#answercallbackquery).
	popupMost = 200
	// menuMost and describeMost are the length of the menu and of a line in it
	// (core.telegram.org/bots/api#setmycommands, #botcommand).
	menuMost, describeMost = 100, 256
)

// keyboard are the buttons of a question, one a row; empty for none.
func keyboard(buttons []bridge.Button) string {
	type button struct {
		Text string `json:"text"`
		Data string `json:"callback_data"`
	}
	var rows [][]button
	for _, b := range buttons {
		if data := decidePrefix + b.Value; len(data) <= dataMost {
			rows = append(rows, []button{{b.Label, data}})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return object(map[string]any{"inline_keyboard": rows})
}

// pressed decides by a press of a button, and then answers it: the answer says what
// was decided. Without an error it is kept.
func (a *Adapter) pressed(ctx context.Context, c *callback) error {
	id, ours := strings.CutPrefix(c.Data, decidePrefix)
	if c.ID == "" || c.From.ID == 0 {
		return nil
	}
	switch {
	case bridge.IsChoice(c.Data):
		a.chose(ctx, c)
		return nil
	case !ours:
		a.popup(c.ID, "This button is no longer of use.", false)
		return nil
	}
	said, err := a.attached().Press(ctx, bridge.Account{Platform: platform, ID: itoa(c.From.ID)}, id)
	if err != nil {
		a.popup(c.ID, "Nothing was decided: "+err.Error()+".", true)
		return nil
	}
	a.popup(c.ID, said, false)
	return nil
}

// chose carries out a choice of a command's reply, and shows what came of it in
// place of the reply.
func (a *Adapter) chose(ctx context.Context, c *callback) {
	a.popup(c.ID, "", false)
	if c.Message == nil {
		return
	}
	if c.Message.Chat.Type == "" {
		c.Message.Chat.Type = map[bool]string{true: "private", false: "group"}[c.Message.Chat.ID > 0]
	}
	at := a.placeOf(c.Message)
	r, err := a.attached().Order(ctx, bridge.Order{
		Author: bridge.Author{Account: bridge.Account{Platform: platform, ID: itoa(c.From.ID)}, Name: fullName(&c.From), Full: true},
		Way:    command.ByButton, Place: at.String(), Direct: c.Message.Chat.private(), Event: c.ID, Value: c.Data,
	})
	switch {
	case err != nil:
		a.log.Warn("a choice could not be taken in", "err", err)
		r.Text = "Nothing was done: the office cannot take commands in now. Type it again in a minute."
	case r.Again:
		return
	case r.Text == "":
		r.Text = "Done."
	}
	o := outgoing{place: at, markup: choices(r.Choices)}
	o.text, o.entities = format.Write(render.Literal(r.Text, render.Options{}))
	o.text = format.Clip(o.text, format.MaxText)
	p := a.params(o, a.target(at))
	p["message_id"] = itoa(c.Message.ID)
	delete(p, "message_thread_id")
	a.later.Do(func(ctx context.Context) {
		if err := a.ask(ctx, "editMessageText", p, nil); err != nil && !strings.Contains(err.Error(), "not modified") {
			a.log.Info("a reply could not be changed", "err", err)
		}
	})
}

// choicesInRow is how many buttons of a reply stand beside each other.
const choicesInRow = 2

// choices are the buttons of a command's reply; empty for none.
func choices(all []command.Choice) string {
	type button struct {
		Text string `json:"text"`
		Data string `json:"callback_data"`
	}
	var rows [][]button
	for _, c := range all {
		if len(c.Value) > dataMost {
			continue
		}
		b := button{c.Shown(), c.Value}
		if n := len(rows); n > 0 && len(rows[n-1]) < choicesInRow {
			rows[n-1] = append(rows[n-1], b)
		} else {
			rows = append(rows, []button{b})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return object(map[string]any{"inline_keyboard": rows})
}

// popup answers a press, in the background: until it is answered the button spins.
func (a *Adapter) popup(query, text string, alert bool) {
	p := tg.Params{"callback_query_id": query, "text": format.Clip(text, popupMost)}
	p.AddBool("show_alert", alert)
	a.later.Do(func(ctx context.Context) {
		if err := a.ask(ctx, "answerCallbackQuery", p, nil); err != nil {
			a.log.Info("a press could not be answered", "err", err)
		}
	})
}

// menuEntry is one command as Telegram's menu shows it.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

func menu(all []*command.Command) []menuEntry {
	var out []menuEntry
	for _, c := range all {
		if (c.Root == command.OfficeRoot || c.Direct) && len(out) < menuMost {
			out = append(out, menuEntry{c.Name, format.Clip(c.Help, describeMost)})
		}
	}
	return out
}

// setMenu gives the bot its menu of commands, if it has another one.
func (a *Adapter) setMenu(ctx context.Context) {
	want := menu(a.attached().Commands().On(platform))
	var have []menuEntry
	err := a.ask(ctx, "getMyCommands", tg.Params{}, &have)
	if err == nil && !slices.Equal(have, want) {
		err = a.ask(ctx, "setMyCommands", tg.Params{"commands": object(want)}, nil)
	}
	if err != nil {
		a.log.Info("the menu of commands could not be set", "err", err)
	}
}
