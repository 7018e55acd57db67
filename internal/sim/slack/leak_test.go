package slack_test

import (
	"io"
	"log"
	"net/http"
	"testing"

	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"
	"go.uber.org/goleak"

	sim "bullpen/internal/sim/slack"
)

// Not parallel: it looks at every goroutine of the process.
func TestCloseLeavesNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	srv := start(t)
	a := connect(t, srv)
	must(srv.User("kim").Post("general", "x"))
	settled(t, srv)
	hold := make(chan struct{})
	srv.FailNext("auth.test", sim.Fault{Hold: hold})
	transport := &http.Transport{DisableKeepAlives: true}
	answered := make(chan error, 1)
	go func() {
		_, err := client(srv, api.OptionHTTPClient(&http.Client{Transport: transport})).AuthTest()
		answered <- err
	}()
	until(t, srv, func(s *sim.Server) bool { return len(s.Calls("auth.test")) == 1 })
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if err := srv.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("a held call was answered by a closed server")
	}
	a.stop()
	http.DefaultClient.CloseIdleConnections()
	goleak.VerifyNone(t, before)
}

// BenchmarkPostToAck is a person's post, its event over the real client, and the acknowledgement.
func BenchmarkPostToAck(b *testing.B) {
	srv, err := sim.Start(sim.Options{Workspace: workspace()})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = srv.Close() }()
	sm := socketmode.New(client(srv), socketmode.OptionLog(log.New(io.Discard, "", 0)))
	go func() { _ = sm.RunContext(b.Context()) }()
	go func() {
		for {
			select {
			case <-b.Context().Done():
				return
			case ev := <-sm.Events:
				if ev.Type == socketmode.EventTypeEventsAPI {
					_ = sm.AckCtx(b.Context(), ev.Request.EnvelopeID, nil)
				}
			}
		}
	}()
	wait := func(cond func(*sim.Server) bool) {
		if err := srv.WaitFor(b.Context(), cond); err != nil {
			b.Fatal(err)
		}
	}
	wait(func(s *sim.Server) bool { return s.Sockets() == 1 })
	kim := srv.User("kim")
	for b.Loop() {
		if _, err := kim.Post("general", "hello @office, how are you?"); err != nil {
			b.Fatal(err)
		}
		wait(func(s *sim.Server) bool { return s.Unsettled() == 0 })
	}
}
