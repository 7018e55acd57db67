package telegram

import (
	"context"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
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
