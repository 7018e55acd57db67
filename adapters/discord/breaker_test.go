package discord

import (
	"net/http"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/discord"
)

// Long before Discord shuts an address out for refused calls none are made, people
// are told, and afterwards what is owed is shown once.
func TestRefusedCallsEndBeforeDiscordShutsUsOut(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		b := &w.a.limits.breaker
		b.mu.Lock()
		b.counts = map[int64]int{ // what was refused a moment ago, and too long ago to count
			time.Now().Unix() / 60: invalidMost - 3, time.Now().Add(-invalidWindow).Unix() / 60: invalidMost,
		}
		b.mu.Unlock()
		for range 3 {
			w.srv.FailNext(sim.RouteTyping, sim.Refused(missingAccess))
			if err := w.a.once(w.Context(), http.MethodPost, "channels/"+dev+"/typing", nil, nil); err == nil || err.limited {
				t.Fatalf("it was not refused: %v", err)
			}
		}
		if !strings.Contains(w.State(), "refused 5000 calls") {
			t.Errorf("it is not told: %s", w.State())
		}
		before, begin := len(w.srv.Calls()), time.Now()
		w.says("kim", dev, "@alice hi")
		w.Until("it is answered", func() bool { return len(w.entries(dev)) == 1 })
		if d := time.Since(begin); d < invalidWindow {
			t.Errorf("a call was made after %s", d)
		}
		for _, c := range w.srv.Calls()[before:] {
			if c.Time.Sub(begin) < invalidWindow {
				t.Errorf("%s was called after %s", c.Route, c.Time.Sub(begin))
			}
		}
		w.Idle()
		w.shows(dev, "alice: ok")
		if strings.Contains(w.State(), "refused") {
			t.Errorf("it is still told: %s", w.State())
		}
	})
}

func TestWhichAnswersAreInvalid(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status int
		scope  string
		want   bool
	}{
		{200, "", false},
		{401, "", true},
		{403, "", true},
		{404, "", false},
		{429, "user", true},
		{429, "global", true},
		{429, "shared", false},
		{503, "", false},
	} {
		at := &attempt{headers: http.Header{"X-Ratelimit-Scope": {tc.scope}}}
		at.status.Store(int64(tc.status))
		if got := invalidAnswer(at); got != tc.want {
			t.Errorf("%d %s: %v", tc.status, tc.scope, got)
		}
	}
}
