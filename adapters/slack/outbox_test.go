package slack

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/slack"
	"bullpen/office"
	"bullpen/office/model"
)

// The answer of a post is lost, or a 500 comes: it is looked up and stands there
// once (B48).
func TestAPostOfUnknownEndIsShownOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sim.Fault{
		"it arrived, its answer was lost": sim.LostReply(), "it was lost": sim.LostCall(), "500": sim.ServerError(500),
		"502": sim.ServerError(502), "fatal_error": sim.Refused("fatal_error"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext("chat.postMessage", fault)
				w.says("kim", "dev", "@alice hi")
				w.Until("it is shown", func() bool { return len(w.ours("dev")) == 1 })
				time.Sleep(5 * time.Minute) // of the bubble: time for a second copy
				w.shows("dev", "alice: ok")
				w.dm("maria", "@bob hello")
				dm := w.dmChannel("maria")
				w.srv.FailNext("chat.postMessage", fault)
				w.Until("it is shown", func() bool { return len(w.ours(dm)) == 1 })
				time.Sleep(5 * time.Minute)
				w.shows(dm, "bob: ok")
			})
		})
	}
}

// The process dies between the platform's acceptance and the mark of it, three
// times (B48).
func TestACrashAfterASendShowsItOnce(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("chat.postMessage", sim.LostReply())
		w.says("kim", "dev", "@alice hi")
		w.Until("it is shown", func() bool { return len(w.ours("dev")) == 1 })
		for range 3 {
			w.Shut()
			w.start()
			w.connected()
		}
		time.Sleep(5 * time.Minute)
		w.shows("dev", "alice: ok")
		if n := len(w.Turns()); n != 1 {
			w.Errorf("%d turns", n)
		}
	})
}

func TestRateLimitsAreObeyed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		after       string
		least, most time.Duration
	}{
		"40 s": {"40", 40 * time.Second, 45 * time.Second}, "nothing said": {"", 5 * time.Second, 15 * time.Second},
		"zero": {"0", 5 * time.Second, 15 * time.Second}, "absurd": {"999999999999", 5 * time.Second, 6 * time.Minute},
		"a day": {"86400", 2 * time.Minute, 6 * time.Minute}, "no number": {"soon", 5 * time.Second, 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext("chat.postMessage", sim.Fault{Status: 429, RetryAfter: tc.after})
				w.says("kim", "dev", "@alice hi")
				w.shows("dev", "alice: ok")
				calls := w.srv.Calls("chat.postMessage")
				if len(calls) != 2 {
					w.Fatalf("%d calls", len(calls))
				}
				if waited := calls[1].Time.Sub(calls[0].Time); waited < tc.least || waited > tc.most {
					w.Errorf("waited %s", waited)
				}
			})
		})
	}
}

// A limit holds for all that is posted in a place, answers to commands among it, and
// across a restart; another place does not wait (B27).
func TestALimitHoldsForReceiptsAcrossARestart(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		at := w.dmChannel("U0MARIA")
		w.srv.FailNext("chat.postMessage", sim.Fault{Status: 429, RetryAfter: "40"})
		w.dm("U0MARIA", "@alice hi")
		w.Until("it is limited", func() bool { return w.srv.PlannedFaults() == 0 })
		limited := time.Now()
		time.Sleep(20 * time.Second)
		w.Shut()
		w.start()
		w.connected()
		w.dm("U0MARIA", "/who")
		w.says("kim", "dev", "@bob hi")
		w.shows("dev", "bob: ok")
		if d := time.Since(limited); d > 35*time.Second {
			w.Errorf("another place waited %s", d)
		}
		w.Until("both are shown", func() bool { return len(w.ours(at)) == 2 })
		for _, c := range w.srv.Calls("chat.postMessage")[1:] {
			if d := c.Time.Sub(limited); c.Args["channel"] == at && d < 39*time.Second {
				w.Errorf("posted after %s", d)
			}
		}
	})
}

// Parts come in order, one after the other (B24).
func TestPartsOfALongAnswerComeInOrder(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		first := make(chan struct{})
		w.srv.FailNext("chat.postMessage", sim.Fault{Hold: first}, sim.Fault{}, sim.RateLimited(30))
		w.says("kim", "dev", "@alice write")
		w.Until("the first part is on its way", func() bool { return len(w.srv.Calls("chat.postMessage")) == 1 })
		time.Sleep(800 * time.Millisecond)
		close(first)
		w.Until("three parts", func() bool { return len(w.ours("dev")) >= 3 })
		w.Idle()
		shown := strings.Join(w.ours("dev"), "\n")
		at := -1
		for _, want := range []string{"first", "second", "third"} {
			i := strings.Index(shown, want)
			if i <= at {
				w.Errorf("%s is out of order", want)
			}
			at = i
		}
		for _, e := range w.srv.Transcript("dev") {
			if len(e.Wire) > 4000 {
				w.Errorf("a part has %d characters", len(e.Wire))
			}
		}
	}, func(w *world) {
		fill := func(mark string) string { return mark + " " + strings.Repeat("word & more ", 220) }
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) {
			return text(fill("first") + "\n\n" + fill("second") + "\n\n" + fill("third")), nil
		}
	})
}

// A missing right costs the look, not the message (B80).
func TestWithoutTheRightToOtherNamesTheNameStandsInFront(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		t.Run(fmt.Sprintf("refused %v", refused), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(w *world) { w.sim.Quirks.RefusePersonaWithoutScope = refused })
			w.srv.RemoveScope("chat:write.customize")
			w.connected()
			for i := range 2 {
				w.says("kim", "dev", "@alice hi")
				w.Until("her name is seen", func() bool {
					o := w.ours("dev")
					return len(o) == i+1 && strings.Contains(o[i], "alice:") && strings.HasSuffix(o[i], "ok")
				})
			}
			if !strings.Contains(strings.Join(w.a.problems.All(), " "), "lacks the scope chat:write.customize") {
				t.Errorf("nobody is told: %q", w.a.problems.All())
			}
		})
	}
}

func TestARefusedPostIsToldAndNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	if err := w.srv.Archive("dev", "U0MARIA"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Office.Post(t.Context(), office.Post{Person: "maria", Channel: "dev", Text: "@alice hi"}); err != nil {
		t.Fatal(err)
	}
	dm := w.dmChannel("maria")
	w.Until("maria is told", func() bool { return strings.Contains(strings.Join(w.ours(dm), "\n"), "the channel is archived") })
	w.Idle()
	if n := len(w.srv.Calls("chat.postMessage")); n > 3 {
		t.Errorf("%d calls", n)
	}
	w.Until("the state says it", func() bool {
		return strings.Contains(strings.Join(w.a.problems.All(), " "), "the Slack channel of #dev ")
	})
}

// A slow or limited channel holds up nobody else.
func TestChannelsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("chat.postMessage", sim.RateLimited(200))
		w.says("kim", "dev", "@alice slow")
		w.Until("it was tried", func() bool { return len(w.srv.Calls("chat.postMessage")) == 1 })
		begin := time.Now()
		w.says("kim", "general", "@bob fast")
		w.shows("general", "bob: ok")
		if d := time.Since(begin); d > 10*time.Second {
			w.Errorf("it took %s", d)
		}
	})
}
