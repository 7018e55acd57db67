package slack_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
)

func workspace() sim.Workspace {
	everyone := []string{"U0BOT", "U0MARIA", "U0KIM", "U0LEE", "U0GUEST", "U0EXT", "U0CI"}
	return sim.Workspace{
		Users: []sim.User{
			{ID: "U0MARIA", Name: "maria", DisplayName: "Maria", Admin: true},
			{ID: "U0KIM", Name: "kim", DisplayName: "Kim"},
			{ID: "U0LEE", Name: "lee", DisplayName: "Lee"},
			{ID: "U0GUEST", Name: "guest", Guest: true},
			{ID: "U0EXT", Name: "ext", TeamID: "T9OTHER"},
			{ID: "U0CI", Name: "ci", Bot: true, BotID: "B0CI", AppID: "A0CI"},
			{ID: "U0GONE", Name: "gone", Deleted: true},
		},
		Channels: []sim.Channel{
			{ID: "C0GEN", Name: "general", Members: everyone},
			{ID: "C0DEV", Name: "dev", Members: everyone},
			{ID: "C0OUT", Name: "outside", Members: []string{"U0MARIA"}},
			{ID: "C0SEC", Name: "secret", Private: true, Members: []string{"U0BOT", "U0MARIA"}},
			{ID: "C0HID", Name: "hidden", Private: true, Members: []string{"U0MARIA"}},
			{ID: "C0OLD", Name: "old", Archived: true, Members: everyone},
		},
	}
}

func start(t *testing.T, change ...func(*sim.Options)) *sim.Server {
	t.Helper()
	o := sim.Options{Workspace: workspace()}
	for _, c := range change {
		c(&o)
	}
	srv, err := sim.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	return srv
}

func client(srv *sim.Server, more ...api.Option) *api.Client {
	o := []api.Option{api.OptionAPIURL(srv.APIURL()), api.OptionAppLevelToken(srv.AppToken())}
	return api.New(srv.BotToken(), append(o, more...)...)
}

// until waits for cond, at most ten seconds.
func until(t *testing.T, srv *sim.Server, cond func(*sim.Server) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := srv.WaitFor(ctx, cond); err != nil {
		t.Fatal(err)
	}
}

// settled waits until the app has acknowledged everything.
func settled(t *testing.T, srv *sim.Server) {
	t.Helper()
	until(t, srv, func(s *sim.Server) bool { return s.Unsettled() == 0 })
}

// got is one event as the app received it.
type got struct {
	kind     string // inner event type, with its subtype behind a slash
	eventID  string
	envelope string
	at       time.Time
	attempt  int
	reason   string
	raw      json.RawMessage // of the inner event, or the payload
	data     any
}

// app is a client on Socket Mode that acknowledges what it gets.
type app struct {
	sm     *socketmode.Client
	cancel context.CancelFunc
	done   chan error

	arrived chan struct{} // holds a token after each event

	mu     sync.Mutex
	events []got
	ack    func(got) bool // whether to; nil: always
	answer any            // payload of acks of commands
}

type appOption func(*app, *[]api.Option, *[]socketmode.Option)

func noAck(when func(got) bool) appOption {
	return func(a *app, _ *[]api.Option, _ *[]socketmode.Option) { a.ack = func(g got) bool { return !when(g) } }
}

func over(l *memnet.Listener) appOption {
	return func(_ *app, ao *[]api.Option, so *[]socketmode.Option) {
		*ao = append(*ao, api.OptionHTTPClient(&http.Client{Transport: &http.Transport{DialContext: l.Dial, DisableKeepAlives: true}}))
		*so = append(*so, socketmode.OptionDialer(&websocket.Dialer{NetDialContext: l.Dial}))
	}
}

func connect(t *testing.T, srv *sim.Server, options ...appOption) *app {
	t.Helper()
	a := &app{done: make(chan error, 1), arrived: make(chan struct{}, 1)}
	var ao []api.Option
	so := []socketmode.Option{socketmode.OptionLog(log.New(io.Discard, "", 0))}
	for _, o := range options {
		o(a, &ao, &so)
	}
	a.sm = socketmode.New(client(srv, ao...), so...)
	ctx, cancel := context.WithCancel(t.Context())
	a.cancel = cancel
	before := srv.Sockets()
	var pump sync.WaitGroup
	pump.Go(func() { a.pump(ctx) })
	go func() { a.done <- a.sm.RunContext(ctx); pump.Wait(); close(a.done) }()
	t.Cleanup(a.stop)
	until(t, srv, func(s *sim.Server) bool { return s.Sockets() > before })
	return a
}

func (a *app) stop() {
	a.cancel()
	for range a.done { // until closed
	}
}

func (a *app) pump(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case ev := <-a.sm.Events:
			a.handle(ctx, ev)
		}
	}
}

func (a *app) handle(ctx context.Context, ev socketmode.Event) {
	g := got{kind: string(ev.Type), data: ev.Data, at: time.Now()}
	switch ev.Type {
	case socketmode.EventTypeEventsAPI:
		outer := ev.Data.(slackevents.EventsAPIEvent)
		cb := outer.Data.(*slackevents.EventsAPICallbackEvent)
		g.kind, g.eventID, g.raw, g.data = outer.InnerEvent.Type, cb.EventID, *cb.InnerEvent, outer.InnerEvent.Data
		if m, ok := g.data.(*slackevents.MessageEvent); ok && m.SubType != "" {
			g.kind += "/" + m.SubType
		}
	case socketmode.EventTypeErrorBadMessage:
		g.raw = ev.Data.(*socketmode.ErrorBadMessage).Message
		var env socketmode.Request
		_ = json.Unmarshal(g.raw, &env)
		g.envelope = env.EnvelopeID
	}
	if ev.Request != nil && ev.Request.EnvelopeID != "" {
		g.envelope, g.attempt, g.reason = ev.Request.EnvelopeID, ev.Request.RetryAttempt, ev.Request.RetryReason
	}
	a.mu.Lock()
	a.events = append(a.events, g)
	ack, answer := a.ack == nil || a.ack(g), a.answer
	a.mu.Unlock()
	select {
	case a.arrived <- struct{}{}:
	default:
	}
	if g.envelope == "" || !ack {
		return
	}
	if ev.Type == socketmode.EventTypeEventsAPI {
		answer = nil
	}
	_ = a.sm.AckCtx(ctx, g.envelope, answer)
}

// seen are the events of the app, without what the library reports of itself.
func (a *app) seen() []got {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []got
	for _, g := range a.events {
		if g.envelope != "" {
			out = append(out, g)
		}
	}
	return out
}

// wait waits until the app has got n events.
func (a *app) wait(t *testing.T, n int) {
	t.Helper()
	for len(a.seen()) < n {
		select {
		case <-a.arrived:
		case <-time.After(10 * time.Second):
			t.Fatalf("got %v, waited for %d events", a.kinds(), n)
		}
	}
}

func (a *app) kinds() []string {
	var out []string
	for _, g := range a.seen() {
		out = append(out, g.kind)
	}
	return out
}

// must is for calls of people, which fail only when the test is wrong.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// code is Slack's error code in err, or the error itself.
func code(err error) string {
	if err == nil {
		return ""
	}
	var se api.SlackErrorResponse
	if errors.As(err, &se) {
		return se.Err
	}
	return err.Error()
}

func text(s string) api.MsgOption { return api.MsgOptionText(s, true) }

func numbered(n int, f func(string) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = f(strconv.Itoa(i))
	}
	return out
}

func urlEscape(s string) string { return url.QueryEscape(s) }
