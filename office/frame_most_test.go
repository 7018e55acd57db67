package office

import (
	"strings"
	"testing"
)

// A hand-over fills a quarter of the model's window at most; what is over has a
// turn of its own, and nothing overtakes it.
func TestAHandOverFillsAQuarterOfTheWindow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		window int
		want   []string // the first turn
	}{
		{4 * 1000, []string{"dev-1", "dev-2"}}, // 2,000 bytes
		{4 * 100, []string{"dev-1"}},           // one at least
		{4 * 100_000, []string{"dev-1", "dev-2", "dev-3"}},
		{0, []string{"dev-1", "dev-2", "dev-3"}}, // unknown: limits.frame
	} {
		k := newDesk(t, func(s *Setup) { s.Windows = map[string]int{"demo": tc.window} })
		k.must(pause{On: true, By: DefaultOwner})
		for range 3 {
			k.say("dev", "@alice "+strings.Repeat("x", 900))
		}
		k.must(pause{On: false, By: DefaultOwner})
		wantLines(t, "the first turn", k.shown(k.running("alice").ID), tc.want...)
		for k.running("alice") != nil {
			k.finish("alice", "NO_REPLY")
		}
		shown := 0
		for _, e := range k.rec.entries {
			shown += len(e.Items)
		}
		if shown != 3 {
			t.Errorf("%d of 3 were shown", shown)
		}
	}
}
