package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
)

const (
	// callTime is how long one call may take, beside what a poll waits.
	callTime = 20 * time.Second
	// answerMost bounds, in bytes, what is read of an answer: a hundred updates of
	// the longest texts are well below it.
	answerMost = 16 << 20
	// limitedMost is the longest wait that a retry_after may ask for; limitedLeast
	// is the wait when it says nothing that makes sense.
	limitedMost  = time.Hour
	limitedLeast = 5 * time.Second
	// askTries is how often a call without effects is made before it is given up.
	askTries = 3
)

// callError says how a call of the Bot API ended.
type callError struct {
	method string
	code   int    // error_code, if Telegram answered
	text   string // its description
	after  time.Duration
	// migrated is the new id of a group that became a supergroup.
	migrated int64
	// reached: the request may have been carried out.
	reached bool
	err     error // without the token
}

func (e *callError) Error() string { return fmt.Sprintf("Telegram's %s: %v", e.method, e.err) }
func (e *callError) Unwrap() error { return e.err }

// answered says whether Telegram itself said no, and not something in between or
// its own trouble.
func (e *callError) answered() bool { return e.code >= 400 && e.code < 500 }

// httpClient makes the client for all calls. It follows no redirect: the Bot API
// has none, and one would carry the token away in the address.
func httpClient(given *http.Client) *http.Client {
	c := &http.Client{}
	if given != nil {
		*c = *given
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		c.Transport = t.Clone()
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// once carries one request of the library, which knows no context, and notes how
// far it came.
type once struct {
	ctx     context.Context //nolint:containedctx // that is what it is for
	http    *http.Client
	reached atomic.Bool
	status  int
	header  http.Header
}

func (o *once) Do(req *http.Request) (*http.Response, error) {
	// Without a connection not a byte can have left. With one, the transport writes
	// on a goroutine of its own, so nothing less is certain.
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { o.reached.Store(true) }}
	resp, err := o.http.Do(req.WithContext(httptrace.WithClientTrace(o.ctx, trace)))
	if err != nil {
		return nil, err
	}
	o.status, o.header = resp.StatusCode, resp.Header
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, answerMost), resp.Body}
	return resp, nil
}

// call makes one request and reads its result into out, if that is not nil.
func (a *Adapter) call(ctx context.Context, method string, p tg.Params, out any) *callError {
	return a.make(&once{ctx: ctx, http: a.http}, method, p, out)
}

// make is call by a given carrier, which then holds what the answer's head says.
func (a *Adapter) make(o *once, method string, p tg.Params, out any) *callError {
	bot := a.bot // it holds no lock: the library's own types are made to be copied
	bot.Client = o
	resp, err := bot.MakeRequest(method, p)
	if err != nil {
		return a.explain(method, err, o)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(resp.Result, out); err != nil {
		return &callError{method: method, reached: true, err: a.scrub.Error(err)}
	}
	return nil
}

// explain makes a callError of what a call returned.
func (a *Adapter) explain(method string, err error, o *once) *callError {
	e := &callError{method: method, err: a.scrub.Error(err), reached: o.reached.Load()}
	var said *tg.Error
	if !errors.As(err, &said) {
		if o.status != 0 && o.status != http.StatusOK {
			e.err = fmt.Errorf("the answer is %d %s and not the Bot API's", o.status, http.StatusText(o.status))
		}
		return e
	}
	e.code, e.text, e.migrated = said.Code, a.scrub.Text(said.Message), said.MigrateToChatID
	if e.code == http.StatusTooManyRequests {
		e.after = waitFor(said.RetryAfter)
	}
	return e
}

// waitFor makes a bounded wait of a retry_after. What is missing, zero or absurd
// gets some jitter.
func waitFor(seconds int) time.Duration {
	switch {
	case seconds <= 0:
		return bridge.Jittered(2 * limitedLeast)
	case seconds <= int(limitedMost/time.Second):
		return time.Duration(seconds) * time.Second
	default:
		return bridge.Jittered(limitedMost)
	}
}

// ask makes a call that has no effect, or the same one however often it is made,
// until Telegram answers yes or no. The error is a *callError or ctx's.
func (a *Adapter) ask(ctx context.Context, method string, p tg.Params, out any) error {
	for try := 1; ; try++ {
		one, cancel := context.WithTimeout(ctx, callTime)
		e := a.call(one, method, p, out)
		cancel()
		switch {
		case e == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case e.answered() && e.after == 0, try == askTries:
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

// object is a parameter that is JSON.
func object(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null" // what is passed here is of our own types, which can be written
	}
	return string(b)
}

// tokenFault says what is wrong with the token, or nil. What Telegram answers to a
// token that it does not know is Unauthorized, to one of another form Not Found.
func tokenFault(err error) error {
	var e *callError
	if !errors.As(err, &e) {
		return nil
	}
	switch e.code {
	case http.StatusUnauthorized:
		return bridge.Unmendable("Telegram does not accept adapters.telegram.token: take the bot's current one from BotFather (/mybots, API Token), put it there and start again")
	case http.StatusNotFound:
		return bridge.Unmendable("Telegram knows no bot with adapters.telegram.token, or adapters.telegram.api_url is not a Bot API: correct it and start again")
	}
	return nil
}
