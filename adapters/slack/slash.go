package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
)

const (
	// answerMost is how many messages a response URL is used for: Slack takes five.
	answerMost = 4
	// choiceAction begins the actions of the buttons below an answer.
	choiceAction = "bullpen_choice_"
	// choiceLabel is the longest label of a button, in characters
	// (docs.slack.dev, reference/block-kit/block-elements/button-element).
	choiceLabel = 75
)

// slashed is what we read of a slash command.
type slashed struct {
	Text        word `json:"text"`
	UserID      word `json:"user_id"`
	TeamID      word `json:"team_id"`
	ChannelID   word `json:"channel_id"`
	TriggerID   word `json:"trigger_id"`
	ResponseURL word `json:"response_url"`
}

// slashJob carries out a command that has been acknowledged, once however often it
// is delivered.
func (a *Adapter) slashJob(work context.Context, env envelope) (lane string, j bridge.Job) {
	var c slashed
	err := json.Unmarshal(env.Payload, &c)
	return "command " + string(c.UserID), bridge.Job{What: "slash command", Run: func() {
		if err != nil || c.UserID == "" {
			return
		}
		line, _ := format.Decode(a.label(work, string(c.Text)))
		if line = strings.TrimPrefix(strings.TrimSpace(line), "/"); line == "" {
			line = "help"
		}
		r := a.order(work, string(c.UserID), string(c.TeamID), string(c.ChannelID), bridge.Order{
			Way: command.BySlash, Event: string(c.TriggerID), Line: line,
		})
		if r.Form != nil && a.openForm(work, string(c.TriggerID), string(c.ChannelID), *r.Form) {
			return
		}
		a.answer(string(c.ResponseURL), r, false)
	}}
}

// order gives an order of somebody in a place to the office. A reply without text
// needs none.
func (a *Adapter) order(ctx context.Context, user, team, place string, o bridge.Order) bridge.Reply {
	author, err := a.author(ctx, user, team)
	if err != nil {
		// Whoever is listed by their id is who they are, whatever Slack can say now.
		a.log.Warn("who gives a command cannot be looked up", "err", a.scrub.Error(err))
		author = bridge.Author{Account: bridge.Account{Platform: platform, ID: user}}
	}
	o.Author, o.Place, o.Direct = author, place, isDirect(place)
	r, err := a.attached().Order(ctx, o)
	if err != nil {
		a.log.Warn("a command could not be taken in", "err", err)
		return bridge.Reply{Text: "Nothing was done: the office cannot take commands in now. Try again in a minute."}
	}
	return r
}

// chosen goes on with a command by the button that was pressed below its answer.
func (a *Adapter) chosen(ctx context.Context, p pressed) {
	by := bridge.Account{Platform: platform, ID: string(p.User.ID)}
	if !a.attached().MayChoose(by, string(p.Actions[0].Value)) {
		a.answer(string(p.ResponseURL), bridge.Reply{Text: bridge.NotYours}, false)
		return
	}
	r := a.order(ctx, string(p.User.ID), string(p.User.Team), string(p.Channel.ID), bridge.Order{
		Way: command.ByButton, Event: string(p.TriggerID), Value: string(p.Actions[0].Value),
	})
	a.answer(string(p.ResponseURL), r, true)
}

// answer says something at a response URL, to the person alone; in place of the
// message whose button was pressed, where replace says so.
func (a *Adapter) answer(address string, r bridge.Reply, replace bool) {
	if address == "" || r.Text == "" {
		return
	}
	a.later.Do(func(ctx context.Context) {
		parts := withChoices(format.Plan(r.Text, nil), r.Choices)
		for i, part := range parts[:min(len(parts), answerMost)] {
			if err := a.respond(ctx, address, part, replace && i == 0); err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}

// withChoices puts buttons below the last part of an answer.
func withChoices(parts []format.Part, choices []command.Choice) []format.Part {
	if len(choices) == 0 || len(parts) == 0 {
		return parts
	}
	var buttons []slack.BlockElement
	for i, c := range choices[:min(len(choices), command.ChoiceMost)] {
		label := []rune(c.Shown())
		text := slack.NewTextBlockObject(slack.PlainTextType, string(label[:min(len(label), choiceLabel)]), false, false)
		buttons = append(buttons, slack.NewButtonBlockElement(choiceAction+strconv.Itoa(i), c.Value, text))
	}
	last := min(len(parts), answerMost) - 1
	parts[last].Blocks = append(parts[last].Blocks, slack.NewActionBlock("", buttons...))
	return parts
}

// respond posts to a response URL, which is a secret: no error shows it.
func (a *Adapter) respond(ctx context.Context, address string, part format.Part, replace bool) error {
	body, err := json.Marshal(map[string]any{"response_type": "ephemeral", "replace_original": replace, "text": part.Text, "blocks": part.Blocks})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return a.scrub.Error(err)
		}
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
		resp, err := a.http.Do(req)
		if err != nil {
			return a.scrub.Error(err)
		}
		_ = resp.Body.Close()
		switch {
		case resp.StatusCode == http.StatusOK:
			return nil
		case resp.StatusCode != http.StatusTooManyRequests || try == askTries:
			return fmt.Errorf("the response URL answers %s", resp.Status)
		}
		if err := bridge.Pause(ctx, time.Second); err != nil {
			return err
		}
	}
}
