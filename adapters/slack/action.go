package slack

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/slack-go/slack"

	"bullpen/bridge"
)

// pressed is what we read of a block_actions payload.
type pressed struct {
	Type word `json:"type"`
	User struct {
		ID   word `json:"id"`
		Team word `json:"team_id"`
	} `json:"user"`
	Channel struct {
		ID word `json:"id"`
	} `json:"channel"`
	Message struct {
		TS     word         `json:"ts"`
		Text   word         `json:"text"`
		Blocks slack.Blocks `json:"blocks"`
	} `json:"message"`
	Actions []struct {
		ActionID word `json:"action_id"`
		Value    word `json:"value"`
	} `json:"actions"`
	ResponseURL word `json:"response_url"`
	TriggerID   word `json:"trigger_id"`
}

// pressJob decides by a press of a button that has been acknowledged.
func (a *Adapter) pressJob(work context.Context, env envelope) (lane string, j bridge.Job) {
	var p pressed
	err := json.Unmarshal(env.Payload, &p)
	if err == nil && p.Type == "view_submission" {
		return a.formJob(work, env)
	}
	return "press " + string(p.User.ID), bridge.Job{What: "button", Run: func() {
		if err == nil && p.Type == "block_actions" && len(p.Actions) > 0 && bridge.IsChoice(string(p.Actions[0].Value)) {
			a.chosen(work, p)
			return
		}
		if err != nil || p.Type != "block_actions" || len(p.Actions) == 0 || !strings.HasPrefix(string(p.Actions[0].ActionID), decideAction) {
			return
		}
		by := bridge.Account{Platform: platform, ID: string(p.User.ID)}
		// What was decided stands below the question itself, wherever that is shown.
		value := string(p.Actions[0].Value)
		said, err := a.attached().Press(work, by, value)
		switch {
		case err != nil:
			a.answer(string(p.ResponseURL), bridge.Reply{Text: "Nothing was decided: " + err.Error() + "."}, false)
		case bridge.IsMail(value):
			a.answer(string(p.ResponseURL), bridge.Reply{Text: said}, false)
		}
	}}
}
