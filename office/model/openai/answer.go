package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"bullpen/office/model"
)

// answer gathers one answer, whole or in pieces.
type answer struct {
	progress func(string)
	shown    bool // progress has been given text

	text           strings.Builder
	reasoning      strings.Builder
	reasoningField string
	refusal        strings.Builder
	calls          assembly
	finish         string
	ended          bool // the endpoint said that this is all
	chosen         bool // there was a choice at all
	usage          model.Usage
	model          string
}

// take adds one piece; the fault is an error that came inside the answer.
func (a *answer) take(data []byte) *fault {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return &fault{garbled: true, cause: err}
	}
	if len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null")) {
		return inBand(data)
	}
	if c.Model != "" {
		a.model = c.Model
	}
	if c.Usage != nil {
		// Some endpoints repeat a growing count in every piece; the last one
		// that says anything holds.
		if u := c.Usage.usage(); u != (model.Usage{}) {
			a.usage = u
		}
	}
	for i := range c.Choices {
		if c.Choices[i].Index == 0 {
			a.choose(&c.Choices[i])
		}
	}
	return nil
}

func (a *answer) choose(c *choice) {
	a.chosen = true
	for _, m := range []*message{c.Delta, c.Message} {
		if m != nil {
			a.add(m)
		}
	}
	if c.FinishReason != "" {
		a.finish = string(c.FinishReason)
	}
}

func (a *answer) add(m *message) {
	switch {
	case m.ReasoningContent != "":
		a.reasoningField = "reasoning_content"
		a.reasoning.WriteString(string(m.ReasoningContent))
	case m.Reasoning != "":
		a.reasoningField = "reasoning"
		a.reasoning.WriteString(string(m.Reasoning))
	}
	a.refusal.WriteString(string(m.Refusal))
	for _, call := range m.ToolCalls {
		a.calls.add(call)
	}
	if m.Content != "" {
		a.say(string(m.Content))
	}
}

// say adds text and shows it. Blank text at the start is held back: an answer
// that stays blank is empty, and nobody should have been shown a part of it.
func (a *answer) say(piece string) {
	a.text.WriteString(piece)
	if a.progress == nil {
		return
	}
	if !a.shown {
		if strings.TrimSpace(piece) == "" {
			return
		}
		piece = a.text.String()
	}
	a.shown = true
	a.progress(piece)
}

// conclude judges a whole answer.
func (c *Client) conclude(req *model.Request, a *answer) (*model.Response, error) {
	stop, f := a.stop()
	if f != nil {
		return nil, c.failed(f, a)
	}
	res := &model.Response{Text: a.text.String(), Stop: stop, Usage: a.usage, Model: a.model}
	if len(a.calls.slots) > 0 {
		res.Calls = a.calls.calls(stop == model.StopLength, takenIDs(req.Messages))
	}
	if strings.TrimSpace(res.Text) == "" {
		if len(res.Calls) == 0 {
			return nil, c.failed(a.nothing(), a)
		}
		res.Text = ""
	}
	if res.Model == "" {
		res.Model = c.model
	}
	res.Extra = c.remember(a, res.Calls)
	return res, nil
}

// stop reads the finish reason. The protocol's are stop, length, tool_calls,
// content_filter and function_call; the others are of OpenRouter (error),
// DeepSeek (insufficient_system_resource) and Mistral (model_length, error).
func (a *answer) stop() (model.Stop, *fault) {
	switch a.finish {
	case "content_filter":
		return "", &fault{refused: "content_filter"}
	case "error", "insufficient_system_resource":
		return "", &fault{gaveUp: a.finish}
	case "length", "max_tokens", "model_length":
		return model.StopLength, nil
	}
	if len(a.calls.slots) > 0 {
		return model.StopCalls, nil
	}
	return model.StopEnd, nil
}

// nothing tells an answer in which the model refused to answer from an empty one.
func (a *answer) nothing() *fault {
	if a.refusal.Len() > 0 {
		return &fault{refused: "refusal", wire: wireError{Message: a.refusal.String()}}
	}
	switch {
	case !a.chosen:
		return &fault{empty: "no choice in it"}
	case a.finish == "length" && a.reasoning.Len() > 0:
		return &fault{empty: "all of its length spent on reasoning"}
	case a.reasoning.Len() > 0:
		return &fault{empty: "only reasoning in it"}
	case a.finish == "":
		return &fault{empty: "nothing in it"}
	}
	return &fault{empty: "nothing in it, finish_reason " + a.finish}
}
