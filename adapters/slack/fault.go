package slack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"bullpen/bridge"
)

// Bounds of waiting.
const (
	// limitedMost is the longest wait that a Retry-After may ask for; limitedLeast
	// is the wait when it says nothing that makes sense.
	limitedMost  = 5 * time.Minute
	limitedLeast = 5 * time.Second
	// askTries is how often a call without effects is made before it is given up.
	askTries = 4
)

// callError says how a call of the Web API ended.
type callError struct {
	method string
	code   string // Slack's, if it said no
	needed string // the scope that a missing_scope names
	after  time.Duration
	// limited: too many calls, it was not carried out. reached: the request may
	// have been carried out.
	limited, reached bool
	err              error // without secrets
}

func (e *callError) Error() string { return fmt.Sprintf("Slack's %s: %v", e.method, e.err) }
func (e *callError) Unwrap() error { return e.err }

// explain makes a callError of what a call returned.
func (a *Adapter) explain(method string, err error, at *attempt) *callError {
	e := &callError{method: method, err: a.scrub.Error(err), reached: at.reached.Load()}
	var said slack.SlackErrorResponse
	var limited *slack.RateLimitedError
	switch {
	case errors.As(err, &limited) || at.status.Load() == http.StatusTooManyRequests:
		e.limited, e.after = true, a.retryAfter(at)
	case errors.As(err, &said):
		e.code, e.needed = said.Err, said.Needed
		if e.code == "ratelimited" || e.code == "rate_limited" {
			e.limited, e.after = true, a.retryAfter(at)
		}
		if said.Err == "missing_scope" && said.Needed != "" {
			e.err = fmt.Errorf("missing_scope (%s)", said.Needed)
		}
	}
	return e
}

// retryAfter reads the header of a 429: whole seconds. What is missing, zero or
// absurd becomes a bounded wait with jitter.
func (a *Adapter) retryAfter(at *attempt) time.Duration {
	if s := at.retryAfter.Load(); s != nil {
		n, err := strconv.Atoi(strings.TrimSpace(*s))
		switch wait := time.Duration(n) * time.Second; {
		case err != nil || n <= 0:
		case n <= int(limitedMost/time.Second):
			return wait
		default:
			return bridge.Jittered(limitedMost)
		}
	}
	return bridge.Jittered(2 * limitedLeast)
}

// ask makes a call that has no effect, or the same one however often it is
// made, until Slack answers yes or no. The error is a *callError or ctx's.
func (a *Adapter) ask(ctx context.Context, method string, call func(context.Context) error) error {
	for try := 1; ; try++ {
		once, at := watched(ctx)
		once, cancel := context.WithTimeout(once, callTime)
		err := call(once)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := a.explain(method, err, at)
		wait := e.after
		switch {
		case e.code != "" && !e.limited && !slices.Contains(passing, e.code), try == askTries:
			return e
		case wait == 0:
			wait = bridge.Backoff(try)
		}
		if err := bridge.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// codeOf is Slack's error code in err, or empty.
func codeOf(err error) string {
	if e := (*callError)(nil); errors.As(err, &e) {
		return e.code
	}
	return ""
}

// The error codes that decide something (docs.slack.dev, the pages of the methods).
var (
	// passing codes are Slack's own trouble.
	passing = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}
	// closing codes say that nothing can be shown in a place.
	closing = []string{"is_archived", "channel_not_found", "not_in_channel", "is_inactive", "team_not_found"}
	// badToken codes need a person in the app's settings.
	badToken = []string{
		"invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "not_allowed_token_type",
		"org_login_required", "ekm_access_denied", "no_permission", "missing_scope", "access_denied", "team_access_not_granted",
	}
)

// appFault says what is wrong with the app's token, or nil if waiting may help.
func appFault(err error) error {
	var said slack.SlackErrorResponse
	var status slack.StatusCodeError
	code := ""
	switch {
	case errors.As(err, &said):
		code = said.Err
	case errors.As(err, &status) && status.Code == http.StatusNotFound:
		return bridge.Unmendable("the address for Slack's Web API answers that there is none: correct adapters.slack.api_url, or leave it out")
	default:
		return nil
	}
	if !slices.Contains(badToken, code) {
		return nil
	}
	switch code {
	case "missing_scope", "not_allowed_token_type":
		return bridge.Unmendable("Slack says " + code + " to adapters.slack.app_token: it has to be an app-level token with the scope connections:write (Basic Information, App-Level Tokens); put it there and start again")
	case "account_inactive":
		return bridge.Unmendable("Slack says account_inactive: the app was removed from the workspace; install it again and start again")
	default:
		return bridge.Unmendable("Slack does not accept adapters.slack.app_token (" + code + "): make a new app-level token with the scope connections:write (Basic Information, App-Level Tokens), put it there and start again")
	}
}

// botFault says what is wrong with the bot's token or rights, or nil.
func botFault(err error) error {
	var e *callError
	if !errors.As(err, &e) || !slices.Contains(badToken, e.code) {
		return nil
	}
	switch e.code {
	case "missing_scope":
		return bridge.Unmendable("the Slack app lacks the scope " + e.needed + ": add it under OAuth & Permissions, Bot Token Scopes, install the app again and start again")
	case "account_inactive":
		return bridge.Unmendable("Slack says account_inactive: the app was removed from the workspace or its bot is deactivated; install it again and start again")
	default:
		return bridge.Unmendable("Slack does not accept adapters.slack.bot_token (" + e.code + "): install the app again (OAuth & Permissions), put the new xoxb- token there and start again")
	}
}
