package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

// TestABurstKilledFromOutside kills the office at moments that nobody chose while
// thirty messages come in over five channels: each is answered once, and within a
// channel in the order in which they were asked.
func TestABurstKilledFromOutside(t *testing.T) {
	t.Parallel()
	atOnce(t, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, func(n uint64) string { return fmt.Sprintf("seed %d", n) }, burst)
}

func burst(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 2))
	channels := []string{"general", "dev", "ops", "web", "app"}
	var retries []time.Duration
	if seed%2 == 1 {
		retries = []time.Duration{} // Slack gives up at once: only its history tells
	}
	w := newWorkplace(t, plan{channels: channels[2:], retries: retries})
	w.killed = true
	p := w.open()
	w.connected(p)
	s := &talk{w: w}
	for n := 1; n <= 30; n++ {
		s.asks(channels[random.IntN(len(channels))], "", n)
		if n%10 == 5 {
			after := time.After(time.Duration(random.IntN(400)) * time.Millisecond)
			select {
			case <-after:
			case <-p.exited:
			}
			p.kill()
			p = w.open()
			if random.IntN(2) == 0 {
				w.connected(p)
			}
		}
	}
	w.must(p, "everything is answered", func() bool { return w.sees(s.want...) })
	r := w.rest(p)
	w.wantExactly(s.want...)
	r.wantSound(t)
	r.wantNoNotice(t)
	w.wantTakenInOrder(r, channels)
	w.wantAnsweredInOrder(channels)
	if t.Failed() {
		t.Log(w.story())
	}
}

// wantTakenInOrder: the office holds what was asked in a channel once, in order.
func (w *workplace) wantTakenInOrder(r *record, channels []string) {
	w.t.Helper()
	for _, ch := range channels {
		var asked, taken []string
		for _, e := range w.slack.Transcript(ch) {
			if !e.Ours {
				asked = append(asked, e.Text)
			}
		}
		for _, m := range r.messages {
			if string(m.Channel) == ch && m.Author.Kind == office.ByPerson {
				taken = append(taken, m.Text)
			}
		}
		if !slices.Equal(asked, taken) {
			w.t.Errorf("%s was asked\n%q\nand took in\n%q", ch, asked, taken)
		}
	}
}

// wantAnsweredInOrder: the answers in a channel come in the order of their
// questions, as far as they are alice's, who does one thing after the other.
func (w *workplace) wantAnsweredInOrder(channels []string) {
	w.t.Helper()
	for _, ch := range channels {
		last := 0
		for _, e := range w.slack.Transcript(ch) {
			var n int
			if !e.Ours {
				continue
			}
			if _, err := fmt.Sscanf(e.Shown(), "answer to Q%d.", &n); err != nil {
				continue
			}
			if n < last {
				w.t.Errorf("in %s Q%d is answered after Q%d", ch, n, last)
			}
			last = n
		}
	}
}

// TestTheNetworkIsCutWhilePeopleTalk: what is said meanwhile, in two threads and
// beside them, is read back, taken in once and in order, and answered.
func TestTheNetworkIsCutWhilePeopleTalk(t *testing.T) {
	t.Parallel()
	for name, retries := range map[string][]time.Duration{
		"Slack delivers again": {300 * time.Millisecond, time.Second, time.Second, time.Second}, "Slack gives up": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkplace(t, plan{retries: retries})
			w.killed = true
			p := w.open()
			w.connected(p)
			s := &talk{w: w}
			one, two := s.asks("general", "", 1), s.asks("dev", "", 2)
			w.must(p, "both are answered", func() bool { return w.sees(s.want...) })
			w.must(p, "Slack has delivered all", func() bool { return w.slack.Unsettled() == 0 })
			w.slack.GoOffline()
			for n := 3; n <= 10; n += 2 {
				w.replies("kim", "general", one, fmt.Sprintf("@alice Q%d", n))
				s.expect("general", one, "", n)
				w.replies("lee", "dev", two, fmt.Sprintf("@alice Q%d", n+1))
				s.expect("dev", two, "", n+1)
			}
			s.asks("dev", "", 11)
			w.slack.GoOnline()
			w.must(p, "everything is answered", func() bool { return w.sees(s.want...) })
			r := w.rest(p)
			w.wantExactly(s.want...)
			r.wantSound(t)
			r.wantNoNotice(t)
			w.wantTakenInOrder(r, []string{"general", "dev"})
			if t.Failed() {
				t.Log(w.story())
			}
		})
	}
}

// TestSlackIsAwayWhenTheOfficeOpens: the office works in its console, and in Slack
// as soon as that is there.
func TestSlackIsAwayWhenTheOfficeOpens(t *testing.T) {
	t.Parallel()
	w := newWorkplace(t, plan{offline: true})
	w.killed = true
	p := w.open()
	p.feed("@alice Q1")
	p.see("alice: answer to Q1.")
	p.feed("/status")
	p.hear("slack: connecting")
	w.slack.GoOnline()
	w.connected(p)
	s := &talk{w: w}
	s.asks("dev", "", 2)
	w.must(p, "it is answered", func() bool { return w.sees(s.want...) })
	w.rest(p)
}

// TestTheTokenIsRevokedWhileTheOfficeRuns: the office goes on in the console and
// says there, and in /status, what has to be done; nothing is lost.
func TestTheTokenIsRevokedWhileTheOfficeRuns(t *testing.T) {
	t.Parallel()
	w := newWorkplace(t, plan{})
	w.killed = true
	p := w.open()
	w.connected(p)
	s := &talk{w: w}
	s.asks("dev", "", 1)
	w.must(p, "it is answered", func() bool { return w.sees(s.want...) })
	w.slack.RevokeToken(w.slack.BotToken(), "token_revoked")
	s.asks("dev", "", 2)
	p.hear("notice: slack: ")
	p.feed("/status")
	line := p.hear("slack: stopped")
	if !strings.Contains(line, "adapters.slack.bot_token (token_revoked)") || !strings.Contains(line, "install the app again") {
		t.Errorf("the status says %q", line)
	}
	p.feed("@bob Q3")
	p.see("bob: answer to Q3.")
	p.end()
	p.wantExit(0)
	w.slack.RevokeToken(w.slack.BotToken(), "")
	p = w.open()
	w.must(p, "it is answered", func() bool { return w.sees(s.want...) })
	w.must(p, "what was said in the console is shown", func() bool {
		return w.sees(shown{"general", "", "bob", answerTo(3)})
	})
	r := w.rest(p)
	r.wantSound(t)
	w.wantExactly(append(s.want, shown{"general", "", "maria", "Q3"}, shown{"general", "", "bob", answerTo(3)})...)
}
