//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"

	_ "modernc.org/sqlite" // the driver of the yardstick
)

// manyWriters shows that those who write at the same time share the wait for the
// disk, beside the disk alone and SQLite alone.
func manyWriters(ctx context.Context, b *bench) error {
	const many = 64
	var one, all, rawOne, rawAll, disk []float64
	while := 2 * time.Second
	if b.quick {
		while = 500 * time.Millisecond
	}
	for range b.times(3) {
		growing, _, err := fdatasync(b.dir, 200)
		if err != nil {
			return err
		}
		disk = append(disk, float64(time.Second)/float64(growing))
		for _, x := range []struct {
			n    int
			run  func(context.Context, *bench, int, time.Duration) (float64, error)
			into *[]float64
		}{{1, officePosts, &one}, {1, rawPosts, &rawOne}, {many, officePosts, &all}, {many, rawPosts, &rawAll}} {
			rate, err := x.run(ctx, b, x.n, while)
			if err != nil {
				return err
			}
			*x.into = append(*x.into, rate)
		}
	}
	b.add(row{
		name: "e  posts a second, 1 writer", value: spread("%.0f", one),
		beside: fmt.Sprintf("fdatasync %.0f/s; SQLite alone, a message and three rows %.0f/s", median(disk), median(rawOne)),
	})
	b.add(row{
		name: "e  posts a second, 64 writers", value: spread("%.0f", all), target: "share fsyncs", met: judged(median(all) > 2*median(one)),
		beside: fmt.Sprintf("%.1f times one writer, %.1f posts an fdatasync; SQLite alone in groups %.0f/s", median(all)/median(one), median(all)/median(disk), median(rawAll)),
	})
	return nil
}

// busyRunner keeps every colleague at work, so that posts wait for it.
type busyRunner struct{}

// Run thinks until the office closes.
func (busyRunner) Run(ctx context.Context, _ *office.Office, _ office.TurnStart) { <-ctx.Done() }

// officePosts is how many posts that call three colleagues an office takes in
// during while, from n writers.
func officePosts(ctx context.Context, b *bench, n int, while time.Duration) (rate float64, err error) {
	dir, err := b.folder()
	if err != nil {
		return 0, err
	}
	store, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return 0, err
	}
	defer func() { _ = store.Close() }()
	setup := office.Setup{ID: "bench", Name: "Bench", People: []office.Person{{ID: "maria", Name: "Maria", Owner: true}}}
	for _, name := range []string{"ada", "bob", "eve"} {
		setup.Colleagues = append(setup.Colleagues, office.ColleagueSetup{Name: name, Role: office.Member, Model: "none"})
	}
	o, err := office.Open(ctx, office.Options{Store: store, Setup: setup, Runner: busyRunner{}, Program: "bench"})
	if err != nil {
		return 0, err
	}
	defer func() {
		now, cancel := context.WithCancel(ctx)
		cancel() // nobody is waited for
		_ = o.Close(now)
	}()
	return rateOf(n, while, func(i int64) error {
		_, err := o.Post(ctx, office.Post{
			Event: fmt.Sprintf("bench-%d", i), Person: "maria", Channel: "general",
			Text: "@ada @bob @eve please look at the build of this morning, it is red again",
		})
		return err
	})
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

// rawPosts is the same of SQLite with nothing around it: one goroutine writes, for
// all who wait at that moment, a message and three rows each in one transaction.
func rawPosts(ctx context.Context, b *bench, n int, while time.Duration) (float64, error) {
	dir, err := b.folder()
	if err != nil {
		return 0, err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "raw.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT); CREATE TABLE inbox (id INTEGER PRIMARY KEY, reader INTEGER, message INTEGER)"); err != nil {
		return 0, err
	}
	asked := make(chan chan error)
	go func() {
		for first := range asked {
			group := []chan error{first}
			for more := true; more; {
				select {
				case next, ok := <-asked:
					if more = ok; ok {
						group = append(group, next)
					}
				default:
					more = false
				}
			}
			err := rawGroup(ctx, db, len(group))
			for _, who := range group {
				who <- err
			}
		}
	}()
	defer close(asked)
	return rateOf(n, while, func(int64) error {
		reply := make(chan error, 1)
		asked <- reply
		return <-reply
	})
}

// rawGroup writes n messages in one transaction.
func rawGroup(ctx context.Context, db *sql.DB, n int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of no effect after Commit
	message, err := tx.PrepareContext(ctx, "INSERT INTO message (body) VALUES (?)")
	if err != nil {
		return err
	}
	inbox, err := tx.PrepareContext(ctx, "INSERT INTO inbox (reader, message) VALUES (?, ?)")
	if err != nil {
		return err
	}
	for range n {
		res, err := message.ExecContext(ctx, "please look at the build of this morning, it is red again")
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		for reader := range 3 {
			if _, err := inbox.ExecContext(ctx, reader, id); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}
