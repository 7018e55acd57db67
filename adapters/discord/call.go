package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"bullpen/bridge"
)

const (
	// callTime is how long one call may take, beside waiting for its turn.
	callTime = 20 * time.Second
	// askTries is how often a call without effects is made before it is given up.
	askTries = 4
)

// callError says how a call of the REST API ended.
type callError struct {
	route  string // without secrets
	status int    // of HTTP; 0: no answer
	code   int    // Discord's, if it said no
	after  time.Duration
	// limited: too many calls, it was not carried out. reached: the request may
	// have been carried out.
	limited, reached bool
	err              error // without secrets
}

func (e *callError) Error() string { return fmt.Sprintf("Discord's %s: %v", e.route, e.err) }
func (e *callError) Unwrap() error { return e.err }

// answered says whether Discord itself said no, and not something in between or
// its own trouble.
func (e *callError) answered() bool { return e.status >= 400 && e.status < 500 && !e.limited }

// codeOf is Discord's error code in err, or 0.
func codeOf(err error) int {
	if e := (*callError)(nil); errors.As(err, &e) {
		return e.code
	}
	return 0
}

// call makes one request, whose turn has come, and reads its result into out, if
// that is not nil. path is below the API's address and begins with no slash.
func (a *Adapter) call(ctx context.Context, method, path string, body, out any) *callError {
	route := routeOf(method, path)
	if a.isStopped() {
		return &callError{route: route.shown, status: http.StatusUnauthorized, err: errors.New("the bot's token is not accepted")}
	}
	if wait := a.limits.breaker.closed(a.now()); wait > 0 {
		return &callError{route: route.shown, limited: true, after: wait, err: errors.New("too many calls were refused: none are made for a while")}
	}
	raw, kind, err := written(ctx, body)
	if err != nil {
		return &callError{route: route.shown, status: http.StatusGone, err: a.scrub.Error(err)}
	}
	ctx, at := watched(ctx)
	// The library's own waiting knows no context and its repeats no danger: each
	// call has a limiter of its own, and ours has decided that it is its turn.
	bucket := discordgo.NewRatelimiter().LockBucket("")
	answer, err := a.rest.RequestWithLockedBucket(method, discordgo.EndpointAPI+path, kind, raw, bucket, 0, discordgo.WithContext(ctx))
	a.limits.note(route, at, a.now())
	a.judge(at)
	if err != nil {
		return a.explain(route, err, at)
	}
	if out == nil {
		return nil
	}
	if err := decode(answer, out); err != nil {
		return &callError{route: route.shown, reached: true, err: a.scrub.Error(err)}
	}
	return nil
}

func (a *Adapter) isStopped() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopped
}

// withFile is a body with a file beside it.
type withFile struct {
	payload payload
	file    *bridge.Attachment
}

// written is a body as it goes over the wire.
func written(ctx context.Context, body any) (raw []byte, kind string, err error) {
	switch b := body.(type) {
	case nil:
		return nil, "application/json", nil
	case withFile:
		kind, raw, err = form(ctx, b.payload, b.file)
		return raw, kind, err
	default:
		raw, err = json.Marshal(body)
		return raw, "application/json", err
	}
}

// explain makes a callError of what a call returned.
func (a *Adapter) explain(route route, err error, at *attempt) *callError {
	e := &callError{route: route.shown, err: a.scrub.Error(err), reached: at.reached.Load(), status: int(at.status.Load())}
	var said *discordgo.RESTError
	if errors.As(err, &said) && said.Message != nil {
		e.code = said.Message.Code
		e.err = fmt.Errorf("%s (%d)%s", a.scrub.Text(oneLine(said.Message.Message)), e.code, a.scrub.Text(details(said.ResponseBody)))
	} else if e.status >= 300 {
		e.err = fmt.Errorf("the answer is %d %s", e.status, http.StatusText(e.status))
	}
	if e.status == http.StatusTooManyRequests {
		var body struct {
			After float64 `json:"retry_after"`
			Code  int     `json:"code"`
		}
		_ = json.Unmarshal(at.body(), &body) // what is none says nothing
		e.limited, e.code, e.after = true, body.Code, a.limits.asked(route, at, body.After, a.now())
		e.err = errors.New("too many calls: Discord asks to wait")
	}
	return e
}

// details are the fields that an invalid form names, for people.
func details(body []byte) string {
	var said struct {
		Errors json.RawMessage `json:"errors"`
	}
	if json.Unmarshal(body, &said) != nil || len(said.Errors) == 0 {
		return ""
	}
	return ": " + oneLine(string(said.Errors[:min(len(said.Errors), 300)]))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// ask makes a call that has no effect, or the same one however often it is made,
// when its turn comes, until Discord answers yes or no. The error is a *callError
// or ctx's.
func (a *Adapter) ask(ctx context.Context, method, path string, body, out any) error {
	for try := 1; ; try++ {
		if err := a.limits.enter(ctx, routeOf(method, path), a.now); err != nil {
			return err
		}
		one, cancel := context.WithTimeout(ctx, callTime)
		e := a.call(one, method, path, body, out)
		cancel()
		switch {
		case e == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case e.answered(), try == askTries:
			return e
		}
		wait := e.after
		if wait == 0 {
			wait = bridge.Backoff(try)
		}
		if err := bridge.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// tokenFault says what is wrong with the bot's token, or nil. A webhook's own token
// is none of it.
func tokenFault(err error) error {
	var e *callError
	if !errors.As(err, &e) || e.status != http.StatusUnauthorized || strings.Contains(e.route, " webhooks/") {
		return nil
	}
	return bridge.Unmendable("Discord does not accept adapters.discord.token: take a new one from the application's page (Bot, Reset Token), put it there and start again")
}
