package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"bullpen/office/model"
)

// Model is the demo model. The zero value is ready; it may be used concurrently.
type Model struct{}

var _ model.Model = Model{}

// Generate answers the newest frames of the transcript: first with the calls
// that their instructions ask for, then with a text that answers each message.
func (Model) Generate(ctx context.Context, req *model.Request, progress func(string)) (*model.Response, error) {
	turn := thisTurn(req.Messages)
	if resp, err, special := directive(ctx, turn); special {
		return resp, err
	}
	var calls []model.Call
	var lines, crowd, answered []string
	for _, m := range turn.messages {
		line, open := turn.reaction(m)
		calls = append(calls, open...)
		if len(open) > 0 || line == "" || turn.said[m.anchor] == posted {
			continue
		}
		lines, answered = append(lines, line), append(answered, m.anchor)
		if m.crowd && turn.said[m.anchor] == unsaid {
			crowd = append(crowd, m.anchor)
		}
	}
	if len(calls) == 0 && (len(crowd) > 0 || len(lines) > 0 && turn.spokeHere()) {
		// A final text answers only whom it was asked of by name, and after a post
		// in the same place there is none: a post has to carry all answers.
		calls = append(calls, sayHere(strings.Join(lines, "\n")).call(sayID(answered)))
	}
	resp := &model.Response{Stop: model.StopEnd, Model: "demo", Usage: usage(req)}
	if len(calls) > 0 {
		resp.Calls, resp.Stop = calls, model.StopCalls
		return resp, nil
	}
	resp.Text = strings.Join(lines, "\n")
	if resp.Text == "" {
		resp.Text = "NO_REPLY"
	}
	if progress != nil {
		progress(resp.Text)
	}
	return resp, nil
}

// reaction is what the demo says to a message, or the calls that it has to
// make before it can.
func (t turn) reaction(m message) (line string, open []model.Call) {
	var lines []string
	for i, act := range actions(m) {
		id := fmt.Sprintf("%s.%d", m.anchor, i+1)
		if !t.done(id) {
			open = append(open, act.call(id))
			continue
		}
		if said := act.report(t.results[id]); said != "" {
			lines = append(lines, said)
		}
	}
	if said := answer(m); said != "" {
		lines = append(lines, said)
	}
	return strings.Join(lines, "\n"), open
}

// done says whether a call has its result.
func (t turn) done(id string) bool {
	_, ok := t.results[id]
	return ok
}

// answer is what the demo says to a message that asks for no tool.
func answer(m message) string {
	if len(actions(m)) > 0 {
		return ""
	}
	if m.fromColleague || m.fromOffice {
		return ""
	}
	if isGreeting(m.text) {
		return "Hello! " + aboutMe
	}
	return fmt.Sprintf("You wrote: %s. %s", clip(m.text, 80), aboutMe)
}

const aboutMe = "I am the built-in demo model, no language model: I follow a few instructions, like “say hello to bob”, “tell bob the build is green”, “post in #dev: lunch”, “write notes.txt: milk”, “read notes.txt”, “list files” or “who is here”."

// usage counts a token as four bytes, so that limits can be tried out.
func usage(req *model.Request) model.Usage {
	n := len(req.System)
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	return model.Usage{Input: int64(n / 4), Output: 16}
}

// clip quotes the beginning of a text on one line.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	r := []rune(text)
	if len(r) > n {
		return "“" + string(r[:n]) + "…”"
	}
	return "“" + text + "”"
}

func arguments(v map[string]any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // strings and lists of strings always encode
		return json.RawMessage("{}")
	}
	return b
}
