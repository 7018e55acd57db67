//go:build linux

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// manyWriters shows what of the store's own speed is left to those who write through
// an office, alone and many at a time, where they share the wait for the disk.
func manyWriters(ctx context.Context, b *bench) error {
	const many = 64
	var one, all, rawOne, rawAll, shareOne, shareAll, disk []float64
	var tally rows
	while := time.Second // short: what others do to the disk meanwhile shall hit both alike
	if b.quick {
		while = 500 * time.Millisecond
	}
	for range b.times(7) {
		growing, _, err := fdatasync(b.dir, 200)
		if err != nil {
			return err
		}
		disk = append(disk, float64(time.Second)/float64(growing))
		for _, x := range []struct {
			n                int
			ours, raw, share *[]float64
		}{{1, &one, &rawOne, &shareOne}, {many, &all, &rawAll, &shareAll}} {
			rate, wrote, err := officePosts(ctx, b, x.n, while)
			if err != nil {
				return err
			}
			tally = wrote
			beside, err := rawPosts(ctx, b, x.n, while)
			if err != nil {
				return err
			}
			*x.ours, *x.raw, *x.share = append(*x.ours, rate), append(*x.raw, beside), append(*x.share, rate/beside)
		}
	}
	b.add(row{
		name: "e  posts a second, 1 writer", value: spread("%.0f", one), target: "0.8 of raw", met: judged(median(shareOne) >= 0.8),
		beside: fmt.Sprintf("SQLite alone, the same rows: %.0f/s; %s of it; fdatasync %.0f/s", median(rawOne), spread("%.2f", shareOne), median(disk)),
	})
	b.add(row{
		name: "e  posts a second, 64 writers", value: spread("%.0f", all), target: "0.6 of raw", met: judged(median(shareAll) >= 0.6),
		beside: fmt.Sprintf("SQLite alone, the same rows, %d posts a transaction: %.0f/s; %s of it; the office: %s; raw: %.1f rows a post",
			many, median(rawAll), spread("%.2f", shareAll), tally, rawRows(many)),
	})
	return nil
}

// busyRunner keeps every colleague at work, so that posts wait for it.
type busyRunner struct{}

// Run thinks until the office closes.
func (busyRunner) Run(ctx context.Context, _ *office.Office, _ office.TurnStart) { <-ctx.Done() }

// officePosts is how many posts that call three colleagues an office takes in
// during while, from n writers.
func officePosts(ctx context.Context, b *bench, n int, while time.Duration) (rate float64, wrote rows, err error) {
	dir, err := b.folder()
	if err != nil {
		return 0, rows{}, err
	}
	store, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return 0, rows{}, err
	}
	defer func() { _ = store.Close() }()
	setup := office.Setup{ID: "bench", Name: "Bench", People: []office.Person{{ID: "maria", Name: "Maria", Owner: true}}}
	for _, name := range []string{"ada", "bob", "eve"} {
		setup.Colleagues = append(setup.Colleagues, office.ColleagueSetup{Name: name, Role: office.Member, Model: "none"})
	}
	counted := &counting{Store: store}
	o, err := office.Open(ctx, office.Options{Store: counted, Setup: setup, Runner: busyRunner{}, Program: "bench"})
	if err != nil {
		return 0, rows{}, err
	}
	defer func() {
		now, cancel := context.WithCancel(ctx)
		cancel() // nobody is waited for
		_ = o.Close(now)
	}()
	post := func(i int64) error {
		_, err := o.Post(ctx, office.Post{Event: fmt.Sprintf("bench-%d", i), Person: "maria", Channel: "general", Text: rawText})
		return err
	}
	rate, err = rateOf(n, while, post)
	return rate, counted.rows(), err
}

// rateOf is how often n callers can do something in a second, all together.
func rateOf(n int, while time.Duration, do func(int64) error) (float64, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	began := time.Now()
	for range n {
		all.Go(func() {
			for time.Since(began) < while && failed.Load() == nil {
				if err := do(done.Add(1)); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}
