package openai

import (
	"bytes"
	"encoding/json"
	"strings"
)

// chunk is a piece of a streamed answer, or a whole answer that was not
// streamed: the two differ only in where the message is.
type chunk struct {
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *wireUsage      `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Index        int64       `json:"index"`
	Delta        *message    `json:"delta"`
	Message      *message    `json:"message"`
	FinishReason looseString `json:"finish_reason"`
}

type message struct {
	Content          looseText   `json:"content"`
	Refusal          looseString `json:"refusal"`
	ReasoningContent looseString `json:"reasoning_content"` // DeepSeek, Kimi, older vllm
	Reasoning        looseString `json:"reasoning"`         // OpenRouter, groq, newer vllm
	ToolCalls        []wireCall  `json:"tool_calls"`
}

type wireCall struct {
	Index    *int64      `json:"index"`
	ID       looseString `json:"id"`
	Function struct {
		Name      looseString `json:"name"`
		Arguments looseString `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

// looseString takes a JSON string as it is, null as nothing and anything else as
// its JSON text: some endpoints send arguments as an object and ids or codes as
// numbers.
type looseString string

// UnmarshalJSON implements json.Unmarshaler; it fails only where the JSON is
// broken.
func (s *looseString) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(s))
	}
	*s = looseString(raw)
	return nil
}

// looseText takes a message's content: a string, or parts of which the text is
// taken (Mistral sends its thinking as parts of another type).
type looseText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *looseText) UnmarshalJSON(raw []byte) error {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return (*looseString)(t).UnmarshalJSON(raw)
	}
	var parts []struct {
		Type string      `json:"type"`
		Text looseString `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" {
			b.WriteString(string(p.Text))
		}
	}
	*t = looseText(b.String())
	return nil
}
