package llm

import (
	"net/http"
	"slices"
	"strconv"
)

// Call is a tool call that a reply makes.
type Call struct {
	// ID is sent as it is; empty gives one that is unique in the process, and
	// NoID sends none.
	ID   string
	Name string
	// Args is sent as it is, valid JSON or not.
	Args string
}

// NoID as a Call's ID leaves the id out, as some endpoints do.
const NoID = "\x00"

// Usage counts tokens in the protocol's terms: Prompt includes Cached and
// CacheWrite, Completion includes Reasoning.
type Usage struct {
	Prompt, Cached, CacheWrite, Completion, Reasoning int
}

// Reply is an answer. The constructors make one; the methods return changed
// copies, so that a reply can be shared and varied.
type Reply struct {
	text      string
	calls     []Call
	reasoning string
	declined  string // message.refusal
	finish    string
	noFinish  bool
	noChoices bool
	usage     *Usage
	noUsage   bool
	model     string

	status  int
	header  http.Header
	body    string
	raw     bool // body is the whole answer, status 200
	cut     int  // cut the connection after this many bytes, if cutSet
	cutSet  bool
	cutArgs bool
	tidy    bool // end the response properly where it is cut
	hang    bool
	until   <-chan struct{}
	pauses  []pause
	inBand  string
}

// Text is an answer in words.
func Text(text string) Reply { return Reply{text: text} }

// Calls is an answer that asks for tools.
func Calls(calls ...Call) Reply { return Reply{calls: calls} }

// TextAndCalls is an answer that says something and asks for tools.
func TextAndCalls(text string, calls ...Call) Reply { return Reply{text: text, calls: calls} }

// NoChoices is an answer whose choices are [].
func NoChoices() Reply { return Reply{noChoices: true} }

// Nothing is an answer with an empty message and the given finish_reason.
func Nothing(finish string) Reply { return Reply{finish: finish} }

// OnlyReasoning is an answer that holds thinking and nothing else.
func OnlyReasoning(thought, finish string) Reply { return Reply{reasoning: thought, finish: finish} }

// Declined is an answer in which the model refuses to answer.
func Declined(words string) Reply { return Reply{declined: words} }

// Filtered is an answer that the content filter stopped after text.
func Filtered(text string) Reply { return Reply{text: text, finish: "content_filter"} }

// Raw is a response of status 200 with a body of any kind.
func Raw(contentType, body string) Reply {
	return Reply{raw: true, body: body, header: http.Header{"Content-Type": {contentType}}}
}

// Fail is an error in OpenAI's envelope.
func Fail(status int, kind, code, message string) Reply {
	return Reply{status: status, body: refusal{status, kind, code, "", message}.json()}
}

// FailWith is an error with any body.
func FailWith(status int, contentType, body string) Reply {
	return Reply{status: status, body: body, header: http.Header{"Content-Type": {contentType}}}
}

// RateLimited is OpenAI's 429 with Retry-After in seconds; 0 leaves it out.
func RateLimited(seconds int) Reply {
	r := Fail(http.StatusTooManyRequests, "requests", "rate_limit_exceeded", "Rate limit reached for requests.")
	if seconds > 0 {
		return r.Header("Retry-After", strconv.Itoa(seconds))
	}
	return r
}

// Redirect points the client elsewhere.
func Redirect(status int, location string) Reply {
	return Reply{status: status}.Header("Location", location)
}

// Hang answers nothing until the client is gone or the server is closed.
func Hang() Reply { return Reply{hang: true} }

// Header adds a response header.
func (r Reply) Header(name, value string) Reply {
	if r.header = r.header.Clone(); r.header == nil {
		r.header = http.Header{}
	}
	r.header.Add(name, value)
	return r
}

// Thinking puts reasoning before the answer.
func (r Reply) Thinking(thought string) Reply { r.reasoning = thought; return r }

// Finish overrides the finish_reason.
func (r Reply) Finish(reason string) Reply { r.finish = reason; return r }

// NoFinish leaves the finish_reason null.
func (r Reply) NoFinish() Reply { r.noFinish = true; return r }

// Usage sets the token counts, which are otherwise made from the lengths.
func (r Reply) Usage(u Usage) Reply { r.usage = &u; return r }

// NoUsage sends no token counts, asked for or not.
func (r Reply) NoUsage() Reply { r.noUsage = true; return r }

// Model sets the name of the model that answered.
func (r Reply) Model(name string) Reply { r.model = name; return r }

// Until waits for ch before the first byte.
func (r Reply) Until(ch <-chan struct{}) Reply { r.until = ch; return r }

// pause waits for ch after so many events.
type pause struct {
	at int
	ch <-chan struct{}
}

// PauseAfter waits for ch after n events of a stream; the role is the first. A later pause
// is given later.
func (r Reply) PauseAfter(n int, ch <-chan struct{}) Reply {
	r.pauses = append(slices.Clone(r.pauses), pause{n, ch})
	return r
}

// CutAfter cuts the connection after n bytes of the body.
func (r Reply) CutAfter(n int) Reply { r.cut, r.cutSet = n, true; return r }

// CutInArgs cuts a stream in the middle of the first call's arguments.
func (r Reply) CutInArgs() Reply { r.cutArgs = true; return r }

// Tidy ends the response where CutAfter or CutInArgs cut it as if it were whole,
// as a proxy does that lost its upstream.
func (r Reply) Tidy() Reply { r.tidy = true; return r }

// ThenError puts an error event into a stream after its text, in place of its
// end; body is the event's data.
func (r Reply) ThenError(body string) Reply { r.inBand = body; return r }
