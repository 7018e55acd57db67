package telegram

import (
	"context"
	"strings"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

// chose carries out a choice of a command's reply, and shows what came of it in
// place of the reply.
func (a *Adapter) chose(ctx context.Context, c *callback) {
	by := bridge.Account{Platform: platform, ID: itoa(c.From.ID)}
	if !a.attached().MayChoose(by, c.Data) {
		a.popup(c.ID, bridge.NotYours, true)
		return
	}
	// Answered before anything is looked up: until then the button spins.
	a.popup(c.ID, "", false)
	if c.Message == nil {
		return
	}
	if c.Message.Chat.Type == "" {
		c.Message.Chat.Type = map[bool]string{true: "private", false: "group"}[c.Message.Chat.ID > 0]
	}
	at := a.placeOf(c.Message)
	r, err := a.attached().Order(ctx, bridge.Order{
		Author: bridge.Author{Account: by, Name: fullName(&c.From), Bot: c.From.IsBot, Full: true, Gone: c.From.gone()},
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
