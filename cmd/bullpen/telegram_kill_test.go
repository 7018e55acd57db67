package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	llmsim "bullpen/internal/sim/llm"
	telegramsim "bullpen/internal/sim/telegram"
)

// phone is an office whose owner talks to it from a phone, and whose processes are
// killed.
type phone struct {
	t        *testing.T
	telegram *telegramsim.Server
	llm      *llmsim.Server
	dir      string
}

const onThePhone = 101

func newPhone(t *testing.T) *phone {
	t.Helper()
	ph := &phone{t: t, dir: quickFolder(t)}
	var err error
	if ph.telegram, err = telegramsim.Start(telegramsim.Options{Users: []telegramsim.User{{ID: onThePhone, First: "Maria"}}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ph.telegram.Close() })
	if ph.llm, err = llmsim.Start(llmsim.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ph.llm.Close() })
	ph.llm.OnFunc(llmsim.Always(), diligent)
	yaml := fmt.Sprintf(`
office: {name: Acme, owner: maria, front_desk: alice}
people:
  maria: {telegram: "%d", admin: true}
providers:
  sim: {kind: openai, base_url: "%s"}
agents:
  alice: {role: leader, model: "sim:alice"}
  bob: {role: member, model: "sim:bob"}
adapters:
  telegram: {token: "${TELEGRAM_TOKEN}", api_url: "%s"}
`, onThePhone, ph.llm.URL(), ph.telegram.APIURL())
	if err := os.MkdirAll(ph.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"office.yaml": yaml, ".env": "TELEGRAM_TOKEN=" + ph.telegram.Token() + "\n"} {
		if err := os.WriteFile(filepath.Join(ph.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return ph
}

// answers counts what is shown of an answer: as it is, and marked as possibly the
// second copy.
func (ph *phone) answers(n int) (plain, marked int) {
	for _, e := range ph.telegram.Transcript(onThePhone) {
		switch {
		case !e.Ours || !strings.Contains(e.Text, fmt.Sprintf("answer to Q%d.", n)):
		case strings.Contains(e.Text, "(possibly again)"):
			marked++
		default:
			plain++
		}
	}
	return plain, marked
}

func (ph *phone) answered() bool {
	for _, n := range []int{1, 2} {
		if plain, marked := ph.answers(n); plain+marked == 0 {
			return false
		}
	}
	return true
}

// TestATalkOnThePhoneKilledAtEveryPoint kills the process before and after each send,
// each confirmation and a share of the commits of a talk on Telegram, and starts it
// again: every question is answered, at most one answer stands there twice, and then
// it says so (B47, B48).
func TestATalkOnThePhoneKilledAtEveryPoint(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(t.TempDir(), "trace")
	newPhone(t).tell(t, "BULLPEN_FAULT_TRACE="+trace)
	all := points(t, trace)
	for _, want := range []string{"telegram.confirm.before", "telegram.confirm.after", "send.before", "send.after"} {
		if !slices.Contains(all, want) {
			t.Fatalf("the talk passes no %s: %v", want, all)
		}
	}
	var ks []int
	for k, name := range all {
		if !strings.HasPrefix(name, "commit.") || k%3 == 0 {
			ks = append(ks, k+1)
		}
	}
	atOnce(t, ks, func(k int) string { return fmt.Sprintf("%03d", k) }, func(t *testing.T, k int) {
		newPhone(t).tell(t, killAt(k))
	})
}

// tell has two questions asked and answered, by a process that may die once.
func (ph *phone) tell(t *testing.T, set ...string) {
	t.Helper()
	ph.t = t
	p := start(t, open(ph.dir, "--exit-when-idle").with(append(slices.Clone(inShort), set...)...))
	for _, n := range []int{1, 2} {
		ph.telegram.User(onThePhone).DM(fmt.Sprintf("Q%d", n))
	}
	done := func() bool {
		select {
		case <-p.exited:
			return true
		default:
			return ph.answered() && ph.telegram.Pending() == 0
		}
	}
	if !awaited(t, patience, done) {
		t.Fatalf("it never came to an answer\n%s\n%s", ph.telegram.Summary(), p.transcript())
	}
	p.end() // one that died takes no notice
	p.wait()
	died := p.wasKilled(syscall.SIGKILL)
	if died {
		p = start(t, open(ph.dir, "--exit-when-idle").with(inShort...))
		if !awaited(t, patience, func() bool { return ph.answered() && ph.telegram.Pending() == 0 }) {
			t.Fatalf("it never came to an answer after the kill\n%s\n%s", ph.telegram.Summary(), p.transcript())
		}
		p.end()
		p.wait()
	}
	twice := 0
	for _, n := range []int{1, 2} {
		plain, marked := ph.answers(n)
		if plain > 1 || marked > 1 || !died && marked > 0 {
			t.Errorf("Q%d: %d answers, %d marked\n%s", n, plain, marked, ph.telegram.Summary())
		}
		twice += marked
	}
	if twice > 1 {
		t.Errorf("%d answers are marked as possibly the second copy\n%s", twice, ph.telegram.Summary())
	}
}

// TestKilledWhileAnAnswerIsShown kills the process before and after it showed the
// beginning of an answer, in the middle of the model's: the answer comes once, whole.
func TestKilledWhileAnAnswerIsShown(t *testing.T) {
	t.Parallel()
	said := "The answer to Q1. " + strings.Repeat("It goes on for quite a while. ", 40)
	atOnce(t, []string{"draft.before", "draft.after"}, func(point string) string { return point }, func(t *testing.T, point string) {
		ph := newPhone(t)
		never := make(chan struct{})
		ph.llm.Queue(llmsim.Text(said).PauseAfter(10, never), llmsim.Text(said))
		p := start(t, open(ph.dir, "--exit-when-idle").with(append(slices.Clone(inShort), killAt(point))...))
		ph.telegram.User(onThePhone).DM("Q1")
		p.wait()
		if !p.wasKilled(syscall.SIGKILL) {
			t.Fatalf("it was not killed\n%s", p.transcript())
		}
		if n := len(ph.telegram.Calls("sendMessageDraft")); point == "draft.after" && n != 1 || n > 1 {
			t.Errorf("%d drafts", n)
		}
		p = start(t, open(ph.dir, "--exit-when-idle").with(inShort...))
		answers := func() (n int) {
			for _, e := range ph.telegram.Transcript(onThePhone) {
				if e.Ours && e.Text == "alice\n"+strings.TrimSpace(said) {
					n++
				}
			}
			return n
		}
		if !awaited(t, patience, func() bool { return answers() > 0 }) {
			t.Fatalf("it never came to an answer\n%s\n%s", ph.telegram.Summary(), p.transcript())
		}
		p.end()
		p.wait()
		if n := answers(); n != 1 {
			t.Errorf("%d answers\n%s", n, ph.telegram.Summary())
		}
	})
}
