package bridge

import (
	"context"
	"log/slog"
	"slices"
	"sync"
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

// What has to wait for a place's limit keeps its order and holds up nothing else; it
// ends with the first step that is refused.
func TestInsistingHoldsUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := NewBackground(slog.New(slog.DiscardHandler), nil)
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { b.Serve(ctx, ctx) })
		begin, said := time.Now(), []string{}
		say := func(what string, ends ...error) func(context.Context) error {
			return func(context.Context) error {
				said = append(said, what+" "+time.Since(begin).String())
				if len(ends) > 0 {
					var err error
					err, ends = ends[0], ends[1:]
					return err
				}
				return nil
			}
		}
		wait := &PostError{Kind: PostNotSent, After: 40 * time.Second}
		var dropped error
		b.Insist(func(err error) { dropped = err }, say("one"), say("two", wait, wait), say("three", &PostError{Kind: PostRefused}), say("four"))
		b.Insist(nil, say("other"))
		b.Insist(nil, say("hopeless", &PostError{Kind: PostNotSent, After: time.Hour}))
		time.Sleep(10 * time.Minute)
		cancel()
		done.Wait()
		want := []string{"one 0s", "two 0s", "other 0s", "hopeless 0s", "two 40s", "two 1m20s", "three 1m20s"}
		if !slices.Equal(said, want) || dropped == nil {
			t.Errorf("%q, want %q; dropped for %v", said, want, dropped)
		}
	})
}
