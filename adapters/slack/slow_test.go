package slack

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	sim "bullpen/internal/sim/slack"
	"bullpen/office"
)

// slow is a store that needs four seconds for everything, while it is asked to.
type slow struct {
	office.Store
	on *atomic.Bool
}

func (s slow) wait(ctx context.Context) error {
	if !s.on.Load() {
		return nil
	}
	return bridge.Pause(ctx, 4*time.Second)
}

func (s slow) Seen(ctx context.Context, event string) (office.Anchor, bool, error) {
	if err := s.wait(ctx); err != nil {
		return office.Anchor{}, false, err
	}
	return s.Store.Seen(ctx, event)
}

func (s slow) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	return s.Store.Commit(ctx, l, b)
}

// However slow the store is, every command is acknowledged in time and answered,
// once: also one that there is not, one that is not allowed, and one that Slack
// delivers twice (B36).
func TestEveryCommandOfASlowOfficeIsAcknowledgedInTime(t *testing.T) {
	var on atomic.Bool
	bubble(t, func(w *world) {
		w.connected()
		on.Store(true)
		given := map[string][]string{"maria": {"frobnicate", "channel"}, "kim": {"pause", "hire"}}
		for _, c := range command.NewSet().On("slack") {
			given["maria"] = append(given["maria"], c.Path())
		}
		told := map[string]int{}
		for who, lines := range given {
			id := "U0" + strings.ToUpper(who)
			for _, line := range lines {
				w.srv.DuplicateNext(1)
				slash(w, who, line)
				told[id]++
				w.Until(who+" is told of "+line, func() bool { return len(w.whispers("dev", id)) >= told[id] })
			}
		}
		on.Store(false)
		w.Idle()
		for id, n := range told {
			if got := len(w.whispers("dev", id)); got != n {
				w.Errorf("%s is told %d things, want %d: %q", id, got, n, w.whispers("dev", id))
			}
		}
		for _, d := range w.srv.Deliveries() {
			if d.State != sim.Acked || d.AckedIn > 3*time.Second {
				w.Errorf("%+v", d)
			}
		}
		// A trigger does not live so long: what a form would ask is offered as text.
		if said := strings.Join(w.whispers("dev", "U0MARIA"), "\n"); !strings.Contains(said, "/office interrupt needs a colleague") || !strings.Contains(said, "no command /office frobnicate") {
			w.Errorf("maria is told %q", said)
		}
	}, func(w *world) {
		w.Store = func(s office.Store) office.Store { return slow{s, &on} }
	})
}
