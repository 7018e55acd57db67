package openai

import (
	"encoding/json"

	"bullpen/office/model"
)

// kept is what a compatible endpoint wants to see again with the calls that it
// made, stored in model.Message.Extra. DeepSeek and Kimi refuse a transcript
// whose calls come without the reasoning that led to them (reasoning_content),
// Gemini's endpoint one without its signatures (extra_content). It goes back to
// the endpoint and model that wrote it and to nobody else.
type kept struct {
	Host      string                     `json:"host"`
	Model     string                     `json:"model"`
	Field     string                     `json:"field,omitempty"` // what the endpoint calls its reasoning
	Reasoning string                     `json:"reasoning,omitempty"`
	Calls     map[string]json.RawMessage `json:"calls,omitempty"` // extra_content by call id
}

// envelope marks Extra as this package's.
type envelope struct {
	OpenAI *kept `json:"openai"`
}

// remember packs what the answer brought; nil when there is nothing to keep.
func (c *Client) remember(a *answer, calls []model.Call) json.RawMessage {
	k := kept{Host: c.host, Model: c.model, Calls: a.calls.extras(calls)}
	if len(calls) > 0 && a.reasoning.Len() > 0 {
		k.Field, k.Reasoning = a.reasoningField, a.reasoning.String()
	}
	if k.Reasoning == "" && len(k.Calls) == 0 {
		return nil
	}
	raw, err := json.Marshal(envelope{OpenAI: &k})
	if err != nil {
		return nil // a piece that is no JSON cannot be sent back either
	}
	return raw
}

// recall unpacks what this endpoint and model left in a message, or nil.
func (c *Client) recall(m *model.Message) *kept {
	if len(m.Extra) == 0 {
		return nil
	}
	var e envelope
	if json.Unmarshal(m.Extra, &e) != nil || e.OpenAI == nil || e.OpenAI.Host != c.host || e.OpenAI.Model != c.model {
		return nil
	}
	return e.OpenAI
}

func (k *kept) messageFields() map[string]any {
	if k == nil || k.Reasoning == "" {
		return nil
	}
	field := "reasoning_content"
	if k.Field == "reasoning" {
		field = "reasoning"
	}
	return map[string]any{field: k.Reasoning}
}

func (k *kept) callFields(id string) map[string]any {
	if k == nil || len(k.Calls[id]) == 0 {
		return nil
	}
	return map[string]any{"extra_content": k.Calls[id]}
}
