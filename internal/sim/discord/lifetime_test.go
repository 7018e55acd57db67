package discord_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
)

// Not parallel: it looks at every goroutine of the process.
func TestCloseLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	srv := start(t)
	_, e := connect(t, srv, usual)
	srv.FailEvents("MESSAGE_CREATE", sim.EventFault{Delay: time.Hour})
	must(srv.User("kim").Say("dev", "late"))
	e.wait(t, "GUILD_CREATE", 1)
	hold := make(chan struct{})
	srv.FailNext(sim.RouteSend, sim.Fault{Hold: hold})
	answered := make(chan error, 1)
	go func() {
		_, err := session(t, srv, usual, nil).ChannelMessageSend(dev, "x")
		answered <- err
	}()
	until(t, srv, func(s *sim.Server) bool { return len(s.Calls(sim.RouteSend)) == 1 })
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if err := <-answered; err == nil {
		t.Error("a held call was answered by a closed server")
	}
	http.DefaultClient.CloseIdleConnections()
	// The library sleeps a second when it closes.
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction("github.com/bwmarrin/discordgo.(*Session).CloseWithCode"))
}

// bubbled is a raw client in a bubble that has identified for nothing.
func bubbled(t *testing.T, srv *sim.Server, l *memnet.Listener, first string) *raw {
	t.Helper()
	hc := &http.Client{Transport: &http.Transport{DialContext: l.Dial, DisableKeepAlives: true}}
	ws, _, err := websocket.Dial(t.Context(), "ws://discord.sim/gw/?v=10&encoding=json", &websocket.DialOptions{HTTPClient: hc})
	if err != nil {
		t.Fatal(err)
	}
	r := &raw{t, ws}
	r.read()
	r.send(first)
	return r
}

func TestSessionsEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("discord.sim")
		srv := start(t, func(o *sim.Options) { o.Listener = l; o.RateLimits = true })
		identify := `{"op":2,"d":{"token":"` + srv.Token() + `","properties":{},"intents":0}}`
		r := bubbled(t, srv, l, identify)
		id := r.read().o["session_id"].(string)
		if p := bubbled(t, srv, l, identify).read(); p.Op != 9 || p.D != false {
			t.Errorf("a second identify within 5 s: %v", p)
		}
		resume := `{"op":6,"d":{"token":"` + srv.Token() + `","session_id":"` + id + `","seq":1}}`
		for _, tc := range []struct {
			after time.Duration
			op    int
		}{{2 * time.Minute, 0}, {4 * time.Minute, 9}} {
			srv.DropGateway()
			time.Sleep(tc.after)
			r = bubbled(t, srv, l, resume)
			if p := r.read(); p.Op != tc.op {
				t.Errorf("resumed after %v: %v", tc.after, p)
			}
		}
		srv.DropGateway()
		time.Sleep(time.Minute)
		r = bubbled(t, srv, l, identify)
		r.read()
		closed := make(chan int, 1)
		go func() {
			_, _, err := r.ws.Read(t.Context())
			closed <- int(websocket.CloseStatus(err))
		}()
		time.Sleep(3 * time.Minute)
		if code := <-closed; code != 4009 {
			t.Errorf("a client without heartbeats was closed with %d", code)
		}
		_ = r.ws.CloseNow()
	})
}

// BenchmarkSayToEvent is a person's message until its event has come to the real client.
func BenchmarkSayToEvent(b *testing.B) {
	srv, err := sim.Start(options())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = srv.Close() }()
	ws, _, err := websocket.Dial(b.Context(), "ws"+srv.URL()[len("http"):]+"/gw/", nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := ws.Write(b.Context(), websocket.MessageText, []byte(`{"op":2,"d":{"token":"`+srv.Token()+`","properties":{},"intents":512}}`)); err != nil {
		b.Fatal(err)
	}
	for range 2 { // hello and READY
		if _, _, err := ws.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		must(srv.User("kim").Say("dev", "hello"))
		if _, _, err := ws.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	_ = ws.CloseNow()
}
