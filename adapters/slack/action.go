package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
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
		said, err := a.attached().Press(work, by, string(p.Actions[0].Value))
		if err != nil {
			a.answer(string(p.ResponseURL), "Nothing was decided: "+err.Error()+".")
			return
		}
		a.decided(p, said)
	}}
}

// questioned is one place where a question stands with its button.
type questioned struct {
	place, ts, text string
	blocks          []slack.Block
}

// questionsMost bounds the questions whose copies are remembered.
const questionsMost = 200

// asked remembers where a question stands.
func (a *Adapter) asked(out bridge.Outgoing, ts string) {
	id := out.Question
	out.Question, out.Buttons = "", nil
	text, blocks := a.content(out, a.isPlain())
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.copies) >= questionsMost {
		clear(a.copies)
	}
	a.copies[id] = append(a.copies[id], questioned{out.Place, ts, text, blocks})
}

// decided takes the button off a question, wherever it stands, and says there who
// decided.
func (a *Adapter) decided(p pressed, said string) {
	id, _, _ := strings.Cut(string(p.Actions[0].Value), ":")
	a.mu.Lock()
	copies := a.copies[id]
	delete(a.copies, id)
	a.mu.Unlock()
	here := questioned{place: string(p.Channel.ID), ts: string(p.Message.TS), text: string(p.Message.Text)}
	if !slices.ContainsFunc(copies, func(q questioned) bool { return q.place == here.place && q.ts == here.ts }) {
		for _, b := range p.Message.Blocks.BlockSet {
			if b.BlockType() != slack.MBTAction {
				here.blocks = append(here.blocks, b)
			}
		}
		copies = append(copies, here)
	}
	for _, q := range copies {
		a.later.Do(func(ctx context.Context) { a.close(ctx, q, said) })
	}
}

// close writes under a question what was decided.
func (a *Adapter) close(ctx context.Context, q questioned, said string) {
	blocks := append(slices.Clone(q.blocks), slack.NewContextBlock("", slack.NewTextBlockObject(slack.PlainTextType, said, false, false)))
	text := q.text + "\n" + format.Escape(said)
	err := a.ask(ctx, "chat.update", func(ctx context.Context) error {
		_, _, _, err := a.api.UpdateMessageContext(ctx, q.place, q.ts, slack.MsgOptionText(text, false), slack.MsgOptionBlocks(blocks...))
		return err
	})
	if err != nil {
		a.log.Info("a question keeps its button", "place", q.place, "err", err)
	}
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
