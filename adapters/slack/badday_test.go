package slack

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/slack"
	"bullpen/office"
)

func TestATokenThatDiesStopsTheAdapter(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.RevokeToken(w.srv.BotToken(), "token_revoked")
		w.says("kim", "dev", "@alice hi")
		if w.Ended() == nil || !strings.Contains(w.Ended().Error(), "bot_token (token_revoked)") {
			w.Errorf("it ends with %v", w.Ended())
		}
		w.Shut()
		w.srv.RevokeToken(w.srv.BotToken(), "")
		w.start()
		w.shows("dev", "alice: ok")
		w.srv.RevokeToken(w.srv.BotToken(), "token_revoked")
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@bob hi"}); err != nil {
			w.Fatal(err)
		}
		if w.Ended() == nil || !strings.Contains(w.Ended().Error(), "bot_token (token_revoked)") {
			w.Errorf("after a post it ends with %v", w.Ended())
		}
	})
}

func TestWhatWaitingCannotMendStopsWithASentence(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil func(*sim.Server)
		want  string
	}{
		"bot token revoked":  {func(s *sim.Server) { s.RevokeToken(s.BotToken(), "token_revoked") }, "adapters.slack.bot_token (token_revoked)"},
		"account inactive":   {func(s *sim.Server) { s.RevokeToken(s.BotToken(), "account_inactive") }, "install it again"},
		"app token revoked":  {func(s *sim.Server) { s.RevokeToken(s.AppToken(), "invalid_auth") }, "adapters.slack.app_token (invalid_auth)"},
		"app token expired":  {func(s *sim.Server) { s.RevokeToken(s.AppToken(), "token_expired") }, "adapters.slack.app_token"},
		"app token no scope": {func(s *sim.Server) { s.RevokeToken(s.AppToken(), "missing_scope") }, "connections:write"},
		"channels:read":      {func(s *sim.Server) { s.RemoveScope("channels:read", "groups:read") }, "lacks the scope channels:read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				w.Shut()
				tc.spoil(w.srv)
				w.start()
				if w.Ended() == nil || !strings.Contains(w.Ended().Error(), tc.want) || !strings.Contains(w.State(), "stopped") {
					w.Errorf("it ends with %v; the state is %s", w.Ended(), w.State())
				}
				if notice := <-w.Bridge.Notices(); !strings.Contains(notice, tc.want) {
					w.Errorf("the console is told %q", notice)
				}
				// The rest of the office runs on.
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@alice hi"}); err != nil {
					w.Error(err)
				}
				w.Until("alice works", func() bool { return w.Count("hi") == 1 })
			})
		})
	}
	t.Run("Socket Mode switched off", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(w *world) {
			w.connected()
			w.srv.Disconnect(sim.LinkDisabled)
			if w.Ended() == nil || !strings.Contains(w.Ended().Error(), "Socket Mode is switched off") {
				w.Errorf("it ends with %v", w.Ended())
			}
		})
	})
}

func TestChannelsThatCannotBeLinkedAreExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.Setup.Channels = append(w.Setup.Channels, office.ChannelSetup{Name: "ops", Members: []string{"bob"}}, office.ChannelSetup{Name: "old", Members: []string{"bob"}}, office.ChannelSetup{Name: "none", Members: []string{"bob"}})
		w.opt.Channels = map[string]Channel{"ops": {Place: "#outside"}, "old": {Place: "C0OLD"}, "none": {Place: "#nowhere"}}
		w.opt.AutoLink = true
	}).connected()
	for _, want := range []string{"the bot is not in #outside", "/invite @office", "#old is archived", "no channel #nowhere"} {
		if !strings.Contains(w.State(), want) {
			t.Errorf("%q is not said in %s", want, w.State())
		}
	}
	// By its name, and what it is invited to later.
	w.says("kim", "dev", "@bob hi")
	w.shows("dev", "bob: ok")
	if err := w.srv.Join("outside", "U0BOT", "U0MARIA"); err != nil {
		t.Fatal(err)
	}
	w.Idle()
	w.says("maria", "outside", "@bob here as well")
	w.shows("outside", "bob: ok")
}

// The store is down: nothing is acknowledged, the socket is closed, and all is
// taken in when it is back.
func TestWhatCannotBeKeptIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	bubble(t, func(w *world) {
		w.connected()
		down.Store(true)
		w.says("kim", "dev", "@alice hi")
		time.Sleep(2 * time.Second)
		for _, d := range w.srv.Deliveries() {
			if d.State == sim.Acked {
				w.Error("what is not kept was acknowledged")
			}
		}
		w.Until("the socket is closed", func() bool { return w.srv.Sockets() == 0 })
		time.Sleep(10 * time.Minute)
		if n := w.srv.Connections(); n > 40 {
			w.Errorf("%d connections in ten minutes", n)
		}
		down.Store(false)
		w.shows("dev", "alice: ok")
		w.connected().Idle()
		if len(w.Turns()) != 1 {
			w.Errorf("%q", w.Turns())
		}
	}, func(w *world) {
		w.Store = rehearsal.FullDisk(&down)
	})
}

// No secret is in a log or a state, whatever fails (B66).
func TestNoSecretIsLogged(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("response_url", sim.LostCall(), sim.ServerError(502))
		w.srv.FailNext("chat.postMessage", sim.ServerError(502), sim.LostCall())
		w.srv.FailNext("users.info", sim.ServerError(502), sim.LostCall())
		w.srv.FailNext("apps.connections.open", sim.ServerError(502), sim.LostCall())
		w.says("kim", "dev", "@alice hi")
		for range 2 {
			if _, err := w.srv.User("maria").Slash("dev", "/office", "status"); err != nil {
				w.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		w.srv.RefuseSockets(2, 503)
		w.srv.DropSockets()
		w.Until("it is shown", func() bool { return len(w.ours("dev")) == 1 })
		w.srv.GoOffline()
		time.Sleep(3 * time.Minute)
		w.srv.GoOnline()
		w.connected()
		for _, secret := range []string{w.srv.BotToken(), w.srv.AppToken(), "/response/", "ticket="} {
			if strings.Contains(w.Logged.String()+w.State(), secret) {
				w.Errorf("%q is in the log:\n%s", secret, w.Logged)
			}
		}
	})
}

// What nobody knows is acknowledged all the same.
func TestUnknownEventsAreAcknowledged(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	w.srv.SendEvent(map[string]any{"type": "brand_new_event", "x": 1})
	w.srv.SendEvent(map[string]any{"type": "message", "text": 42, "channel": "C0DEV", "user": "U0KIM", "ts": "1.000000"})
	w.srv.SendEvent(map[string]any{"type": "message", "channel": 7, "message": "no object", "subtype": "message_changed"})
	w.srv.SendEvent(map[string]any{"type": "message", "text": "@bob psst", "channel": "G0MPIM", "channel_type": "mpim", "user": "U0KIM", "ts": "1.000000"})
	w.srv.SendEnvelope("brand_new_type", map[string]any{"a": 1})
	w.srv.SendEnvelope("interactive", map[string]any{"type": "nothing"})
	w.srv.SendEnvelope("slash_commands", map[string]any{"text": 5})
	w.srv.SendFrame([]byte("{ this is not JSON"))
	w.srv.SendEvent(map[string]any{"type": "message", "text": "@bob hi", "channel": "C0DEV", "user": "U0KIM", "ts": w.says("kim", "dev", "before"), "blocks": "odd"})
	w.Idle()
	for _, d := range w.srv.Deliveries() {
		if d.State != sim.Acked {
			t.Errorf("%+v", d)
		}
	}
	if w.srv.Connections() != 1 || w.Count("psst") != 0 {
		t.Errorf("%d connections, asked %q", w.srv.Connections(), w.Turns())
	}
}
