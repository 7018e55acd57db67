// Package model is what the office knows of language models: one request, one
// answer, in terms that belong to no provider. A transcript kept in these terms
// can be continued by a model of another maker. The providers live in the
// folders below this one; each turns these types into its own wire format and
// its own failures into *Error, and decides nothing: whether to try again, to
// fall back or to give up is decided by the turn (office/agent).
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Model answers requests. Implementations are safe for concurrent use.
type Model interface {
	// Generate sends one request and waits for the whole answer. Every piece of
	// text is also given to progress as it arrives (nil: nobody listens), on the
	// calling goroutine, before Generate returns. An answer that cannot be used
	// is an *Error; its Partial says whether progress had already seen text.
	// Generate never retries and returns soon after ctx ends.
	Generate(ctx context.Context, req *Request, progress func(text string)) (*Response, error)
}

// Role says whose words a message holds.
type Role string

// The roles of a transcript. The system prompt is no message: see Request.
const (
	RoleUser      Role = "user"      // frames and notices from the office
	RoleAssistant Role = "assistant" // what the model answered
	RoleTool      Role = "tool"      // the result of one call
)

// Message is one entry of a transcript.
type Message struct {
	Role Role
	// Text is what was said, or a tool's result.
	Text string
	// Calls are the tools an assistant message asked for, in its order.
	Calls []Call
	// CallID and Failed belong to a RoleTool message: the call it answers, and
	// whether the tool reported a failure.
	CallID string
	Failed bool
	// Extra is what the provider that wrote an assistant message wants to see
	// again (signed thinking, for example). It is opaque to everybody else and
	// ignored by other providers.
	Extra json.RawMessage
}

// Call asks for one tool.
type Call struct {
	ID   string
	Name string
	// Args is a JSON object. Where the model wrote something else it is {} and
	// Broken says what was wrong; such a call is never run, but it stays in the
	// transcript with an error as its result, because providers refuse a
	// transcript with unpaired or malformed calls.
	Args   json.RawMessage
	Broken string
}

// Tool is a tool's contract as the model sees it.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON schema of the arguments, an object.
	Schema json.RawMessage
}

// Request is one step's question to a model.
type Request struct {
	// System is the composed prompt, byte-stable between the turns of a context
	// so that providers' caches hit.
	System   string
	Messages []Message
	Tools    []Tool
	// MaxTokens bounds the answer; 0 leaves it to the provider.
	MaxTokens int
	// Thinking is off, minimal, low, medium, high or xhigh; empty means off.
	Thinking string
}

// Stop says why a model stopped writing.
type Stop string

// Reasons to stop.
const (
	StopEnd    Stop = "end"    // it was done
	StopCalls  Stop = "calls"  // it wants tools
	StopLength Stop = "length" // it ran into its limit; Text is cut
)

// Response is a usable answer: it has text, or calls, or both.
type Response struct {
	Text  string
	Calls []Call
	Stop  Stop
	Usage Usage
	// Model is the name of the model that answered, as the provider gave it.
	Model string
	Extra json.RawMessage
}

// Usage counts tokens of one request. Input does not include CacheRead and
// CacheWrite; Output includes Reasoning.
type Usage struct {
	Input, CacheRead, CacheWrite int64
	Output, Reasoning            int64
}

// Kind classifies a failure by what the caller can do about it.
type Kind string

// Kinds of failure.
const (
	RateLimited Kind = "rate-limited" // 429: wait (RetryAfter), then the same model again
	Overloaded  Kind = "overloaded"   // 5xx, 529: the same
	Timeout     Kind = "timeout"      // no answer in time, or the connection broke: the same
	Exhausted   Kind = "exhausted"    // the account has no quota until RetryAfter: another model
	Unavailable Kind = "unavailable"  // bad key, no such model, no permission: another model; a person must act
	Refused     Kind = "refused"      // the provider declined the content: final
	Invalid     Kind = "invalid"      // the provider calls the request malformed: final
	TooLong     Kind = "too-long"     // the transcript does not fit: shorten it
	Empty       Kind = "empty"        // an answer with neither text nor calls: once more
)

// Error is a failed request.
type Error struct {
	Kind Kind
	// RetryAfter is how long the provider asks to wait; 0 when it did not say.
	RetryAfter time.Duration
	// Partial says that progress had already been given text of this answer.
	Partial bool
	// Usage is what the failed request was billed for, where the provider said.
	Usage Usage
	// Sentence tells a person what happened and what mends it. It holds no
	// secret and fits one line.
	Sentence string
	Err      error
}

// Error is the sentence, with the cause behind it.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Sentence
	}
	return fmt.Sprintf("%s: %v", e.Sentence, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of err, or "" when it is no *Error.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
