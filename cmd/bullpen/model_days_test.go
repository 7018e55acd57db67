package main

import (
	"testing"

	llmsim "bullpen/internal/sim/llm"
)

// badDay is what a provider does instead of answering, and what a person in
// Slack gets for it.
type badDay struct {
	name    string
	replies []llmsim.Reply // to the first requests; then all is well
	says    string         // the office's one sentence; empty: alice answers after all
	asked   int            // requests for both questions together
}

func badDays() []badDay {
	post := func(args string) llmsim.Call { return llmsim.Call{Name: "office_post", Args: args} }
	whole := post(`{"text":"half a thought","wake":[]}`)
	const lost = "alice could not finish general-1: "
	down := llmsim.Fail(503, "server_error", "", "The server is overloaded.")
	return []badDay{
		{"429 with a time", []llmsim.Reply{llmsim.RateLimited(1)}, "", 3},
		{"500 once", []llmsim.Reply{llmsim.Fail(500, "server_error", "", "oops")}, "", 3},
		{"503 for good", []llmsim.Reply{down, down, down, down}, lost + "alice is overloaded or down (503)", 5},
		{"a web page", []llmsim.Reply{llmsim.Raw("text/html", "<html>sign in</html>")}, lost + "127.0.0.1", 2},
		{"a wrong key", []llmsim.Reply{llmsim.Fail(401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided.")}, lost + "the key for alice was refused", 2},
		{"empty once", []llmsim.Reply{llmsim.Nothing("stop")}, "", 3},
		{"empty twice", []llmsim.Reply{llmsim.Nothing("stop"), llmsim.NoChoices()}, lost + "alice sent an empty answer", 3},
		{"half a stream", []llmsim.Reply{llmsim.Text("this is only half of it, and nobody may see it").CutAfter(400)}, "", 3},
		{"half a call", []llmsim.Reply{llmsim.Calls(whole).CutInArgs()}, "", 3},
		{"broken JSON", []llmsim.Reply{llmsim.Calls(post(`{"text": "half a thou`))}, "", 3},
		{"a call cut by length", []llmsim.Reply{llmsim.Calls(post(`{"text": "half a thou`)).Finish("length")}, "", 3},
		{"an unknown tool", []llmsim.Reply{llmsim.Calls(llmsim.Call{Name: "launch_rocket", Args: `{}`})}, "", 3},
		{"a refusal", []llmsim.Reply{llmsim.Declined("I cannot help with that.")}, lost + "alice declined to answer", 2},
		{"a filter", []llmsim.Reply{llmsim.Filtered("")}, lost + "alice declined to answer", 2},
	}
}

// TestAModelsBadDays: whatever a provider does, who asked gets one answer or one
// sentence, and what waits behind is answered.
func TestAModelsBadDays(t *testing.T) {
	t.Parallel()
	atOnce(t, badDays(), func(d badDay) string { return d.name }, func(t *testing.T, d badDay) {
		w := newWorkplace(t, plan{})
		w.llm.Queue(d.replies...)
		p := w.open()
		w.connected(p)
		s := &talk{w: w}
		root := s.asks("general", "", 1)
		w.must(p, "alice is asked", func() bool { return w.llm.Total() > 0 || len(w.posts()) > 0 })
		s.asks("dev", "", 2)
		if d.says != "" {
			s.want[0] = shown{"general", root, "office", d.says}
		}
		w.must(p, "both have something", func() bool { return w.sees(s.want...) })
		r := w.rest(p)
		w.wantExactly(s.want...)
		r.wantSound(t)
		if n := w.llm.Total(); n != d.asked {
			t.Errorf("the model was asked %d times, want %d", n, d.asked)
		}
		for _, q := range w.llm.Requests() {
			if q.Refused != "" {
				t.Errorf("the provider refused a request: %s", q.Refused)
			}
		}
		if t.Failed() {
			t.Log(w.story())
		}
	})
}

// TestAnAccountWithoutQuota: the first who asks is told; what comes while the
// account has none waits, the status says so, and an interrupt ends the wait.
func TestAnAccountWithoutQuota(t *testing.T) {
	t.Parallel()
	w := newWorkplace(t, plan{})
	w.llm.Queue(llmsim.Fail(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."))
	p := w.open()
	w.ready(p)
	one := w.says("kim", "general", "@alice Q1")
	told := shown{"general", one, "office", "alice could not finish general-1: the account behind alice has no quota left"}
	w.must(p, "kim is told", func() bool { return w.sees(told) })
	w.llm.Queue(llmsim.Fail(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota.").Header("Retry-After", "3600"))
	two := w.says("kim", "dev", "@alice Q2")
	w.status(p, "alice (leader): quota-retry")
	p.feed("@bob Q3")
	p.see("bob: answer to Q3.")
	w.says("maria", "dev", "<@U0BOT> interrupt alice")
	cut := shown{"dev", two, "office", "alice could not finish dev-1: it was interrupted by maria"}
	w.must(p, "the wait is over", func() bool { return w.sees(cut) })
	r := w.rest(p)
	r.wantSound(t)
	w.wantExactly(told, cut, shown{"general", "", "maria", "Q3"}, shown{"general", "", "bob", answerTo(3)})
}
