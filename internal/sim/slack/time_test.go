package slack_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	api "github.com/slack-go/slack"

	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
)

// bubble runs f with a server whose network and clock are the bubble's own.
func bubble(t *testing.T, change func(*sim.Options), f func(t *testing.T, srv *sim.Server, l *memnet.Listener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("slack.sim")
		srv := start(t, func(o *sim.Options) {
			o.Listener = l
			if change != nil {
				change(o)
			}
		})
		f(t, srv, l)
	})
}

func webOver(srv *sim.Server, l *memnet.Listener) *api.Client {
	return client(srv, api.OptionHTTPClient(&http.Client{Transport: &http.Transport{DialContext: l.Dial, DisableKeepAlives: true}}))
}

func TestAnIdleConnectionLives(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		connect(t, srv, over(l))
		time.Sleep(10 * time.Minute) // of the bubble's time: many times the client's 30 s
		if srv.Connections() != 1 {
			t.Errorf("the client reconnected %d times for want of pings", srv.Connections()-1)
		}
	})
}

func TestASilentSocketIsReplacedByTheClient(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		a := connect(t, srv, over(l))
		srv.Silence()
		must(srv.User("kim").Post("general", "into the void"))
		time.Sleep(30 * time.Second)
		if len(a.seen()) != 0 {
			t.Errorf("a silent socket spoke: %v", a.kinds())
		}
		time.Sleep(2 * time.Minute)
		if srv.Connections() != 2 || srv.Unsettled() != 0 || len(a.seen()) != 1 || a.seen()[0].attempt != 2 {
			t.Errorf("%d connections, seen %+v\n%s", srv.Connections(), a.seen(), srv.Summary())
		}
	})
}

func TestRetriesComeWhenSlackSendsThem(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		begin := time.Now()
		a := connect(t, srv, over(l), noAck(func(got) bool { return true }))
		must(srv.User("kim").Post("general", "x"))
		time.Sleep(time.Hour)
		// Each attempt has three seconds; then about at once, a minute, five minutes.
		want := []time.Duration{0, 4 * time.Second, 67 * time.Second, 370 * time.Second}
		var at []time.Duration
		for _, g := range a.seen() {
			at = append(at, g.at.Sub(begin).Round(time.Second))
		}
		if !slices.Equal(at, want) {
			t.Errorf("attempts at %v, want %v", at, want)
		}
		if d := srv.Deliveries()[0]; d.State != sim.Failed || len(d.Envelopes) != 4 {
			t.Errorf("%+v", d)
		}
	})
}

func TestSocketsAreRecycledWithAWarning(t *testing.T) {
	t.Parallel()
	bubble(t, func(o *sim.Options) { o.ConnectionTime = 10 * time.Minute }, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		connect(t, srv, over(l))
		time.Sleep(31 * time.Minute)
		if n := srv.Connections(); n != 4 || srv.Sockets() != 1 {
			t.Errorf("%d connections in 31 minutes, %d live", n, srv.Sockets())
		}
	})
}

func TestPostingFasterThanSlackAllows(t *testing.T) {
	t.Parallel()
	bubble(t, func(o *sim.Options) { o.RateLimits = true }, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		c := webOver(srv, l)
		var refused int
		for range 60 {
			for {
				_, _, err := c.PostMessage("C0GEN", text("x"))
				if err == nil {
					break
				}
				rl, ok := err.(*api.RateLimitedError)
				if !ok {
					t.Fatal(err)
				}
				refused++
				time.Sleep(rl.RetryAfter)
			}
		}
		calls := srv.Calls("chat.postMessage")
		took := calls[len(calls)-1].Time.Sub(calls[0].Time)
		if refused == 0 || took < 54*time.Second || took > 61*time.Second {
			t.Errorf("60 posts took %v with %d refusals", took, refused)
		}
		for i := 1; i < len(calls); i++ {
			if calls[i-1].Status == 429 && calls[i].Time.Sub(calls[i-1].Time) < time.Second {
				t.Errorf("call %d came before its Retry-After", i)
			}
		}
	})
}

func TestEachMethodHasItsTier(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) { o.RateLimits = true })
	c := client(srv)
	var err error
	for n := 0; err == nil; n++ {
		if n > 25 {
			t.Fatal("conversations.list is Tier 2 and took more than 25 calls")
		}
		_, _, err = c.GetConversations(&api.GetConversationsParameters{})
	}
	if _, ok := err.(*api.RateLimitedError); !ok {
		t.Error(err)
	}
	if _, err := c.GetUserInfo("U0KIM"); err != nil {
		t.Errorf("another method was held to it too: %v", err)
	}
}

func TestResponseURLsExpire(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		a := connect(t, srv, over(l))
		must(srv.User("kim").Slash("general", "/office", "status"))
		synctest.Wait()
		url := a.seen()[0].data.(api.SlashCommand).ResponseURL
		answer := func() error {
			_, _, err := webOver(srv, l).PostMessage("", text("x"), api.MsgOptionResponseURL(url, api.ResponseTypeEphemeral))
			return err
		}
		time.Sleep(29 * time.Minute)
		if err := answer(); err != nil {
			t.Errorf("after 29 minutes: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if err := answer(); err == nil {
			t.Error("it works after 31 minutes")
		}
	})
}

func TestManyPeopleAtOnce(t *testing.T) {
	t.Parallel()
	// A busy machine may not manage 200 acks in three seconds; that is not the matter here.
	srv := start(t, func(o *sim.Options) { o.AckTimeout = time.Minute })
	a := connect(t, srv)
	const people, each = 4, 50
	done := make(chan error, people)
	for _, name := range []string{"maria", "kim", "lee", "guest"} {
		go func() {
			for i := range each {
				if _, err := srv.User(name).Post("general", fmt.Sprint(name, i)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range people {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	settled(t, srv)
	if len(a.seen()) != people*each {
		t.Errorf("%d events arrived", len(a.seen()))
	}
	last := ""
	for _, e := range srv.Transcript("general") {
		if e.TS <= last {
			t.Fatalf("ts %s after %s", e.TS, last)
		}
		last = e.TS
	}
}
