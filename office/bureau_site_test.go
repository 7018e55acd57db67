package office_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// bureau is an office with a declaration that can be changed.
type bureau struct {
	testing.TB
	dir   string
	file  *memory
	store *faulty
	o     *office.Office
	mu    sync.Mutex
	turns []office.TurnStart
}

func newBureau(t testing.TB) *bureau {
	t.Helper()
	b := &bureau{TB: t, dir: filepath.Join(t.TempDir(), "record"), file: &memory{setup: office.Setup{
		ID: "test", Name: "Test", FrontDesk: "lead",
		Colleagues: []office.ColleagueSetup{
			{Name: "lead", Role: office.Leader, Model: "none"},
			{Name: "alice", Role: office.Member, Model: "none", ReportsTo: "lead"},
			{Name: "bob", Role: office.Member, Model: "none"},
		},
		Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
	}}}
	b.open()
	return b
}

func (b *bureau) open() {
	b.Helper()
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: b.dir})
	if err != nil {
		b.Fatal(err)
	}
	b.store = &faulty{Store: store}
	setup, err := b.file.Read(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.o, err = office.Open(context.Background(), office.Options{
		Store: b.store, Setup: setup, Declaration: b.file, Program: "bullpen up",
		Runner: runnerFunc(func(ctx context.Context, o *office.Office, start office.TurnStart) {
			b.mu.Lock()
			b.turns = append(b.turns, start)
			b.mu.Unlock()
			silent(ctx, o, start)
		}),
	})
	if err != nil {
		b.Fatal(err)
	}
	o := b.o
	b.Cleanup(func() { b.close(o, store) })
}

func (b *bureau) close(o *office.Office, store office.Store) {
	if err := errors.Join(o.Close(context.Background()), store.Close()); err != nil {
		b.Error(err)
	}
}

// die ends the process's part in the office without another commit.
func (b *bureau) die() {
	b.Helper()
	b.store.onCommit(func(office.Batch, func() error) error { return office.ErrFenced })
	_, _ = b.o.Post(context.Background(), office.Post{Person: office.DefaultOwner, Channel: office.General, Text: "the last word"})
	<-b.o.Done()
	_ = b.o.Close(context.Background())
	if err := b.store.Store.Close(); err != nil {
		b.Fatal(err)
	}
}

func (b *bureau) view() office.View {
	b.Helper()
	v, err := b.o.View(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	return v
}

func (b *bureau) colleague(name string) office.ColleagueView {
	b.Helper()
	v := b.view()
	i := slices.IndexFunc(v.Colleagues, func(c office.ColleagueView) bool { return c.Name == name })
	if i < 0 {
		b.Fatalf("nobody is called %s", name)
	}
	return v.Colleagues[i]
}

// onboarded counts the onboarding turns that began.
func (b *bureau) onboarded() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, t := range b.turns {
		if t.Turn.Onboarding && t.Turn.Attempt == 1 {
			n++
		}
	}
	return n
}

func (b *bureau) rest() {
	b.Helper()
	var last int64
	for {
		a, err := b.o.Activity(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if a.Idle() {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, _ = b.o.Next(ctx, max(last, a.Last))
		cancel()
	}
}

func (b *bureau) hire(name string, ephemeral bool) office.Hired {
	b.Helper()
	h, err := b.o.Hire(context.Background(), office.Hire{Setup: office.ColleagueSetup{Name: name}, Ephemeral: ephemeral, By: office.DefaultOwner, From: "console"})
	if err != nil {
		b.Fatal(err)
	}
	return h
}
