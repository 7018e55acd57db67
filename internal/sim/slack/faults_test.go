package slack_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	api "github.com/slack-go/slack"

	sim "bullpen/internal/sim/slack"
)

func dial(t *testing.T, url string) (*websocket.Conn, int) {
	t.Helper()
	c, resp, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if resp == nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return c, resp.StatusCode
}

func TestALostReplyLeavesThePost(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	srv.FailNext("chat.postMessage", sim.LostReply(), sim.LostCall())
	for i, want := range []int{1, 1, 2} {
		_, _, err := c.PostMessage("C0GEN", text("x"))
		if lost := err != nil; lost != (i < 2) {
			t.Errorf("call %d: %v", i, err)
		}
		if got := len(srv.Transcript("C0GEN")); got != want {
			t.Errorf("after call %d people see %d posts, want %d", i, got, want)
		}
	}
}

func TestErrorsOnRequest(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	srv.FailNext("", sim.RateLimited(40), sim.Fault{Status: 429}, sim.ServerError(500), sim.Refused("edit_window_closed"), sim.Fault{})
	call := func() error { _, err := c.AuthTest(); return err }
	var rl *api.RateLimitedError
	if err := call(); !errors.As(err, &rl) || rl.RetryAfter != 40*time.Second {
		t.Errorf("429 with Retry-After: %v", err)
	}
	var st api.StatusCodeError
	if err := call(); !errors.As(err, &st) || st.Code != 429 {
		t.Errorf("429 without Retry-After: %v", err)
	}
	if err := call(); !errors.As(err, &st) || st.Code != 500 {
		t.Errorf("500: %v", err)
	}
	if err := call(); code(err) != "edit_window_closed" {
		t.Errorf("refused: %v", err)
	}
	if err := call(); err != nil || srv.PlannedFaults() != 0 {
		t.Errorf("no fault: %v", err)
	}
	var seen []string
	for _, c := range srv.Calls("auth.test") {
		seen = append(seen, fmt.Sprint(c.Status, c.Error))
	}
	if got := strings.Join(seen, " "); got != "429ratelimited 429ratelimited 500 200edit_window_closed 200" {
		t.Errorf("log: %s", got)
	}
}

func TestACallCanBeHeld(t *testing.T) {
	t.Parallel()
	srv := start(t)
	hold := make(chan struct{})
	srv.FailNext("auth.test", sim.Fault{Hold: hold})
	done := make(chan error, 1)
	go func() { _, err := client(srv).AuthTest(); done <- err }()
	until(t, srv, func(s *sim.Server) bool { return len(s.Calls("auth.test")) == 1 })
	select {
	case err := <-done:
		t.Fatalf("answered before it was released: %v", err)
	default:
	}
	close(hold)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSocketsThatDieAroundAnAck(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		fault func(*sim.Server)
		want  int // times the app sees the event
	}{
		{"before the ack is taken", func(s *sim.Server) { s.LoseAcks(1) }, 2},
		{"after it", func(s *sim.Server) { s.DropAfterAcks(1) }, 1},
		{"in the middle of the frame", func(s *sim.Server) { s.CutFrames(1) }, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			srv := start(t)
			a := connect(t, srv)
			tc.fault(srv)
			must(srv.User("kim").Post("general", "x"))
			until(t, srv, func(s *sim.Server) bool { return s.Connections() == 2 && s.Sockets() == 1 })
			until(t, srv, func(s *sim.Server) bool { s.RetryNow(); return s.Unsettled() == 0 })
			if got := len(a.seen()); got != tc.want {
				t.Errorf("seen %d times, want %d: %v", got, tc.want, a.kinds())
			}
			if d := srv.Deliveries()[0]; d.State != sim.Acked {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestOfflinePeopleGoOn(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	connect(t, srv)
	srv.GoOffline()
	must(srv.User("kim").Post("general", "anybody?"))
	if _, err := c.AuthTest(); err == nil {
		t.Error("it answered while offline")
	}
	if srv.Sockets() != 0 {
		t.Error("a socket survived")
	}
	srv.GoOnline()
	h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN"})
	if err != nil || len(h.Messages) != 1 {
		t.Errorf("history after the gap: %v %v", h, err)
	}
	until(t, srv, func(s *sim.Server) bool { s.RetryNow(); return s.Sockets() == 1 && s.Unsettled() == 0 })
}

func TestHandshakesCanBeRefused(t *testing.T) {
	t.Parallel()
	srv := start(t)
	srv.RefuseSockets(1, http.StatusServiceUnavailable)
	_, url, err := client(srv).StartSocketModeContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, status := dial(t, url); status != 503 {
		t.Errorf("status %d", status)
	}
	c, status := dial(t, url)
	if status != 101 {
		t.Fatalf("the refusal used the ticket up: %d", status)
	}
	_ = c.Close()
}

func TestArchivedChannelsRefuse(t *testing.T) {
	t.Parallel()
	srv := start(t)
	if err := srv.Archive("general", "U0MARIA"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := client(srv).PostMessage("C0GEN", text("x")); code(err) != "is_archived" {
		t.Errorf("got %v", err)
	}
	if _, err := srv.User("kim").Post("general", "x"); err == nil {
		t.Error("a person could post")
	}
	if err := srv.Unarchive("general", "U0MARIA"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := client(srv).PostMessage("C0GEN", text("x")); err != nil {
		t.Error(err)
	}
}

func TestALateOrHugeAckDoesNotCount(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) { o.RetryDelays = []time.Duration{} })
	_, url, err := client(srv).StartSocketModeContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := dial(t, url)
	defer c.Close()
	until(t, srv, func(s *sim.Server) bool { return s.Sockets() == 1 })
	trigger := must(srv.User("kim").Slash("general", "/office", "status"))
	var hello, env struct {
		EnvelopeID string `json:"envelope_id"`
	}
	if err := errors.Join(c.ReadJSON(&hello), c.ReadJSON(&env)); err != nil {
		t.Fatal(err)
	}
	huge := map[string]any{"envelope_id": env.EnvelopeID, "payload": map[string]any{"text": strings.Repeat("x", 20*1024)}}
	if err := c.WriteJSON(huge); err != nil {
		t.Fatal(err)
	}
	until(t, srv, func(s *sim.Server) bool { return len(s.StrayAcks()) == 1 })
	if d := srv.Deliveries()[0]; d.State != sim.Sent || d.EventID != trigger {
		t.Errorf("%+v", d)
	}
}

func TestWaitForTellsHowThingsStood(t *testing.T) {
	t.Parallel()
	srv := start(t)
	must(srv.User("kim").Post("general", "evidence"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := srv.WaitFor(ctx, func(*sim.Server) bool { return false })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "evidence") {
		t.Errorf("%v", err)
	}
}
