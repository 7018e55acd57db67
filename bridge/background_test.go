package bridge

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// What is done in the background is done in order, one panic ends itself alone,
// and what has to be looked after is looked after until nothing is left.
func TestBackgroundGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		b := NewBackground(slog.New(slog.DiscardHandler), func(context.Context) int { looks++; return 3 - looks })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); b.Serve(ctx, t.Context()) }()
		var did []int
		b.Do(func(context.Context) { did = append(did, 1) })
		b.Do(func(context.Context) { panic("no") })
		b.Do(func(ctx context.Context) { <-ctx.Done(); did = append(did, 2) })
		for range 2 * backgroundRoom { // what finds no room is dropped, and nobody waits
			b.Do(func(context.Context) {})
		}
		b.Knock()
		time.Sleep(time.Minute) // of the bubble
		cancel()
		<-done
		if len(did) != 2 || did[0] != 1 || did[1] != 2 || looks != 3 {
			t.Errorf("did %v, looked %d times", did, looks)
		}
	})
}
