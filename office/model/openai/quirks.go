package openai

import (
	"net/http"
	"regexp"
	"strings"

	"bullpen/office/model"
)

// quirks are things that an endpoint turned out to refuse. A client learns each
// at most once, so a request is sent four times at the very most, and a second
// time only after a refusal that did no work.
type quirks uint32

const (
	// noStreamOptions: stream_options is refused, so a stream brings no usage
	// unless the endpoint sends it by itself.
	noStreamOptions quirks = 1 << iota
	// noStream: this key may not stream this model. OpenAI says so to accounts
	// that are not verified.
	noStream
	// otherLimit: the answer's limit goes by the other of its two names.
	// OpenAI's reasoning models refuse max_tokens, older compatible servers do
	// not know max_completion_tokens.
	otherLimit
)

func (q quirks) has(bit quirks) bool { return q&bit != 0 }

var refusesStream = regexp.MustCompile(`(?i)verified to stream|stream(ing)?( mode)? (is )?not (supported|allowed|available)|not support stream`)

// learn reads from a refusal what the endpoint cannot do, as far as the request
// did it; 0 when the refusal is about something else.
func (c *Client) learn(f *fault, known quirks, req *model.Request) quirks {
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity {
		return 0
	}
	text := strings.ToLower(f.wire.Message + " " + f.wire.Param)
	streamed := !known.has(noStream)
	switch {
	case streamed && !known.has(noStreamOptions) &&
		(strings.Contains(text, "stream_options") || strings.Contains(text, "include_usage")):
		return noStreamOptions
	case streamed && (f.wire.Param == "stream" || refusesStream.MatchString(text)):
		return noStream
	case req.MaxTokens > 0 && !known.has(otherLimit) && strings.Contains(text, c.limitName(known)) && unknownParam(f):
		return otherLimit
	}
	return 0
}

func unknownParam(f *fault) bool {
	text := strings.ToLower(f.wire.Message)
	for _, word := range []string{"unsupported", "not supported", "unrecognized", "unknown", "unexpected", "extra", "not permitted"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return f.wire.Code == "unsupported_parameter" || f.wire.Code == "unknown_parameter"
}

// limitName is the parameter that bounds the answer.
func (c *Client) limitName(known quirks) string {
	if c.hosted != known.has(otherLimit) {
		return "max_completion_tokens"
	}
	return "max_tokens"
}
