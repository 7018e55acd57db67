package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bullpen/internal/sim/llm"
	"bullpen/office/model"
)

// Transcripts as a crash leaves them, after the office has closed what was open.
func TestRepairedTranscriptsAreAccepted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("toolu_from_another_provider", 3)
	call := func(id string) model.Call {
		return model.Call{ID: id, Name: "bash", Args: json.RawMessage(`{"c":"ls"}`)}
	}
	tests := map[string][]model.Message{
		"an interrupted call": {
			{Role: model.RoleAssistant, Text: "I look.", Calls: []model.Call{call("a")}},
			{Role: model.RoleTool, CallID: "a", Failed: true, Text: "interrupted, may have run"},
		},
		"the third of three parallel results": {
			{Role: model.RoleAssistant, Calls: []model.Call{call("a"), call("b"), call("c")}},
			{Role: model.RoleTool, CallID: "a", Text: "1"},
			{Role: model.RoleTool, CallID: "b", Text: "2"},
			{Role: model.RoleTool, CallID: "c", Failed: true, Text: "interrupted, may have run"},
		},
		"broken arguments": {
			{Role: model.RoleAssistant, Calls: []model.Call{{ID: "a", Name: "bash", Args: json.RawMessage(`{}`), Broken: "cut"}}},
			{Role: model.RoleTool, CallID: "a", Failed: true, Text: "not run"},
		},
		"arguments that were stored broken": {
			{Role: model.RoleAssistant, Calls: []model.Call{{ID: "a", Name: "bash", Args: json.RawMessage(`{"c":`), Broken: "cut"}, {ID: "b", Name: "bash"}}},
			{Role: model.RoleTool, CallID: "a", Failed: true, Text: "not run"},
			{Role: model.RoleTool, CallID: "b", Text: ""},
		},
		"another provider's ids and an invented tool": {
			{Role: model.RoleAssistant, Calls: []model.Call{{ID: long + "1", Name: "functions.bash ü", Args: json.RawMessage(`{}`)}, call(long + "2")}},
			{Role: model.RoleTool, CallID: long + "2", Text: "r"},
			{Role: model.RoleTool, CallID: long + "1", Failed: true, Text: "no such tool"},
		},
		"an assistant that said nothing": {{Role: model.RoleAssistant}},
		"another provider's extra":       {{Role: model.RoleAssistant, Text: "x", Extra: json.RawMessage(`[{"signature":"s"}]`)}},
	}
	for name, middle := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{})
			req := question()
			req.Messages = append(append(req.Messages, middle...), model.Message{Role: model.RoleUser, Text: "go on"})
			res, _, err := d.ask(t.Context(), req)
			if err != nil || res.Text != "You said: go on" {
				t.Fatalf("got %+v %v", res, err)
			}
			for _, m := range d.sim.Requests()[0].Messages {
				if m.Role == "tool" && strings.Contains(m.Content, "may have run") && !strings.HasPrefix(m.Content, "error") {
					t.Errorf("the model is not told that the call failed: %q", m.Content)
				}
			}
		})
	}
}

// The provider repairs no pairs, since a repair has to be stored; but it says
// what is wrong instead of failing in a way that looks like an outage.
func TestHalfPairsAreInvalid(t *testing.T) {
	t.Parallel()
	half := model.Message{Role: model.RoleAssistant, Calls: []model.Call{{ID: "a", Name: "f", Args: json.RawMessage(`{}`)}}}
	for name, middle := range map[string]model.Message{
		"a call without its result": half,
		"a result without its call": {Role: model.RoleTool, CallID: "a", Text: "r"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{})
			req := question()
			req.Messages = append(req.Messages, middle, model.Message{Role: model.RoleUser, Text: "go on"})
			_, _, err := d.ask(t.Context(), req)
			if e := failure(t, err); e.Kind != model.Invalid || !strings.Contains(e.Sentence, "tool_calls") {
				t.Errorf("got %s: %s", e.Kind, e.Sentence)
			}
		})
	}
}
