package slack

import (
	"context"
	"testing"

	"bullpen/office/model"
)

// While a colleague works its thread says so under its name; afterwards it does not.
func TestWhoWorksIsShownInTheThread(t *testing.T) {
	t.Parallel()
	go1 := make(chan struct{})
	w := newWorld(t, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			select {
			case <-go1:
				return text("ok"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}).connected()
	ts := w.says("kim", "dev", "@alice hi")
	w.Until("the status", func() bool { return w.srv.Status("dev", ts) == "alice works on it…" })
	w.Until("the eyes", func() bool { return len(w.srv.Thread("dev", ts)[0].Reactions["eyes"]) == 1 })
	close(go1)
	w.shows("dev", "alice: ok")
	w.Until("it is gone", func() bool { return w.srv.Status("dev", ts) == "" })
}
