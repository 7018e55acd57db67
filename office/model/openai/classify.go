package openai

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"bullpen/office/model"
)

// statusOverloaded is Anthropic's "overloaded", which gateways pass on.
const statusOverloaded = 529

// reason is what was recognised in a refusal; kinds and sentences follow from it.
type reason int

const (
	byStatus reason = iota // nothing but the status
	noQuota
	tooLong
	filtered
	badKey
	noModel
	noEffort
)

// The words by which endpoints say what their codes do not. Each is as narrow as
// the cases seen allow: a wrong kind is worse than the status's own.
var (
	quotaWords  = regexp.MustCompile(`(?i)insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing_(hard_limit|not_active)|credit balance is too low|billing hard limit`)
	lengthWords = regexp.MustCompile(`(?i)context_length_exceeded|exceed_context_size|maximum context length|context (length|window|size)[^.]{0,40}exceed|exceeds?[^.]{0,60}context (length|window|size)|prompt is too long|input (is )?too long|(reduce the length of the (messages|prompt|input))|input or output tokens must be reduced|request too large for`)
	filterWords = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|responsibleaipolicy|invalid_prompt|safety_violations?|input was flagged|data_inspection_failed|usage policies`)
	keyWords    = regexp.MustCompile(`(?i)invalid_api_key|incorrect api key|invalid api key|api key not valid|no auth credentials|api key expired`)
	modelWords  = regexp.MustCompile(`(?i)model_not_found|model_decommissioned|model not exist|not a valid model|unknown model|invalid model\b|model [^.]{0,120}(does not exist|not found|decommissioned)|no endpoints found`)
	effortWords = regexp.MustCompile(`(?i)reasoning[_.]?effort`)
)

// recognise reads a refusal's code and words.
func recognise(f *fault) reason {
	text := f.wire.Type + " " + f.wire.Code + " " + f.wire.Param + " " + f.wire.Message
	client := f.status < 500 // a server's failure may quote anything
	switch {
	case f.status == http.StatusPaymentRequired:
		return noQuota
	case quotaWords.MatchString(text) && (f.wire.Code == "insufficient_quota" || !namesWait(f)):
		return noQuota
	case !client:
		return byStatus
	case f.status == http.StatusUnauthorized || keyWords.MatchString(text):
		return badKey
	case lengthWords.MatchString(text), f.status == http.StatusRequestEntityTooLarge:
		return tooLong
	case f.status == http.StatusTooManyRequests:
		return byStatus
	case filterWords.MatchString(text):
		return filtered
	case modelWords.MatchString(text):
		return noModel
	case effortWords.MatchString(text):
		return noEffort
	}
	return byStatus
}

// namesWait tells a limit per minute from an empty account: Gemini's endpoint
// uses the same words for both, and names a wait for the first.
func namesWait(f *fault) bool {
	return f.wire.Delay != "" || waitWords.MatchString(f.wire.Message)
}

// kindOf is what the caller can do about f.
func kindOf(f *fault, why reason) model.Kind {
	switch {
	case f.refused != "":
		return model.Refused
	case f.empty != "":
		return model.Empty
	case f.movedTo != "", f.webPage:
		return model.Unavailable
	case f.gaveUp != "", f.garbled:
		return model.Overloaded
	case f.cause != nil:
		return connectionKind(f)
	}
	switch why {
	case noQuota:
		return model.Exhausted
	case tooLong:
		return model.TooLong
	case filtered:
		return model.Refused
	case badKey, noModel:
		return model.Unavailable
	case noEffort:
		return model.Invalid
	}
	return statusKind(f)
}

func statusKind(f *fault) model.Kind {
	switch f.status {
	case http.StatusTooManyRequests:
		return model.RateLimited
	case http.StatusRequestTimeout:
		return model.Timeout
	case http.StatusConflict, http.StatusTooEarly:
		return model.Overloaded
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return model.Unavailable
	}
	switch {
	case f.status >= 500:
		return model.Overloaded
	case f.status >= 400:
		return model.Invalid
	}
	// An error inside an answer that names no status: go by its words.
	text := strings.ToLower(f.wire.Type + " " + f.wire.Code + " " + f.wire.Message)
	switch {
	case strings.Contains(text, "rate limit"), strings.Contains(text, "rate_limit"), strings.Contains(text, "too many requests"):
		return model.RateLimited
	case strings.Contains(text, "invalid_request"):
		return model.Invalid
	}
	return model.Overloaded
}

// failed judges f and says it.
func (c *Client) failed(f *fault, a *answer) *model.Error {
	why := recognise(f)
	e := &model.Error{Kind: kindOf(f, why), Partial: a.shown, Usage: a.usage, Err: c.safeCause(f)}
	switch e.Kind {
	case model.RateLimited, model.Overloaded, model.Exhausted:
		e.RetryAfter = retryAfter(f.header, f.wire, time.Now())
	}
	if why == badKey {
		// Endpoints repeat a part of the key in their complaint about it.
		e.Err = nil
	}
	e.Sentence = c.sentence(f, why, e)
	return e
}
