package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// fault is a request that brought no usable answer, before it is judged. Of
// what went wrong one group of fields is set.
type fault struct {
	// The endpoint refused, with a status of its own or inside an answer.
	status int
	header http.Header
	wire   wireError

	// The connection failed.
	cause error
	ctx   error // the context that ended, if that is why

	movedTo string // it redirects to this origin
	webPage bool   // it answered with a page for people
	garbled bool   // what came is not this protocol
	refused string // the model or a filter declined: which of them
	gaveUp  string // the endpoint stopped in the middle: its finish reason
	empty   string // the answer holds nothing: in which way
}

// refusal reads a response of status 400 and above.
func refusal(res *http.Response) *fault {
	body, _ := io.ReadAll(res.Body) // what could be read of it has to do
	wire := parseWireError(body)
	return &fault{status: leadingStatus(res.StatusCode, wire.Message), header: res.Header, wire: wire}
}

// inBand reads an error that came inside an answer of status 200, as OpenRouter
// and others send them once a stream has begun. Its code is often a status.
func inBand(data []byte) *fault {
	wire := parseWireError(data)
	status, err := strconv.Atoi(wire.Code)
	if err != nil || status < 400 || status > 599 {
		status = leadingStatus(0, wire.Message)
	}
	return &fault{status: status, wire: wire}
}

var statusFirst = regexp.MustCompile(`^\s*"?([45]\d\d)\b`)

// leadingStatus corrects a status by the one that a gateway wrote at the front of
// its message ("429 Provider returned error"): gateways put their provider's
// limit under a status of their own.
func leadingStatus(status int, message string) int {
	m := statusFirst.FindStringSubmatch(message)
	if m == nil {
		return status
	}
	written, err := strconv.Atoi(m[1])
	if err != nil {
		return status
	}
	if status < 400 || written == http.StatusTooManyRequests || written == statusOverloaded {
		return written
	}
	return status
}

// broken is a connection that failed, or that its context ended.
func broken(ctx context.Context, err error) *fault {
	f := &fault{cause: err}
	if ctx.Err() != nil {
		f.ctx = ctx.Err()
		f.cause = context.Cause(ctx)
	}
	return f
}

// maxWordsBytes is how much of an explanation is searched for what it means.
const maxWordsBytes = 4 << 10

// wireError is what an endpoint says about a refusal, from whatever shape.
type wireError struct {
	Message string
	Type    string
	Code    string
	Param   string
	// Delay is a duration that stands beside the message (Google's retryDelay).
	Delay string
}

// parseWireError reads OpenAI's {"error": {message, type, code, param}} and its
// relatives: a string in place of the object (ollama), the object without its
// envelope (vllm), a list around it (Gemini), {"detail": ...} (FastAPI), the
// provider's own words in metadata.raw (OpenRouter), and plain text.
func parseWireError(body []byte) wireError {
	w := readWireError(body)
	for _, s := range []*string{&w.Message, &w.Type, &w.Code, &w.Param, &w.Delay} {
		*s = (*s)[:min(len(*s), maxWordsBytes)]
	}
	return w
}

func readWireError(body []byte) wireError {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			return wireError{Message: "a web page instead of an explanation"}
		}
		return wireError{Message: text}
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	if m, ok := v.(map[string]any); ok {
		if inner, ok := m["error"]; ok && inner != nil {
			v = inner
		}
	}
	switch v := v.(type) {
	case string:
		return wireError{Message: v}
	case map[string]any:
		return wireErrorFrom(v)
	}
	return wireError{Message: strings.TrimSpace(string(body))}
}

func wireErrorFrom(m map[string]any) wireError {
	w := wireError{
		Message: firstText(m, "message", "detail", "msg", "error_description"),
		Type:    firstText(m, "type", "status"),
		Code:    firstText(m, "code"),
		Param:   firstText(m, "param"),
	}
	if meta, ok := m["metadata"].(map[string]any); ok {
		if raw := firstText(meta, "raw"); raw != "" {
			w.Message += ": " + raw
		}
	}
	if details, ok := m["details"].([]any); ok {
		for _, d := range details {
			if d, ok := d.(map[string]any); ok && w.Delay == "" {
				w.Delay = firstText(d, "retryDelay")
			}
		}
	}
	return w
}

// firstText is the first of the fields that holds something, as text.
func firstText(m map[string]any, fields ...string) string {
	for _, field := range fields {
		switch v := m[field].(type) {
		case nil:
		case string:
			if v != "" {
				return v
			}
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		default:
			if raw, err := json.Marshal(v); err == nil {
				return string(raw)
			}
		}
	}
	return ""
}

// cause stands in an error's chain for what really happened: the original
// errors of the SDK and of net/http hold the request with its key.
type cause struct {
	text string
	is   error
}

// Error is what happened, without the key.
func (e *cause) Error() string { return e.text }

// Unwrap lets errors.Is find a context's end or a cut connection.
func (e *cause) Unwrap() error { return e.is }

// safeCause copies err into a cause; nil stays nil.
func (c *Client) safeCause(f *fault) error {
	switch {
	case f.cause != nil:
		is := f.ctx
		if is == nil && errors.Is(f.cause, io.ErrUnexpectedEOF) {
			is = io.ErrUnexpectedEOF
		}
		return &cause{text: c.key.quote(f.cause.Error()), is: is}
	case f.wire.Message == "" && f.wire.Code == "" && f.wire.Type == "":
		return nil
	}
	var parts []string
	for _, p := range []string{f.wire.Type, f.wire.Code, f.wire.Message} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return &cause{text: c.key.quote(strings.Join(parts, ": "))}
}
