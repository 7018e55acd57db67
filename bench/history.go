//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// startedRunner says when a turn starts, and answers nothing.
type startedRunner struct{ at chan time.Time }

// Run ends the turn at once.
func (r startedRunner) Run(ctx context.Context, o *office.Office, s office.TurnStart) {
	r.at <- time.Now()
	_, _ = o.RecordReply(ctx, office.Reply{Ref: s.Turn.Ref()}) // one that is refused ends with the office
}

// aged is an office with a past.
type aged struct {
	o       *office.Office
	started chan time.Time
	posts   atomic.Int64
	close   func()
}

// newAged opens an office on a record of its own.
func newAged(ctx context.Context, b *bench) (*aged, error) {
	dir, err := b.folder()
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	setup := office.Setup{ID: "bench", Name: "Bench", People: []office.Person{{ID: "maria", Name: "Maria", Owner: true}}}
	for i := range 100 {
		setup.Colleagues = append(setup.Colleagues, office.ColleagueSetup{Name: fmt.Sprintf("a%02d", i), Role: office.Member, Model: "none"})
	}
	a := &aged{started: make(chan time.Time, 200)}
	a.o, err = office.Open(ctx, office.Options{Store: store, Setup: setup, Runner: startedRunner{a.started}, Program: "bench"})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	a.close = func() {
		now, cancel := context.WithCancel(ctx)
		cancel()
		_ = a.o.Close(now)
		_ = store.Close()
	}
	return a, nil
}

func (a *aged) post(ctx context.Context, text string) error {
	_, err := a.o.Post(ctx, office.Post{Event: fmt.Sprintf("aged-%d", a.posts.Add(1)), Person: "maria", Channel: "general", Text: text})
	return err
}

// grow posts until there are n messages.
func (a *aged) grow(ctx context.Context, n int64) error {
	const writers = 64
	failed := make(chan error, writers)
	for range writers {
		go func() {
			for a.posts.Load() < n {
				if err := a.post(ctx, "nobody need read this; it is what an ordinary line looks like"); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	var all error
	for range writers {
		all = errors.Join(all, <-failed)
	}
	return all
}

// times are what things took that were done again and again, in turn.
type times struct {
	posts, pages, wakes []time.Duration
	raws                []time.Duration // one raw commit of SQLite
}

// took does n times what is done in an office.
func (a *aged) took(ctx context.Context, r *raw, n int) (t times, err error) {
	for i := range n {
		began := time.Now()
		if err := r.group(ctx, 1); err != nil {
			return t, err
		}
		t.raws = append(t.raws, time.Since(began))
		began = time.Now()
		if err := a.post(ctx, "nobody need read this"); err != nil {
			return t, err
		}
		t.posts = append(t.posts, time.Since(began))
		began = time.Now()
		if _, err := a.o.Messages(ctx, office.MessageQuery{Channels: []office.ChannelID{"general"}, Limit: 20, Newest: true}); err != nil {
			return t, err
		}
		t.pages = append(t.pages, time.Since(began))
		began = time.Now()
		if err := a.post(ctx, fmt.Sprintf("@a%02d are you there", i%100)); err != nil {
			return t, err
		}
		select {
		case at := <-a.started:
			t.wakes = append(t.wakes, at.Sub(began))
		case <-ctx.Done():
			return t, ctx.Err()
		}
	}
	return t, nil
}

// history shows that what is done costs the same whatever was said before, and what a
// wake costs beside one raw commit.
func history(ctx context.Context, b *bench) (err error) {
	much := int64(100_000)
	if b.quick {
		much = 20_000
	}
	a, err := newAged(ctx, b)
	if err != nil {
		return err
	}
	defer a.close()
	if err := a.grow(ctx, 1000); err != nil {
		return err
	}
	r, err := newRaw(ctx, b)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	n := b.times(300)
	early, err := a.took(ctx, r, n)
	if err != nil {
		return err
	}
	one, mid, tail := median(early.raws), median(early.wakes), quantile(early.wakes, 0.99)
	b.add(row{
		name: "j  a post to an idle colleague starts its turn, median", value: ms(mid), target: "< 3 raw commits", met: judged(mid < 3*one),
		beside: fmt.Sprintf("one raw commit of SQLite %s, %.1f times", ms(one), float64(mid)/float64(one)),
	})
	b.add(row{
		name: "j  the same, p99", value: ms(tail), target: "< 10 ms", met: judged(tail < 10*time.Millisecond),
		beside: fmt.Sprintf("p99 of raw commits in turn with it: %s", ms(quantile(early.raws, 0.99))),
	})
	if err := a.grow(ctx, much); err != nil {
		return err
	}
	late, err := a.took(ctx, r, n)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		what        string
		early, late []time.Duration
	}{{"a post", early.posts, late.posts}, {"a page of 20", early.pages, late.pages}, {"a wake", early.wakes, late.wakes}} {
		before, after := median(x.early), median(x.late)
		b.add(row{
			name: "k  " + x.what + fmt.Sprintf(" after %d messages", much), value: ms(after), target: "as after 1,000", met: judged(after < 2*before),
			beside: fmt.Sprintf("after 1,000: %s", ms(before)),
		})
	}
	return a.audiences(ctx, b, n/3)
}

// audiences shows what a post costs that calls more people.
func (a *aged) audiences(ctx context.Context, b *bench, n int) error {
	var took [2][]time.Duration
	for range n {
		for i, text := range []string{"@a01 @a02 are you there", "$member are you there"} {
			began := time.Now()
			if err := a.post(ctx, text); err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(began))
			for range []int{2, 100}[i] {
				select {
				case <-a.started:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	}
	b.add(row{
		name: "k  a post to 100 colleagues", value: ms(median(took[1])), beside: fmt.Sprintf("to 2: %s", ms(median(took[0]))),
	})
	return nil
}
