package discord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
)

const (
	guild   = "1000000000000000001"
	general = "1000000000000000002"
	dev     = "1000000000000000003"
	forum   = "1000000000000000004"
	maria   = "1000000000000000011"
	kim     = "1000000000000000012"
)

func options() sim.Options {
	return sim.Options{
		Users: []sim.User{{ID: maria, Name: "maria", GlobalName: "Maria"}, {ID: kim, Name: "kim"}},
		Guilds: []sim.Guild{{
			ID: guild, Name: "Example", Owner: "maria", Members: []sim.Member{{User: "maria"}, {User: "kim", Nick: "Kimmy"}},
			Roles: []sim.Role{{Name: "crew", Mentionable: true}},
			Channels: []sim.Channel{
				{ID: general, Name: "general"}, {ID: dev, Name: "dev"}, {ID: forum, Name: "ideas", Type: sim.Forum},
			},
		}},
	}
}

func start(t *testing.T, change ...func(*sim.Options)) *sim.Server {
	t.Helper()
	o := options()
	for _, f := range change {
		f(&o)
	}
	srv, err := sim.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

// until waits for a condition, which fails the test after 20 s.
func until(t *testing.T, srv *sim.Server, cond func(*sim.Server) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := srv.WaitFor(ctx, cond); err != nil {
		t.Fatal(err)
	}
}

// rewrite sends what the library means for Discord to the server.
type rewrite struct {
	to   *url.URL
	next http.RoundTripper
}

func (r rewrite) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.URL.Scheme, q.URL.Host, q.Host = r.to.Scheme, r.to.Host, r.to.Host
	return r.next.RoundTrip(q)
}

// session is a client as the library makes it; over a network in memory if l is not nil.
func session(t *testing.T, srv *sim.Server, intents discordgo.Intent, l *memnet.Listener) *discordgo.Session {
	t.Helper()
	s, err := discordgo.New("Bot " + srv.Token())
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.Parse(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	s.Dialer = &websocket.Dialer{HandshakeTimeout: 5 * time.Second}
	if l != nil {
		transport.DialContext, s.Dialer.NetDialContext = l.Dial, l.Dial
	}
	s.Client = &http.Client{Transport: rewrite{to, transport}}
	s.ShouldReconnectOnError, s.ShouldRetryOnRateLimit, s.StateEnabled, s.SyncEvents = false, false, false, true
	s.Identify.Intents = intents
	s.LogLevel = -1
	return s
}

const usual = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages | discordgo.IntentMessageContent |
	discordgo.IntentGuildMessageReactions | discordgo.IntentGuildWebhooks

// events collects what comes over the gateway.
type events struct {
	mu      sync.Mutex
	all     []discordgo.Event
	arrived chan struct{}
}

func connect(t *testing.T, srv *sim.Server, intents discordgo.Intent) (*discordgo.Session, *events) {
	t.Helper()
	s := session(t, srv, intents, nil)
	e := &events{arrived: make(chan struct{}, 1)}
	s.AddHandler(func(_ *discordgo.Session, ev *discordgo.Event) { e.add(ev) })
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	return s, e
}

func (e *events) add(ev *discordgo.Event) {
	e.mu.Lock()
	e.all = append(e.all, *ev)
	e.mu.Unlock()
	select {
	case e.arrived <- struct{}{}:
	default:
	}
}

// of are the data of the events of a type so far.
func (e *events) of(kind string) []map[string]any {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []map[string]any
	for _, ev := range e.all {
		var d map[string]any
		if ev.Type == kind && json.Unmarshal(ev.RawData, &d) == nil {
			out = append(out, d)
		}
	}
	return out
}

// wait waits for the n-th event of a type.
func (e *events) wait(t *testing.T, kind string, n int) map[string]any {
	t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		if got := e.of(kind); len(got) >= n {
			return got[n-1]
		}
		select {
		case <-e.arrived:
		case <-timeout:
			t.Fatalf("no %s number %d came", kind, n)
		}
	}
}

// do calls the REST API raw. It gives the status and the answer.
func do(t *testing.T, srv *sim.Server, method, path string, body any) (int, map[string]any) {
	t.Helper()
	status, raw, _ := call(t, srv, method, path, body)
	var out map[string]any
	if len(raw) > 0 && json.Unmarshal(raw, &out) != nil && raw[0] != '[' {
		t.Fatalf("%s %s: %s", method, path, raw)
	}
	return status, out
}

func call(t *testing.T, srv *sim.Server, method, path string, body any) (int, []byte, http.Header) {
	t.Helper()
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, srv.APIURL()+"/v10"+path, in)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+srv.Token())
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, raw, resp.Header
}

// list is do for answers that are lists.
func list(t *testing.T, srv *sim.Server, path string) []map[string]any {
	t.Helper()
	_, raw, _ := call(t, srv, http.MethodGet, path, nil)
	var out []map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %s", path, raw)
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// code is Discord's error code of an error of the library.
func code(err error) int {
	var e *discordgo.RESTError
	if errors.As(err, &e) && e.Message != nil {
		return e.Message.Code
	}
	return 0
}

type object = map[string]any

func websocketClosed(err error, code int) bool {
	var e *websocket.CloseError
	return errors.As(err, &e) && e.Code == code
}
