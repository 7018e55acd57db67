package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	llmsim "bullpen/internal/sim/llm"
)

// sleeper is a model that runs a script which sleeps for ten minutes whenever it
// is asked to, under a name that no other test's has.
func sleeper(mark string) func(*llmsim.Request) llmsim.Reply {
	return func(req *llmsim.Request) llmsim.Reply {
		turn := thisTurn(req.Messages)
		asked, slept := false, false
		for _, m := range turn {
			asked = asked || m.Role == "user" && strings.Contains(m.Content, "go to sleep")
			slept = slept || len(m.ToolCalls) > 0
		}
		if asked && !slept {
			return llmsim.Calls(llmsim.Call{Name: "bash", Args: fmt.Sprintf(`{"command":"sleep 600.%s","timeout":700}`, mark)})
		}
		return diligent(req)
	}
}

// asleep are the processes whose command line has the mark.
func asleep(t *testing.T, mark string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range all {
		line, _ := os.ReadFile(path) // it may have ended meanwhile
		if strings.Contains(string(line), "600."+mark) {
			found = append(found, filepath.Dir(path)+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// awaited looks at what nobody tells of until it is so.
func awaited(t testing.TB, limit time.Duration, cond func() bool) bool {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(limit)
	for !cond() {
		select {
		case <-tick.C:
		case <-late:
			return false
		}
	}
	return true
}

// TestAScriptIsInterruptedFromSlack: the owner's word ends a turn whose script
// would take ten minutes within seconds, with its processes; what waits is kept
// and answered (B41).
func TestAScriptIsInterruptedFromSlack(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprint(10_000_000 + os.Getpid())
	w := newWorkplace(t, plan{think: sleeper(mark)})
	p := w.open()
	w.ready(p)
	s := &talk{w: w}
	told := func() int {
		n := 0
		for _, e := range w.slack.Transcript("dev") {
			if e.EphemeralTo == "U0MARIA" && strings.Contains(e.Shown(), "alice is not running; nothing was interrupted.") {
				n++
			}
		}
		return n
	}
	// Whoever does nothing is left alone, and so is their next turn.
	w.says("maria", "dev", "<@U0BOT> interrupt alice")
	w.must(p, "maria is told that alice does nothing", func() bool { return told() == 1 })
	root := w.says("kim", "dev", "@alice go to sleep")
	if !awaited(t, patience, func() bool { return len(asleep(t, mark)) > 0 }) {
		t.Fatalf("no script runs\n%s", w.story())
	}
	s.asks("dev", "", 1)
	s.asks("general", "", 2)
	w.must(p, "both wait", func() bool { return w.slack.Unsettled() == 0 && w.seenMarks("dev", "general") == 3 })
	if n := w.llm.Total(); n != 1 {
		t.Errorf("alice was asked %d times while her script runs", n)
	}
	// Somebody else may not.
	w.says("lee", "dev", "<@U0BOT> interrupt alice")
	w.must(p, "lee is refused", func() bool { return w.whispered("dev", "U0LEE", "interrupt is for the owner and the admins") })
	if len(asleep(t, mark)) == 0 {
		t.Error("lee ended the script")
	}
	began := time.Now()
	w.says("maria", "dev", "<@U0BOT> interrupt alice")
	w.must(p, "what waited is answered", func() bool { return w.sees(s.want...) })
	if !awaited(t, 5*time.Second, func() bool { return len(asleep(t, mark)) == 0 }) {
		t.Errorf("still there: %q", asleep(t, mark))
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it took %s", d)
	}
	if !w.whispered("dev", "U0MARIA", "alice has been interrupted") {
		t.Error("maria is not told what she did")
	}
	// Twice is no harm.
	w.says("maria", "dev", "<@U0BOT> interrupt alice")
	w.must(p, "maria is told that alice does nothing", func() bool { return told() == 2 })
	s.asks("dev", "", 3)
	w.must(p, "the next turn runs to its end", func() bool { return w.sees(s.want...) })
	r := w.rest(p)
	w.wantExactly(append(s.want, shown{"dev", root, "office", "alice could not finish dev-1: it was interrupted by maria"})...)
	r.wantSound(t)
	r.wantDone(t)
	if t.Failed() {
		t.Log(w.story())
	}
}

// TestAnInterruptAtAnyMoment: whether it comes as the turn begins, in the middle of
// a request to the model or too late, who asked is told or answered, once, and the
// next question is answered (B41).
func TestAnInterruptAtAnyMoment(t *testing.T) {
	t.Parallel()
	for _, during := range []bool{false, true} {
		t.Run(fmt.Sprintf("during a request %v", during), func(t *testing.T) {
			t.Parallel()
			w := newWorkplace(t, plan{})
			p := w.open()
			w.ready(p)
			var want []shown
			for n := 1; n <= 12; n += 2 {
				asked := w.llm.Total()
				if during {
					w.llm.Queue(llmsim.Hang())
				}
				ts := w.says("kim", "dev", fmt.Sprintf("@alice Q%d", n))
				if during && !awaited(t, patience, func() bool { return w.llm.Total() > asked }) {
					t.Fatalf("alice is not asked\n%s", w.story())
				}
				for range 2 {
					w.says("maria", "general", "<@U0BOT> interrupt alice")
				}
				answered := shown{"dev", ts, "alice", answerTo(n)}
				cut := shown{"dev", ts, "office", "it was interrupted by maria"}
				w.must(p, "kim is answered or told", func() bool { return w.sees(answered) || w.sees(cut) })
				if w.sees(cut) {
					answered = cut
				} else if during {
					t.Errorf("Q%d was answered", n)
				}
				w.must(p, "both interrupts are carried out", func() bool { return w.slack.Unsettled() == 0 })
				next := w.says("kim", "general", fmt.Sprintf("@alice Q%d", n+1))
				want = append(want, answered, shown{"general", next, "alice", answerTo(n + 1)})
				w.must(p, "the next question is answered", func() bool { return w.sees(want...) })
			}
			r := w.rest(p)
			w.wantExactly(want...)
			r.wantSound(t)
			r.wantDone(t)
		})
	}
}

// ready waits until the office has read back what it missed as well: a command that
// comes before is not carried out.
func (w *workplace) ready(p *process) {
	w.t.Helper()
	w.status(p, "slack: connected")
}

// status waits until /status says something in the console.
func (w *workplace) status(p *process, text string) {
	w.t.Helper()
	if !awaited(w.t, patience, func() bool { p.feed("/status"); return p.err.find(text) != "" }) {
		w.t.Fatalf("the status never says %q\n%s", text, w.story())
	}
}

// idle asks for the status and says whether nobody works.
func idle(p *process) bool {
	p.t.Helper()
	const last = "- shell: "
	n := p.err.count(last) + 1
	p.feed("/status")
	p.await(p.err, last, n)
	lines := p.err.all()
	for _, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "Office ") {
			return true
		}
		if strings.Contains(line, ": running") {
			return false
		}
	}
	return true
}

// whispered says whether one person alone is shown a text in a channel.
func (w *workplace) whispered(channel, user, text string) bool {
	for _, e := range w.slack.Transcript(channel) {
		if e.EphemeralTo == user && strings.Contains(e.Shown(), text) {
			return true
		}
	}
	return false
}

// seenMarks counts the messages that the office has marked as seen.
func (w *workplace) seenMarks(channels ...string) int {
	n := 0
	for _, ch := range channels {
		for _, e := range w.slack.Transcript(ch) {
			if !e.Ours && len(e.Reactions) > 0 {
				n++
			}
		}
	}
	return n
}
