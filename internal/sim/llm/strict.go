package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The refusals of this file and of strict_tools.go are OpenAI's own, as its API
// reference (platform.openai.com/docs/api-reference/chat/create) demands them and
// as they are quoted, status, words, param and code, in public reports; each says
// which. Where a refusal is a compatible endpoint's and OpenAI is laxer, that is
// said as well: a client that offers any base URL has to satisfy both.

// refusal is an error response in OpenAI's envelope.
type refusal struct {
	status  int
	kind    string // error.type
	code    string // error.code, null when empty
	param   string // error.param, null when empty
	message string
}

func badRequest(param, code, message string) *refusal {
	return &refusal{http.StatusBadRequest, "invalid_request_error", code, param, message}
}

func field(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// maxIDLen is from OpenAI's "string too long. Expected a string with maximum
// length 40" for messages[].tool_calls[].id (langchain-ai/langchain, vercel/ai
// reports of transcripts that were moved between providers).
const maxIDLen = 40

// checkKey: the words are those of OpenAI's 401s, without the masked key.
func (s *Server) checkKey(r *http.Request) *refusal {
	if s.opts.Key == "" {
		return nil
	}
	sent, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case !ok || sent == "":
		return &refusal{
			http.StatusUnauthorized, "invalid_request_error", "", "",
			"You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
		}
	case sent != s.opts.Key:
		// OpenAI repeats the wrong key in part; so does this, whole, so that a
		// client that passes it on is found out.
		return &refusal{
			http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "",
			"Incorrect API key provided: " + sent + ". You can find your API key at https://platform.openai.com/account/api-keys.",
		}
	}
	return nil
}

var efforts = []string{"", "none", "minimal", "low", "medium", "high", "xhigh", "max"}

func (s *Server) checkOptions(r *Request) *refusal {
	switch {
	case r.Model == "":
		// The message OpenAI sends for a body without a model.
		return badRequest("", "", "you must provide a model parameter")
	case len(s.opts.Models) > 0 && !slices.Contains(s.opts.Models, r.Model):
		return &refusal{
			http.StatusNotFound, "invalid_request_error", "model_not_found", "",
			"The model `" + r.Model + "` does not exist or you do not have access to it.",
		}
	case r.Stream && s.opts.RefuseStream:
		// What unverified organisations get for newer models.
		return badRequest("stream", "unsupported_value", "Your organization must be verified to stream this model.")
	case r.streamOptions && s.opts.RefuseStreamOptions:
		return badRequest("stream_options", "", "Unrecognized request argument supplied: stream_options")
	case r.streamOptions && !r.Stream:
		return badRequest("stream_options", "", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	case r.MaxTokens > 0 && r.MaxCompletionTokens > 0:
		return badRequest("", "", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	case r.MaxTokens > 0 && s.opts.ModernLimit:
		return badRequest("max_tokens", "unsupported_parameter",
			"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
	case r.MaxCompletionTokens > 0 && s.opts.LegacyLimit:
		return badRequest("", "", "Unrecognized request argument supplied: max_completion_tokens")
	case !slices.Contains(efforts, r.ReasoningEffort):
		return badRequest("reasoning_effort", "invalid_value", "Invalid value: '"+r.ReasoningEffort+
			"'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.")
	}
	return nil
}

var callName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// checkMessages walks the transcript once, with the ids that still wait for
// their results.
func checkMessages(ms []Message) *refusal {
	if len(ms) == 0 {
		// CopilotKit/CopilotKit 529.
		return badRequest("messages", "empty_array",
			"Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	var open []string
	for i := range ms {
		m := &ms[i]
		if len(open) > 0 && m.Role != "tool" {
			return unanswered(open)
		}
		var ref *refusal
		switch m.Role {
		case "system", "developer", "user", "function":
			ref = checkContent(m, i)
		case "assistant":
			open, ref = checkAssistant(m, i)
		case "tool":
			open, ref = checkResult(m, i, open)
		default:
			ref = badRequest(field("messages[%d].role", i), "invalid_value", "Invalid value: '"+m.Role+
				"'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.")
		}
		if ref != nil {
			return ref
		}
	}
	if len(open) > 0 {
		return unanswered(open)
	}
	return nil
}

// unanswered: microsoft/promptflow 3130 quotes it.
func unanswered(ids []string) *refusal {
	return badRequest("messages", "", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "+strings.Join(ids, ", "))
}

func checkContent(m *Message, i int) *refusal {
	if m.noContent {
		return badRequest(field("messages.[%d].content", i), "", "Invalid value for 'content': expected a string, got null.")
	}
	return nil
}

// checkResult: miurla/morphic 136 quotes the words, with their spelling.
func checkResult(m *Message, i int, open []string) ([]string, *refusal) {
	at := slices.Index(open, m.ToolCallID)
	if m.ToolCallID == "" || at < 0 {
		return open, badRequest(field("messages.[%d].role", i), "",
			"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
	}
	return slices.Delete(open, at, at+1), checkContent(m, i)
}

func checkAssistant(m *Message, i int) (open []string, ref *refusal) {
	if m.noCalls {
		// openai/openai-node 1341.
		at := field("messages[%d].tool_calls", i)
		return nil, badRequest(at, "empty_array", "Invalid '"+at+"': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	if len(m.ToolCalls) == 0 {
		return nil, checkContent(m, i)
	}
	for j := range m.ToolCalls {
		c := &m.ToolCalls[j]
		if ref := checkCall(c, field("messages[%d].tool_calls[%d]", i, j)); ref != nil {
			return nil, ref
		}
		if slices.Contains(open, c.ID) {
			// Anthropic's rule ("tool_use ids must be unique"), which its
			// compatible endpoint keeps; OpenAI cannot pair such calls either.
			return nil, badRequest(field("messages[%d].tool_calls[%d].id", i, j), "invalid_value", "Duplicate tool call id '"+c.ID+"'.")
		}
		open = append(open, c.ID)
	}
	return open, nil
}

func checkCall(c *ToolCall, at string) *refusal {
	switch {
	case c.ID == "":
		return badRequest(at+".id", "missing_required_parameter", "Missing required parameter: '"+at+".id'.")
	case len(c.ID) > maxIDLen:
		return badRequest(at+".id", "string_above_max_length", fmt.Sprintf(
			"Invalid '%s.id': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", at, maxIDLen, len(c.ID)))
	case c.Type != "function":
		return badRequest(at+".type", "invalid_value", "Invalid value: '"+c.Type+"'. Supported values are: 'function'.")
	case !callName.MatchString(c.Function.Name):
		return badRequest(at+".function.name", "invalid_value",
			"Invalid '"+at+".function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.")
	}
	// Compatible endpoints refuse these (vllm: local-inference-lab/vllm 684,
	// sglang: sgl-project/sglang 28035, alibaba); OpenAI lets them pass.
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Function.Arguments), &object) != nil || object == nil {
		return badRequest(at+".function.arguments", "invalid_parameter_error",
			"The \"function.arguments\" parameter must be a JSON object in JSON format.")
	}
	return nil
}
