package llm

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// maxBody bounds a request, in bytes.
const maxBody = 32 << 20

// Request is one request as it arrived. Those of Requests and Wait are copies,
// whose slices are shared: read them only.
type Request struct {
	// N counts accepted requests from 1; it is 0 for a refused one.
	N int
	// Refused is the message of the refusal, empty for an accepted request.
	Refused string
	Header  http.Header
	// Body is what was sent, byte by byte.
	Body json.RawMessage

	Model               string
	Messages            []Message
	Tools               []Tool
	Stream              bool
	IncludeUsage        bool
	ReasoningEffort     string
	MaxTokens           int
	MaxCompletionTokens int

	streamOptions bool
}

// Message is one entry of a request's transcript.
type Message struct {
	Role string
	// Content is the text, of all its parts together.
	Content    string
	ToolCalls  []ToolCall
	ToolCallID string

	noContent bool // null or missing
	noCalls   bool // tool_calls is there, and empty
}

// ToolCall is a call in an assistant message.
type ToolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
		// Arguments is the text of a JSON object.
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Tool is a tool that a request offers.
type Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// System is the text of the system and developer messages.
func (r *Request) System() string {
	var parts []string
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Role == "system" || m.Role == "developer" {
			parts = append(parts, m.Content)
		}
	}
	return strings.Join(parts, "\n")
}

// LastUser is the text of the last message of role user.
func (r *Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Content
		}
	}
	return ""
}

// Last is the last message; a request without any gives an empty one.
func (r *Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// wireRequest is the JSON; what is checked is read into shapes that keep apart
// missing, null and empty.
type wireRequest struct {
	Model         string          `json:"model"`
	Messages      *[]wireMessage  `json:"messages"`
	Tools         []Tool          `json:"tools"`
	Stream        bool            `json:"stream"`
	StreamOptions json.RawMessage `json:"stream_options"`
	Effort        string          `json:"reasoning_effort"`
	MaxTokens     int             `json:"max_tokens"`
	MaxCompletion int             `json:"max_completion_tokens"`
}

type wireMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  *[]ToolCall     `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

func (r *Request) decode(body io.Reader) *refusal {
	raw, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	if err != nil || len(raw) > maxBody {
		return badRequest("", "", "We could not read the body of your request.")
	}
	r.Body = raw
	var w wireRequest
	if err := json.Unmarshal(raw, &w); err != nil {
		return badRequest("", "", "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON: "+err.Error()+")")
	}
	r.Model, r.Tools, r.Stream, r.ReasoningEffort = w.Model, w.Tools, w.Stream, w.Effort
	r.MaxTokens, r.MaxCompletionTokens = w.MaxTokens, w.MaxCompletion
	r.streamOptions = len(w.StreamOptions) > 0 && string(w.StreamOptions) != "null"
	if r.streamOptions {
		var o struct {
			IncludeUsage bool `json:"include_usage"`
		}
		if json.Unmarshal(w.StreamOptions, &o) != nil {
			return badRequest("stream_options", "invalid_type", "Invalid type for 'stream_options': expected an object.")
		}
		r.IncludeUsage = o.IncludeUsage
	}
	if w.Messages == nil {
		return badRequest("messages", "missing_required_parameter", "Missing required parameter: 'messages'.")
	}
	return r.decodeMessages(*w.Messages)
}

func (r *Request) decodeMessages(in []wireMessage) *refusal {
	r.Messages = make([]Message, 0, len(in))
	for i := range in {
		text, none, ok := content(in[i].Content)
		if !ok {
			return badRequest(field("messages[%d].content", i), "invalid_type",
				"Invalid type for '"+field("messages[%d].content", i)+"': expected one of a string or array of objects.")
		}
		m := Message{Role: in[i].Role, Content: text, ToolCallID: in[i].ToolCallID, noContent: none}
		if calls := in[i].ToolCalls; calls != nil {
			m.ToolCalls, m.noCalls = *calls, len(*calls) == 0
		}
		r.Messages = append(r.Messages, m)
	}
	return nil
}

// content reads a string or parts.
func content(raw json.RawMessage) (text string, none, ok bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", true, true
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, false, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", false, false
	}
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), false, true
}
