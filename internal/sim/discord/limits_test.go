package discord_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
)

func TestEveryAnswerTellsItsBucket(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) { o.RateLimits = true })
	path := "/channels/" + dev + "/messages"
	var bucket string
	for i := range 6 {
		status, raw, h := call(t, srv, "POST", path, object{"content": "x"})
		if h.Get("X-RateLimit-Limit") != "5" || h.Get("X-RateLimit-Remaining") != strconv.Itoa(max(0, 4-i)) || h.Get("X-RateLimit-Bucket") == "" {
			t.Errorf("headers %v", h)
		}
		bucket = h.Get("X-RateLimit-Bucket")
		if i < 5 {
			continue
		}
		var body struct {
			After  float64 `json:"retry_after"`
			Global bool    `json:"global"`
		}
		if err := json.Unmarshal(raw, &body); err != nil || status != http.StatusTooManyRequests || body.After <= 0 || body.Global {
			t.Errorf("%d %s %v", status, raw, err)
		}
		if n, err := strconv.Atoi(h.Get("Retry-After")); err != nil || n < 1 || h.Get("X-RateLimit-Scope") != "user" {
			t.Errorf("headers %v", h)
		}
	}
	status, _, h := call(t, srv, "POST", "/channels/"+general+"/messages", object{"content": "x"})
	if status != http.StatusOK || h.Get("X-RateLimit-Bucket") != bucket {
		t.Errorf("another channel: %d %v", status, h)
	}
	srv.LimitGlobally(time.Minute)
	if status, _, h := call(t, srv, "GET", "/users/@me", nil); status != http.StatusTooManyRequests || h.Get("X-RateLimit-Global") != "true" || h.Get("X-RateLimit-Scope") != "global" {
		t.Errorf("globally: %d %v", status, h)
	}
	if n := len(srv.Transcript("dev")); n != 5 {
		t.Errorf("%d messages", n)
	}
}

func TestTheLibraryWaitsForABucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("discord.sim")
		srv := start(t, func(o *sim.Options) { o.Listener = l })
		srv.Limit(sim.RouteSend, 1, 10*time.Second)
		s := session(t, srv, usual, l)
		begun := time.Now()
		for range 3 {
			if _, err := s.ChannelMessageSend(dev, "x"); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took < 19*time.Second || took > 22*time.Second {
			t.Errorf("it took %v", took)
		}
		srv.Limit(sim.RouteSend, 0, 0)
		// A nonce is forgotten after some minutes.
		post := func() {
			_, err := s.RequestWithBucketID("POST", discordgo.EndpointChannelMessages(dev), object{"content": "y", "nonce": 7, "enforce_nonce": true}, "x")
			if err != nil {
				t.Fatal(err)
			}
		}
		before := len(srv.Transcript("dev"))
		for _, pause := range []time.Duration{time.Minute, time.Minute, 2 * time.Minute} {
			post()
			time.Sleep(pause)
		}
		if post(); len(srv.Transcript("dev")) != before+2 {
			t.Errorf("%d messages", len(srv.Transcript("dev"))-before)
		}
	})
}

func TestCallsMisbehave(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := session(t, srv, usual, nil)
	send := func() error { _, err := s.ChannelMessageSend(dev, "x"); return err }
	hold := make(chan struct{})
	close(hold)
	srv.FailNext(sim.RouteSend, sim.LostCall(), sim.LostReply(), sim.Refused(50013), sim.ServerError(500), sim.Limited(time.Second),
		sim.Fault{}, sim.Fault{Hold: hold}, sim.Fault{Delay: time.Millisecond}, sim.Refused(999))
	for i, want := range []struct {
		fails    bool
		messages int
	}{{true, 0}, {true, 1}, {true, 1}, {true, 1}, {true, 1}, {false, 2}, {false, 3}, {false, 4}, {true, 4}} {
		if err := send(); (err != nil) != want.fails || len(srv.Transcript("dev")) != want.messages {
			t.Errorf("call %d: %v, %d messages", i, err, len(srv.Transcript("dev")))
		}
	}
	srv.FailNext("POST /channels/"+general+"/messages", sim.Refused(10003))
	if err := send(); err != nil || srv.PlannedFaults() != 1 {
		t.Errorf("a fault of another channel: %v", err)
	}
	calls := srv.Calls(sim.RouteSend)
	if c := calls[2]; c.Status != 403 || c.Code != 50013 || c.Path != "/channels/"+dev+"/messages" || calls[0].Status != 0 {
		t.Errorf("%+v", c)
	}
	srv.GoOffline()
	if err := send(); err == nil {
		t.Error("it answered while it was offline")
	}
	srv.GoOnline()
	if err := send(); err != nil {
		t.Error(err)
	}
}

func TestDMsAreNotOpenedTooFast(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) {
		o.RateLimits = true
		for i := range 11 {
			o.Users = append(o.Users, sim.User{ID: strconv.Itoa(1100 + i), Name: "u" + strconv.Itoa(i)})
		}
	})
	for i := range 11 {
		_, got := do(t, srv, "POST", "/users/@me/channels", object{"recipient_id": strconv.Itoa(1100 + i)})
		if refused := got["code"] == 40003.0; refused != (i == 10) {
			t.Errorf("DM %d: %v", i, got)
		}
	}
	if _, got := do(t, srv, "POST", "/users/@me/channels", object{"recipient_id": "1100"}); got["id"] == nil {
		t.Errorf("one that is open: %v", got)
	}
}
