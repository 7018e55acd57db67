package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	slacksim "bullpen/internal/sim/slack"
)

// slackOffice is an office in a workspace of its own.
type slackOffice struct {
	t   *testing.T
	srv *slacksim.Server
	dir string
}

func newSlackOffice(t *testing.T) *slackOffice {
	t.Helper()
	all := []string{"U0BOT", "U0MARIA", "U0KIM"}
	srv, err := slacksim.Start(slacksim.Options{Workspace: slacksim.Workspace{
		Users:    []slacksim.User{{ID: "U0MARIA", Name: "maria", Admin: true}, {ID: "U0KIM", Name: "kim"}},
		Channels: []slacksim.Channel{{ID: "C0GEN", Name: "general", Members: all}, {ID: "C0DEV", Name: "dev", Members: all}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	return &slackOffice{t: t, srv: srv, dir: writeOffice(t, fmt.Sprintf(`
office:
  name: Acme
  owner: maria
  front_desk: alice
  channels:
    dev: {members: [alice, bob]}
people:
  maria: {slack: U0MARIA, admin: true}
agents:
  alice: {role: leader, model: demo}
  bob: {role: member, model: demo}
adapters:
  slack:
    app_token: %s
    bot_token: %s
    api_url: %s
    channels: {general: C0GEN, dev: "#dev"}
`, srv.AppToken(), srv.BotToken(), srv.APIURL()))}
}

// until waits for something to be seen in Slack.
func (o *slackOffice) until(p *process, what string, cond func(*slacksim.Server) bool) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	if err := o.srv.WaitFor(ctx, cond); err != nil {
		o.t.Errorf("%s: %v\n%s", what, err, p.transcript())
	}
}

// answers counts the colleagues' posts in #dev that contain text.
func answers(s *slacksim.Server, text string) int {
	n := 0
	for _, e := range s.Transcript("dev") {
		if e.Ours && e.EphemeralTo == "" && strings.Contains(e.Shown(), text) {
			n++
		}
	}
	return n
}

// converse says something to alice and waits until she has answered, or until
// the process is dead.
func (o *slackOffice) converse(p *process, said string) {
	o.t.Helper()
	if _, err := o.srv.User("kim").Post("dev", "@alice "+said); err != nil {
		o.t.Error(err)
	}
	o.until(p, "alice answers "+said, func(s *slacksim.Server) bool {
		select {
		case <-p.exited:
			return true
		default:
			return answers(s, said) > 0
		}
	})
}

func (o *slackOffice) connected(p *process) {
	o.t.Helper()
	o.until(p, "it connects", func(s *slacksim.Server) bool { return s.Sockets() == 1 })
}

func TestAnOfficeInSlackAnswers(t *testing.T) {
	t.Parallel()
	o := newSlackOffice(t)
	p := start(t, open(o.dir))
	o.connected(p)
	o.converse(p, "good day")
	p.end()
	p.wantExit(0)
	for _, e := range o.srv.Transcript("dev") {
		if e.Ours && (e.Author != "alice" || e.ThreadTS == "") {
			t.Errorf("alice's answer is %v", e)
		}
	}
}

// Killed anywhere between the message and its answer, and started again, the
// office has answered once.
func TestAnOfficeInSlackThatIsKilledAnswersOnce(t *testing.T) {
	t.Parallel()
	pilot := newSlackOffice(t)
	trace := filepath.Join(t.TempDir(), "trace")
	p := start(t, open(pilot.dir).with("BULLPEN_FAULT_TRACE="+trace))
	pilot.connected(p)
	pilot.converse(p, "warm-up")
	from := len(points(t, trace))
	pilot.converse(p, "question")
	to := len(points(t, trace))
	p.end()
	p.wait()
	var runs sync.WaitGroup
	for k := from + 1; k <= to+1; k++ { // all at once: each waits until its send has settled
		runs.Go(func() { killedInSlack(t, k) })
	}
	runs.Wait()
}

// settled is more than a doubtful send takes: until it must have left, until it
// must have arrived, and to be looked up.
const settled = 25 * time.Second

func killedInSlack(t *testing.T, k int) {
	o := newSlackOffice(t)
	p := start(t, open(o.dir).with(killAt(k)))
	o.connected(p)
	o.converse(p, "warm-up")
	o.converse(p, "question")
	p.kill()
	p = start(t, open(o.dir).with())
	o.connected(p)
	for _, said := range []string{"warm-up", "question", "afterwards"} {
		if said == "afterwards" {
			o.converse(p, said)
		}
		o.until(p, "alice answers "+said, func(s *slacksim.Server) bool { return answers(s, said) > 0 })
	}
	// A second copy would come when what is in doubt has been looked up.
	late, cancel := context.WithTimeout(t.Context(), settled)
	defer cancel()
	_ = o.srv.WaitFor(late, func(s *slacksim.Server) bool { return answers(s, "question") > 1 })
	for _, said := range []string{"warm-up", "question", "afterwards"} {
		if n := answers(o.srv, said); n != 1 {
			t.Errorf("killed at point %d: %d answers to %q\n%s", k, n, said, p.transcript())
		}
	}
	p.kill()
}
