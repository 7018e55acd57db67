package slack

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	sim "bullpen/internal/sim/slack"
	"bullpen/office"
	"bullpen/office/model"
)

// The first stranger who writes to a fresh office becomes its owner.
func TestTheFirstOwnerIsPaired(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.Setup.People = []office.Person{{ID: office.DefaultOwner, Name: "owner", Owner: true, Admin: true}}
	}).connected()
	w.dm("kim", "hello?")
	dm := w.dmChannel("kim")
	w.Until("kim is told what to type", func() bool { return len(w.ours(dm)) == 1 })
	code := regexp.MustCompile(`/approve (\w+)`).FindStringSubmatch(w.ours(dm)[0])
	if code == nil {
		t.Fatalf("kim is told %q", w.ours(dm))
	}
	if notice := <-w.Bridge.Notices(); !strings.Contains(notice, code[1]) || !strings.Contains(notice, "U0KIM") {
		t.Errorf("the console is told %q", notice)
	}
	if len(w.Turns()) != 0 {
		t.Errorf("a model read a stranger: %q", w.Turns())
	}
	ans, err := w.Bridge.Command(t.Context(), bridge.ConsoleAccount, nil, "approve "+code[1])
	if err != nil {
		t.Fatal(err, ans)
	}
	w.Until("kim is told that he may talk", func() bool { return len(w.ours(dm)) == 2 })
	w.dm("kim", "hello!")
	w.Until("alice answers kim", func() bool { return slices.Contains(w.ours(dm), "alice: ok") })
}

// Stop works while a turn runs and is not queued behind it (B41).
func TestInterruptByMention(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hanging).connected()
	w.says("kim", "dev", "@alice hang")
	w.Until("alice works", func() bool { return w.Count("hang") == 1 })
	w.says("lee", "dev", "@office interrupt alice")
	w.Until("lee may not", func() bool { return len(w.whispers("dev", "U0LEE")) == 1 })
	w.srv.DuplicateNext(4)
	w.says("maria", "dev", "@office interrupt alice")
	w.Until("maria is told", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
	if said := w.whispers("dev", "U0MARIA")[0]; !strings.Contains(said, "alice has been interrupted") {
		t.Errorf("maria is told %q", said)
	}
	w.Idle()
	w.says("kim", "dev", "@alice go on")
	w.Until("alice answers again", func() bool { return slices.Contains(w.ours("dev"), "alice: ok") })
	if n := len(w.whispers("dev", "U0MARIA")); n != 1 {
		t.Errorf("the command was carried out %d times", n)
	}
}

// Slack's own Stop button interrupts whoever works in its thread and nobody else, by
// the rights of who presses it, and once.
func TestTheStopButtonInterrupts(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		one, two := w.says("kim", "dev", "@alice hang"), w.says("kim", "dev", "@bob hang")
		working := func(ts string) func() bool {
			return func() bool { return w.srv.Session("dev", ts) == "processing" }
		}
		w.Until("both can be stopped", func() bool { return working(one)() && working(two)() })
		press := func(who string) {
			w.Helper()
			if err := w.srv.User(who).Stop("dev", one); err != nil {
				t.Fatal(err)
			}
		}
		press("lee")
		w.Until("lee may not", func() bool { return len(w.whispers("dev", "U0LEE")) == 1 })
		if !working(one)() {
			t.Error("lee stopped alice")
		}
		w.srv.DuplicateNext(3)
		press("maria")
		w.Until("alice is interrupted", func() bool { return w.srv.Session("dev", one) == "active" })
		w.Until("maria is told", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
		time.Sleep(time.Minute) // of the bubble
		if got := w.whispers("dev", "U0MARIA"); len(got) != 1 || !strings.Contains(got[0], "alice has been interrupted") || !working(two)() {
			t.Errorf("maria is told %q; bob's session is %s", got, w.srv.Session("dev", two))
		}
		// What has ended in another process is no longer shown as working.
		w.Shut()
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) {
			time.Sleep(5 * time.Second) // of the bubble
			return text("ok"), nil
		}
		w.start()
		w.connected()
		w.Until("bob is through", func() bool { return w.srv.Session("dev", two) == "active" })
		w.srv.SendEvent(map[string]any{"type": "agent_session_stopped", "channel": "C0DEV", "thread_ts": two, "user": "U0MARIA"})
		w.srv.SendEvent(map[string]any{"type": "agent_session_stopped", "channel": map[string]any{}, "user": 7})
		w.srv.SendEvent(map[string]any{"type": "assistant_thread_started", "assistant_thread": map[string]any{"channel_id": "D1"}})
		w.Until("all of it is acknowledged", func() bool { return w.srv.Unsettled() == 0 })
	}, hanging)
}

// hanging makes whoever is told to hang work until they are interrupted.
func hanging(w *world) {
	w.Answer = func(ctx context.Context, _ string, req *model.Request) (*model.Response, error) {
		if strings.Contains(req.Messages[len(req.Messages)-1].Text, "hang") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return text("ok"), nil
	}
}

// An app that is no agent is asked for a session once; one that does not hear the
// button is told what is missing. Both work as ever.
func TestWithoutAStopButton(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*world)
		calls  int
		said   string
	}{
		"no agent": {func(w *world) {
			w.sim.Scopes = slices.DeleteFunc(sim.DefaultScopes(), func(s string) bool { return s == "assistant:write" })
		}, 1, ""},
		"unheard": {func(w *world) { w.sim.Quirks.StopUnheard = true }, 4, "add agent_session_stopped under Event Subscriptions"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				for range 2 {
					w.says("kim", "dev", "@alice slowly")
					w.Idle()
				}
				w.shows("dev", "alice: ok", "alice: ok")
				if n := len(w.srv.Calls("agents.sessions.setStatus")); n != tc.calls || !strings.Contains(w.State(), tc.said) {
					t.Errorf("%d calls; %s", n, w.State())
				}
			}, tc.change, func(w *world) {
				w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
					time.Sleep(3 * time.Second) // of the bubble
					return text("ok"), ctx.Err()
				}
			})
		})
	}
}

func TestSlashCommandsAreAnsweredPrivatelyAndOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	w.srv.DuplicateNext(1)
	if _, err := w.srv.User("maria").Slash("dev", "/office", "status"); err != nil {
		t.Fatal(err)
	}
	w.Until("maria is told", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
	if said := w.whispers("dev", "U0MARIA")[0]; !strings.Contains(said, "Office Acme") {
		t.Errorf("maria is told %q", said)
	}
	if _, err := w.srv.User("kim").Slash("dev", "/office", "interrupt alice"); err != nil {
		t.Fatal(err)
	}
	w.Until("kim is told", func() bool { return len(w.whispers("dev", "U0KIM")) == 1 })
	w.Idle()
	for _, d := range w.srv.Deliveries() {
		if d.State != sim.Acked || d.AckedIn > 3*time.Second {
			t.Errorf("%+v", d)
		}
	}
	if n := len(w.whispers("dev", "U0MARIA")); n != 1 {
		t.Errorf("answered %d times", n)
	}
}

// The button of a question decides it once, and goes.
func TestAButtonLetsColleaguesGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.Setup.Limits.Depth = 1
		w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if last := req.Messages[len(req.Messages)-1]; last.Role == model.RoleTool {
				return text("NO_REPLY"), nil
			}
			other := map[string]string{"alice": "bob", "bob": "alice"}[name]
			args := fmt.Sprintf(`{"wake":["@%s"],"text":"over to you, %s"}`, other, other)
			return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_post", Args: []byte(args)}}}, nil
		}
	}).connected()
	w.says("kim", "dev", "@alice start")
	question := func() (sim.Entry, bool) {
		for _, e := range w.srv.Transcript("dev") {
			if e.Ours && strings.Contains(e.Shown(), "Let them go on") {
				return e, true
			}
		}
		return sim.Entry{}, false
	}
	w.Until("a question", func() bool { e, ok := question(); return ok && len(e.Buttons) == 1 })
	dm := w.dmChannel("maria")
	inDM := func() (sim.Entry, bool) {
		for _, e := range w.srv.Transcript(dm) {
			if strings.Contains(e.Shown(), "Let them go on") {
				return e, true
			}
		}
		return sim.Entry{}, false
	}
	w.Until("it is in maria's mail as well", func() bool { e, ok := inDM(); return ok && len(e.Buttons) == 1 })
	q, _ := question()
	if _, err := w.srv.User("kim").Click("dev", q.TS, q.Buttons[0].ActionID); err != nil {
		t.Fatal(err)
	}
	w.Until("kim may not", func() bool { return len(w.whispers("dev", "U0KIM")) == 1 })
	if _, err := w.srv.User("maria").Click("dev", q.TS, q.Buttons[0].ActionID); err != nil {
		t.Fatal(err)
	}
	w.Until("alice goes on", func() bool { return w.Count("over to you, alice") >= 1 })
	w.Until("the button is gone and it says who decided", func() bool {
		for _, e := range w.srv.Transcript("dev") {
			if e.TS == q.TS {
				return len(e.Buttons) == 0 && strings.Contains(e.Shown(), "Maria lets them go on")
			}
		}
		return false
	})
	w.Until("the copy says so too", func() bool {
		e, ok := inDM()
		return ok && len(e.Buttons) == 0 && strings.Contains(e.Shown(), "Maria lets them go on")
	})
}

func TestCallingTheBotWhereItIsNotLinkedIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) { w.opt.Channels = map[string]Channel{"dev": {Place: "C0DEV"}} }).connected()
	w.says("kim", "general", "@office hello?")
	w.Until("kim is told", func() bool { return len(w.whispers("general", "U0KIM")) == 1 })
	w.says("kim", "general", "@office hello?")
	w.says("kim", "general", "to nobody")
	w.Idle()
	if said := w.whispers("general", "U0KIM"); len(said) != 1 || !strings.Contains(said[0], "not linked") || len(w.Turns()) != 0 {
		t.Errorf("kim is told %q", said)
	}
}
