package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
)

// answerMost is how many messages a response URL is used for: Slack takes five.
const answerMost = 4

// pressed is what we read of a block_actions payload.
type pressed struct {
	Type word `json:"type"`
	User struct {
		ID word `json:"id"`
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
}

// pressJob decides by a press of a button that has been acknowledged.
func (a *Adapter) pressJob(work context.Context, env envelope) (lane string, j job) {
	var p pressed
	err := json.Unmarshal(env.Payload, &p)
	return "press " + string(p.User.ID), job{what: "button", run: func() {
		if err != nil || p.Type != "block_actions" || len(p.Actions) == 0 || !strings.HasPrefix(string(p.Actions[0].ActionID), decideAction) {
			return
		}
		by := bridge.Account{Platform: platform, ID: string(p.User.ID)}
		// What was decided stands below the question itself, wherever that is shown.
		value := string(p.Actions[0].Value)
		said, err := a.attached().Press(work, by, value)
		switch {
		case err != nil:
			a.answer(string(p.ResponseURL), "Nothing was decided: "+err.Error()+".")
		case bridge.IsMail(value):
			a.answer(string(p.ResponseURL), said)
		}
	}}
}

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
func (a *Adapter) slashJob(work context.Context, env envelope) (lane string, j job) {
	var c slashed
	err := json.Unmarshal(env.Payload, &c)
	return "command " + string(c.UserID), job{what: "slash command", run: func() {
		if err != nil || c.UserID == "" {
			return
		}
		if said := a.command(work, c); said != "" {
			a.answer(string(c.ResponseURL), said)
		}
	}}
}

// command carries a slash command out and gives what to answer.
func (a *Adapter) command(ctx context.Context, c slashed) string {
	b := a.attached()
	author, err := a.author(ctx, string(c.UserID), string(c.TeamID))
	if err != nil {
		// Whoever is listed by their id is who they are, whatever Slack can say now.
		a.log.Warn("who gives a command cannot be looked up", "err", a.scrub.error(err))
		author = bridge.Author{Account: bridge.Account{Platform: platform, ID: string(c.UserID)}}
	}
	line, _ := format.Decode(a.label(ctx, string(c.Text)))
	line = strings.TrimPrefix(strings.TrimSpace(line), "/")
	if line == "" {
		line = "help"
	}
	r, err := b.Order(ctx, bridge.Order{
		Author: author, Way: command.BySlash, Place: string(c.ChannelID), Direct: strings.HasPrefix(string(c.ChannelID), "D"),
		Event: string(c.TriggerID), Line: line,
	})
	if err != nil {
		a.log.Warn("a command could not be taken in", "err", err)
		return "Nothing was done: the office cannot take commands in now. Try again in a minute."
	}
	return r.Text
}

// answer says something at a response URL, to the person alone.
func (a *Adapter) answer(address, text string) {
	if address == "" {
		return
	}
	a.later.Do(func(ctx context.Context) {
		parts := format.Plan(text, nil)
		for _, part := range parts[:min(len(parts), answerMost)] {
			if err := a.respond(ctx, address, part); err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}

// respond posts to a response URL, which is a secret: no error shows it.
func (a *Adapter) respond(ctx context.Context, address string, part format.Part) error {
	body, err := json.Marshal(map[string]any{"response_type": "ephemeral", "replace_original": false, "text": part.Text, "blocks": part.Blocks})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return a.scrub.error(err)
		}
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
		resp, err := a.http.Do(req)
		if err != nil {
			return a.scrub.error(err)
		}
		_ = resp.Body.Close()
		switch {
		case resp.StatusCode == http.StatusOK:
			return nil
		case resp.StatusCode != http.StatusTooManyRequests || try == askTries:
			return fmt.Errorf("the response URL answers %s", resp.Status)
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}
