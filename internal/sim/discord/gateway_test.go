package discord_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"

	sim "bullpen/internal/sim/discord"
)

// raw is a client of the gateway without a library.
type raw struct {
	t  *testing.T
	ws *websocket.Conn
}

type payload struct {
	Op int            `json:"op"`
	S  int            `json:"s"`
	T  string         `json:"t"`
	D  any            `json:"d"`
	o  map[string]any // D, if it is an object
}

func dial(t *testing.T, srv *sim.Server, query string) *raw {
	t.Helper()
	_, g := do(t, srv, http.MethodGet, "/gateway", nil)
	ws, resp, err := websocket.Dial(t.Context(), g["url"].(string)+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body
	ws.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = ws.CloseNow() })
	r := &raw{t, ws}
	if hello := r.read(); query == "?v=10&encoding=json" && (hello.Op != 10 || hello.o["heartbeat_interval"] == 0.0) {
		t.Errorf("hello %v", hello)
	}
	return r
}

func (r *raw) send(text string) {
	r.t.Helper()
	if err := r.ws.Write(r.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		r.t.Fatal(err)
	}
}

// read gives the next payload, or one with the close code as its negative opcode.
func (r *raw) read() payload {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 10*time.Second)
	defer cancel()
	_, data, err := r.ws.Read(ctx)
	if err != nil {
		return payload{Op: -int(websocket.CloseStatus(err))}
	}
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		r.t.Fatalf("%s: %v", data, err)
	}
	p.o, _ = p.D.(map[string]any)
	return p
}

func (r *raw) identify(token, rest string) {
	r.t.Helper()
	r.send(`{"op":2,"d":{"token":"` + token + `","properties":{"os":"linux"}` + rest + `}}`)
}

func TestWhatTheGatewayRefuses(t *testing.T) {
	t.Parallel()
	good := `"token":"` + sim.DefaultToken + `","properties":{}`
	for _, tc := range []struct {
		name, query string
		send        []string
		code        int
	}{
		{"a wrong token", "", []string{`{"op":2,"d":{"token":"x","properties":{},"intents":1}}`}, 4004},
		{"no intents", "", []string{`{"op":2,"d":{` + good + `}}`}, 4002},
		{"intents that do not exist", "", []string{`{"op":2,"d":{` + good + `,"intents":8388608}}`}, 4013},
		{"an intent that is switched off", "", []string{`{"op":2,"d":{` + good + `,"intents":32768}}`}, 4014},
		{"a wrong shard", "", []string{`{"op":2,"d":{` + good + `,"intents":1,"shard":[3,2]}}`}, 4010},
		{"no JSON", "", []string{`x`}, 4002},
		{"an unknown opcode", "", []string{`{"op":99,"d":null}`}, 4001},
		{"presence before identifying", "", []string{`{"op":3,"d":{}}`}, 4003},
		{"an old version", "?v=6", nil, 4012},
		{"a wrong token to resume with", "", []string{`{"op":6,"d":{"token":"x","session_id":"y","seq":1}}`}, 4004},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			srv := start(t, func(o *sim.Options) { o.Disallowed = sim.IntentMessageContent })
			_, g := do(t, srv, http.MethodGet, "/gateway", nil)
			ws, _, err := websocket.Dial(t.Context(), g["url"].(string)+tc.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = ws.CloseNow() }()
			r := &raw{t, ws}
			for _, text := range tc.send {
				r.send(text)
			}
			for {
				if p := r.read(); p.Op < 0 {
					if p.Op != -tc.code {
						t.Errorf("closed with %d, want %d", -p.Op, tc.code)
					}
					return
				}
			}
		})
	}
}

func TestASecondIdentifyAndTooManySends(t *testing.T) {
	t.Parallel()
	srv := start(t)
	r := dial(t, srv, "?v=10&encoding=json")
	r.identify(srv.Token(), `,"intents":1`)
	r.identify(srv.Token(), `,"intents":1`)
	for _, want := range []int{0, 0, -4005} {
		if p := r.read(); p.Op != want {
			t.Fatalf("got %v, want op %d", p, want)
		}
	}
	r = dial(t, srv, "?v=10&encoding=json")
	for range 121 {
		r.send(`{"op":1,"d":null}`)
	}
	for {
		if p := r.read(); p.Op != 11 {
			if p.Op != -4008 {
				t.Errorf("got %v", p)
			}
			return
		}
	}
}

func TestResumingReplaysWhatWasMissed(t *testing.T) {
	t.Parallel()
	srv := start(t)
	r := dial(t, srv, "?v=10&encoding=json")
	r.identify("Bot "+srv.Token(), `,"intents":33281`)
	ready, created := r.read(), r.read()
	if ready.T != "READY" || created.T != "GUILD_CREATE" || created.S != 2 {
		t.Fatalf("%v %v", ready, created)
	}
	srv.DropGateway()
	until(t, srv, func(s *sim.Server) bool { return s.Connected() == 0 })
	must(srv.User("kim").Say("dev", "missed"))
	resume := `{"op":6,"d":{"token":"` + srv.Token() + `","session_id":"` + ready.o["session_id"].(string) + `","seq":2}}`
	r = dial(t, srv, "?v=10&encoding=json")
	r.send(resume)
	if m, done := r.read(), r.read(); m.T != "MESSAGE_CREATE" || m.S != 3 || m.o["content"] != "missed" || done.T != "RESUMED" || done.S != 4 {
		t.Errorf("%v %v", m, done)
	}
	srv.SendOp(1, nil)
	if p := r.read(); p.Op != 1 {
		t.Errorf("got %v", p)
	}
	srv.Reconnect()
	if p := r.read(); p.Op != 7 {
		t.Errorf("got %v", p)
	}
	srv.Invalidate(false)
	if p := r.read(); p.Op != 9 || p.D != false {
		t.Errorf("got %v", p)
	}
	r = dial(t, srv, "?v=10&encoding=json")
	r.send(resume)
	if p := r.read(); p.Op != 9 || p.D != false {
		t.Errorf("an ended session was resumed: %v", p)
	}
}

func TestAnOrderlyCloseEndsTheSession(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		code  websocket.StatusCode
		ended bool
	}{{1000, true}, {1001, true}, {4000, false}} {
		srv := start(t)
		r := dial(t, srv, "?v=10&encoding=json")
		r.identify(srv.Token(), `,"intents":0`)
		r.read()
		_ = r.ws.Close(tc.code, "")
		until(t, srv, func(s *sim.Server) bool { return s.Connected() == 0 })
		if got := srv.Sessions()[0].Ended; got != tc.ended {
			t.Errorf("after %d: ended %v", tc.code, got)
		}
	}
	srv := start(t)
	r := dial(t, srv, "?v=10&encoding=json")
	r.identify(srv.Token(), `,"intents":0`)
	id := r.read().o["session_id"].(string)
	r2 := dial(t, srv, "?v=10&encoding=json")
	r2.send(`{"op":6,"d":{"token":"` + srv.Token() + `","session_id":"` + id + `","seq":9}}`)
	if p := r2.read(); p.Op != -4007 {
		t.Errorf("a sequence from the future: %v", p)
	}
}

func TestContentNeedsItsIntent(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, e := connect(t, srv, usual&^discordgo.IntentMessageContent)
	e.wait(t, "GUILD_CREATE", 1)
	say := func(channel, text string) { must(srv.User("kim").Say(channel, text)) }
	say("dev", "secret")
	say("dev", "hi "+srv.Mention("office"))
	say("", "in private")
	do(t, srv, "POST", "/channels/"+dev+"/messages", object{"content": "own"})
	for i, want := range []string{"", "hi <@" + srv.BotID() + ">", "in private", "own"} {
		if got := e.wait(t, "MESSAGE_CREATE", i+1)["content"]; got != want {
			t.Errorf("message %d: %q, want %q", i+1, got, want)
		}
	}
	srv.Disallow(sim.IntentMessageContent)
	if m := list(t, srv, "/channels/"+dev+"/messages?after=0&limit=1"); m[0]["content"] != "" {
		t.Errorf("history shows %q", m[0]["content"])
	}
}

func TestEventsNeedTheirIntent(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, e := connect(t, srv, discordgo.IntentsDirectMessages)
	must(srv.User("kim").Say("dev", "not for it"))
	must(srv.User("kim").DM("for it"))
	if got := e.wait(t, "MESSAGE_CREATE", 1)["content"]; got != "for it" {
		t.Errorf("got %q", got)
	}
	if e.of("GUILD_CREATE") != nil {
		t.Error("a guild came without its intent")
	}
}

func TestTwoSessionsBothHear(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, a := connect(t, srv, usual)
	_, b := connect(t, srv, usual)
	must(srv.User("kim").Say("dev", "both"))
	a.wait(t, "MESSAGE_CREATE", 1)
	b.wait(t, "MESSAGE_CREATE", 1)
	if srv.Identifies() != 2 || srv.Connected() != 2 {
		t.Errorf("%d identifies, %d connected", srv.Identifies(), srv.Connected())
	}
}

func TestEventsMisbehave(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, e := connect(t, srv, usual)
	e.wait(t, "GUILD_CREATE", 1)
	srv.FailEvents("MESSAGE_CREATE", sim.EventFault{Drop: true}, sim.EventFault{Duplicate: true},
		sim.EventFault{Change: func(d map[string]any) { d["components"] = []object{{"type": 99}} }}, sim.EventFault{Delay: 50 * time.Millisecond})
	for _, text := range []string{"lost", "twice", "strange", "late", "on time"} {
		must(srv.User("kim").Say("dev", text))
	}
	for i, want := range []string{"twice", "twice", "strange", "on time", "late"} {
		got := e.wait(t, "MESSAGE_CREATE", i+1)
		if got["content"] != want {
			t.Errorf("event %d is %q, want %q", i+1, got["content"], want)
		}
		if want == "strange" && len(got["components"].([]any)) != 1 {
			t.Error("no strange component")
		}
	}
	must(srv.User("kim").Send(sim.Said{Channel: "dev", Text: "x", Change: func(d map[string]any) { d["type"] = 199 }}))
	if m := list(t, srv, "/channels/"+dev+"/messages?limit=1"); m[0]["type"] != 199.0 {
		t.Errorf("history shows %v", m[0]["type"])
	}
	srv.SendEvent("BRAND_NEW", object{"a": 1})
	e.wait(t, "BRAND_NEW", 1)
	srv.SendFrame("{")
	srv.RefuseGateway(1, http.StatusServiceUnavailable)
	if err := session(t, srv, usual, nil).Open(); err == nil {
		t.Error("a refused handshake opened")
	}
}

func TestTheLibraryMeetsFinalCodes(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) { o.Disallowed = sim.IntentMessageContent })
	err := session(t, srv, usual, nil).Open()
	if !websocketClosed(err, 4014) {
		t.Errorf("disallowed intent: %v", err)
	}
	srv.RevokeToken()
	if err := session(t, srv, discordgo.IntentsGuilds, nil).Open(); !websocketClosed(err, 4004) {
		t.Errorf("revoked token: %v", err)
	}
	if status, _ := do(t, srv, http.MethodGet, "/users/@me", nil); status != http.StatusUnauthorized {
		t.Errorf("status %d", status)
	}
	srv.RestoreToken()
	srv.Disallow(0)
	s, _ := connect(t, srv, usual)
	down := make(chan struct{})
	var once sync.Once // the library says it again when it is closed
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { once.Do(func() { close(down) }) })
	srv.CloseGateway(4000)
	<-down
	if srv.Sessions()[0].Ended {
		t.Error("4000 ended the session")
	}
}
