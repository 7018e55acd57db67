package openai

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"bullpen/office/model"
)

// What OpenAI accepts in a transcript; it answers 400 to anything else, for
// example to a call id of another provider that is longer.
const (
	maxIDLen       = 40
	maxToolNameLen = 64
)

// params turns a request into the protocol's. The same request gives the same
// bytes, so that providers' prompt caches hit.
func (c *Client) params(req *model.Request, known quirks) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: c.model}
	effort, err := c.effort(req.Thinking)
	if err != nil {
		return p, err
	}
	p.ReasoningEffort = effort
	if p.Tools, err = c.tools(req.Tools); err != nil {
		return p, err
	}
	p.Messages = c.messages(req)
	if req.MaxTokens > 0 {
		if c.limitName(known) == "max_tokens" {
			p.MaxTokens = sdk.Int(int64(req.MaxTokens))
		} else {
			p.MaxCompletionTokens = sdk.Int(int64(req.MaxTokens))
		}
	}
	if !known.has(noStream) && !known.has(noStreamOptions) {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	return p, nil
}

// effort maps a thinking level. Off sends nothing at all: "none" is unknown to
// most models.
func (c *Client) effort(level string) (shared.ReasoningEffort, error) {
	switch level {
	case "", "off":
		return "", nil
	case "minimal", "low", "medium", "high", "xhigh":
		return shared.ReasoningEffort(level), nil
	}
	return "", &model.Error{Kind: model.Invalid, Sentence: fmt.Sprintf(
		"the thinking level %q for %s is unknown: use off, minimal, low, medium, high or xhigh", oneLine(level, maxNameLen), c.model)}
}

func (c *Client) messages(req *model.Request) []sdk.ChatCompletionMessageParamUnion {
	out := make([]sdk.ChatCompletionMessageParamUnion, 0, len(req.Messages)+1)
	if req.System != "" {
		// Role system, not developer: OpenAI takes both, compatible endpoints
		// know only this one.
		out = append(out, sdk.SystemMessage(req.System))
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		switch m.Role {
		case model.RoleAssistant:
			if m.Text != "" || len(m.Calls) > 0 {
				out = append(out, c.assistant(m))
			}
		case model.RoleTool:
			out = append(out, sdk.ToolMessage(resultText(m), wireID(m.CallID)))
		default:
			out = append(out, sdk.UserMessage(m.Text))
		}
	}
	return out
}

func (c *Client) assistant(m *model.Message) sdk.ChatCompletionMessageParamUnion {
	var a sdk.ChatCompletionAssistantMessageParam
	if m.Text != "" {
		a.Content.OfString = sdk.String(m.Text)
	}
	kept := c.recall(m)
	if fields := kept.messageFields(); fields != nil {
		a.SetExtraFields(fields)
	}
	for _, call := range m.Calls {
		f := &sdk.ChatCompletionMessageFunctionToolCallParam{ID: wireID(call.ID)}
		f.Function.Name = wireName(call.Name)
		f.Function.Arguments = wireArgs(call.Args)
		if fields := kept.callFields(call.ID); fields != nil {
			f.SetExtraFields(fields)
		}
		a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: f})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

// resultText is a tool's result. The protocol has no flag for a failure, so the
// text has to say it.
func resultText(m *model.Message) string {
	if !m.Failed || (len(m.Text) >= 5 && strings.EqualFold(m.Text[:5], "error")) {
		return m.Text
	}
	return "error: " + m.Text
}

// wireID shortens the ids of other providers, the same way at the call and at
// its result.
func wireID(id string) string {
	if len(id) <= maxIDLen {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])[:26]
}

// wireName makes a tool's name that a model invented acceptable: it stays in the
// transcript with its error, and OpenAI refuses names outside this alphabet.
func wireName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if clean == "" {
		return "unnamed"
	}
	return clean[:min(len(clean), maxToolNameLen)]
}

func wireArgs(args json.RawMessage) string {
	if !isObject(args) {
		return "{}"
	}
	return string(args)
}

func isObject(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(trimmed)
}
