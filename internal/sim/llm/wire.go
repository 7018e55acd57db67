package llm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync/atomic"
	"unicode/utf8"
)

// pieceLen is the length of a streamed piece of text, in bytes: long enough to
// be cheap, short enough to be several.
const pieceLen = 64

// bytesPerToken is how usage is made up where a reply does not say.
const bytesPerToken = 4

var lastID atomic.Uint64

func nextID(prefix string) string { return prefix + strconv.FormatUint(lastID.Add(1), 36) }

type wireUsage struct {
	Prompt        int `json:"prompt_tokens"`
	Completion    int `json:"completion_tokens"`
	Total         int `json:"total_tokens"`
	PromptDetails struct {
		Cached     int `json:"cached_tokens"`
		CacheWrite int `json:"cache_write_tokens,omitempty"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

type wireCall struct {
	Index    *int          `json:"index,omitempty"`
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type,omitempty"`
	Function *wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type wireAnswer struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	Refusal   *string    `json:"refusal,omitempty"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	ToolCalls []wireCall `json:"tool_calls,omitempty"`
}

type wireChoice struct {
	Index   int         `json:"index"`
	Message *wireAnswer `json:"message,omitempty"`
	Delta   *wireAnswer `json:"delta,omitempty"`
	Finish  *string     `json:"finish_reason"`
}

type wireCompletion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []wireChoice `json:"choices"`
	Usage   *wireUsage   `json:"usage,omitempty"`
}

// created is fixed: answers are the same in every run.
const created = 1_750_000_000

func (r *Reply) completion(req *Request, object string) wireCompletion {
	c := wireCompletion{ID: nextID("chatcmpl-"), Object: object, Created: created, Model: r.model, Choices: []wireChoice{}}
	if c.Model == "" {
		c.Model = req.Model
	}
	return c
}

func (r *Reply) counts(req *Request) *wireUsage {
	if r.noUsage {
		return nil
	}
	u := r.usage
	if u == nil {
		written := len(r.text) + len(r.reasoning)
		for _, c := range r.calls {
			written += len(c.Name) + len(c.Args)
		}
		u = &Usage{Prompt: 1 + len(req.Body)/bytesPerToken, Completion: written / bytesPerToken, Reasoning: len(r.reasoning) / bytesPerToken}
	}
	w := &wireUsage{Prompt: u.Prompt, Completion: u.Completion, Total: u.Prompt + u.Completion}
	w.PromptDetails.Cached, w.PromptDetails.CacheWrite = u.Cached, u.CacheWrite
	w.CompletionDetails.Reasoning = u.Reasoning
	return w
}

func (r *Reply) finishReason() *string {
	reason := r.finish
	switch {
	case r.noFinish:
		return nil
	case reason != "":
	case len(r.calls) > 0:
		reason = "tool_calls"
	default:
		reason = "stop"
	}
	return &reason
}

func (c Call) wire() wireCall {
	w := wireCall{ID: c.ID, Type: "function", Function: &wireFunction{Name: c.Name, Arguments: c.Args}}
	switch c.ID {
	case "":
		w.ID = nextID("call_")
	case NoID:
		w.ID = ""
	}
	return w
}

// whole is the answer in one piece.
func (r *Reply) whole(req *Request) []byte {
	c := r.completion(req, "chat.completion")
	c.Usage = r.counts(req)
	if !r.noChoices {
		m := &wireAnswer{Role: "assistant", Reasoning: r.reasoning}
		if r.text != "" || len(r.calls) == 0 && r.declined == "" {
			m.Content = &r.text
		}
		if r.declined != "" {
			m.Refusal = &r.declined
		}
		for _, call := range r.calls {
			m.ToolCalls = append(m.ToolCalls, call.wire())
		}
		c.Choices = append(c.Choices, wireChoice{Message: m, Finish: r.finishReason()})
	}
	return encode(c)
}

// events are the answer's server-sent events; cutAt is the number of bytes up to
// the middle of the first call's arguments, or -1.
func (r *Reply) events(req *Request) (events [][]byte, cutAt int) {
	c := r.completion(req, "chat.completion.chunk")
	size, cutAt := 0, -1
	emit := func(v []byte) {
		e := make([]byte, 0, len(v)+8)
		e = append(append(append(e, "data: "...), v...), "\n\n"...)
		size += len(e)
		events = append(events, e)
	}
	delta := func(d wireAnswer, finish *string) {
		c.Choices = []wireChoice{{Delta: &d, Finish: finish}}
		emit(encode(c))
	}
	if !r.noChoices {
		empty := ""
		delta(wireAnswer{Role: "assistant", Content: &empty}, nil)
		for _, p := range pieces(r.reasoning) {
			delta(wireAnswer{Reasoning: p}, nil)
		}
		for _, p := range pieces(r.text) {
			delta(wireAnswer{Content: &p}, nil)
		}
		if r.declined != "" {
			delta(wireAnswer{Refusal: &r.declined}, nil)
		}
		for i, call := range r.calls {
			head, first, rest := splitCall(call.wire(), i)
			delta(wireAnswer{ToolCalls: []wireCall{head}}, nil)
			delta(wireAnswer{ToolCalls: []wireCall{first}}, nil)
			if cutAt < 0 {
				cutAt = size
			}
			delta(wireAnswer{ToolCalls: []wireCall{rest}}, nil)
		}
		if r.inBand != "" {
			emit([]byte(r.inBand))
			return events, cutAt
		}
		if finish := r.finishReason(); finish != nil {
			delta(wireAnswer{}, finish)
		}
	}
	if u := r.counts(req); u != nil && req.IncludeUsage {
		c.Choices, c.Usage = []wireChoice{}, u
		emit(encode(c))
	}
	emit([]byte("[DONE]"))
	return events, cutAt
}

// splitCall makes the three pieces in which a call is streamed.
func splitCall(w wireCall, index int) (head, first, rest wireCall) {
	args := w.Function.Arguments
	half := len(args) / 2
	for half > 0 && !utf8.RuneStart(args[half]) {
		half--
	}
	head = wireCall{Index: &index, ID: w.ID, Type: w.Type, Function: &wireFunction{Name: w.Function.Name}}
	first = wireCall{Index: &index, Function: &wireFunction{Arguments: args[:half]}}
	rest = wireCall{Index: &index, Function: &wireFunction{Arguments: args[half:]}}
	return head, first, rest
}

// pieces cuts text between characters.
func pieces(text string) []string {
	var out []string
	for len(text) > pieceLen {
		n := pieceLen
		for n > 1 && !utf8.RuneStart(text[n]) {
			n--
		}
		out, text = append(out, text[:n]), text[n:]
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}

func (ref refusal) json() string {
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	type inner struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	return string(encode(map[string]inner{"error": {ref.message, ref.kind, orNull(ref.param), orNull(ref.code)}}))
}

// encode marshals shapes of this package, which cannot fail.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n")
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(encode(v))
}

func writeError(w http.ResponseWriter, ref refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(ref.status)
	_, _ = w.Write([]byte(ref.json()))
}
