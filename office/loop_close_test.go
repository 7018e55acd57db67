package office_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

func TestARunnerThatPanicsOrLeavesEndsItsTurn(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]runnerFunc{
		"panics": func(context.Context, *office.Office, office.TurnStart) { panic("nil map") },
		"leaves": func(context.Context, *office.Office, office.TurnStart) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, run)
			s.mustPost("@alice go")
			got := next(t, s.o, 1, 1)[0]
			if got.Author.Kind != office.ByOffice || !strings.Contains(got.Text, "alice could not finish general-1") {
				t.Errorf("the person was told %q", got.Text)
			}
		})
	}
}

// A turn that nobody runs any more does not stay open because the disk was full
// at the moment when its runner left.
func TestATurnWithoutARunnerEndsOnceTheStoreWorksAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *site
		ran := make(chan struct{})
		s = newSite(t, func(context.Context, *office.Office, office.TurnStart) {
			s.store.onCommit(func(office.Batch, func() error) error { return errDisk })
			close(ran)
			panic("nil map")
		})
		s.mustPost("@alice go")
		<-ran
		<-time.After(time.Minute) // of the bubble
		s.store.onCommit(nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for a := (office.Activity{Running: 1}); !a.Idle(); {
			var err error
			if a, err = s.o.Activity(ctx); err != nil {
				t.Fatalf("alice is running for ever, and nobody runs her turn: %v", err)
			}
			<-time.After(time.Second) // of the bubble
		}
		if got := s.texts(); len(got) != 2 || !strings.Contains(got[1], "alice could not finish general-1") {
			t.Errorf("general holds %q", got)
		}
	})
}

// A verb that makes deciding panic fails its own request and nothing beside it.
func TestARuleThatPanicsFailsItsRequestAlone(t *testing.T) {
	t.Parallel()
	refused := make(chan error, 1)
	s := newSite(t, func(ctx context.Context, o *office.Office, start office.TurnStart) {
		_, err := o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Calls: []office.PreparedCall{
			{ToolCall: office.ToolCall{ID: "1", Name: "office_colleagues"}, Class: office.OfficeCall, Verb: office.ColleaguesCall{}},
			{ToolCall: office.ToolCall{ID: "2", Name: "office_post"}, Class: office.OfficeCall, Verb: (*office.PostCall)(nil)},
		}})
		refused <- err
		_, err = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "42"})
		if err != nil {
			t.Errorf("the turn cannot go on: %v", err)
		}
	})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := s.post(fmt.Sprint("note ", i)); err != nil {
				t.Errorf("post %d: %v", i, err)
			}
		})
	}
	s.mustPost("@alice what is it?")
	if err := <-refused; err == nil || !strings.Contains(err.Error(), "deciding") {
		t.Errorf("what panicked was told %v", err)
	}
	wg.Wait()
	next(t, s.o, 0, 22)
	texts := s.texts()
	if len(texts) != 22 || !slices.Contains(texts, "42") {
		t.Errorf("general holds %q", texts)
	}
	entries, err := s.o.Transcript(t.Context(), office.ContextID{Colleague: "c1"}, 0)
	if err != nil || len(entries) != 2 {
		t.Errorf("the transcript has %d entries, what failed left some: %v", len(entries), err)
	}
}

func TestASecondOwnerIsRefusedInASentence(t *testing.T) {
	t.Parallel()
	s := newSite(t, silent)
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	_, err = office.Open(t.Context(), office.Options{Store: store, Runner: runnerFunc(silent), Setup: office.Setup{ID: "test"}})
	var held *office.HeldError
	if !errors.As(err, &held) {
		t.Fatalf("opened a second time: %v", err)
	}
	if text := err.Error(); !strings.Contains(text, fmt.Sprint("process ", os.Getpid())) || !strings.Contains(text, "bullpen up") {
		t.Errorf("the refusal %q does not name the process", text)
	}
	if _, err := s.post("the first goes on"); err != nil {
		t.Error(err)
	}
}

func TestClosing(t *testing.T) {
	t.Parallel()
	t.Run("waits for what runs", func(t *testing.T) {
		t.Parallel()
		release := make(chan struct{})
		s := newSite(t, func(ctx context.Context, o *office.Office, start office.TurnStart) {
			<-release
			_, err := o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "42"})
			if err != nil {
				t.Error(err)
			}
		})
		s.mustPost("@alice what is it?")
		var wg sync.WaitGroup
		for range 3 { // more than once, at once
			wg.Go(func() {
				if err := s.o.Close(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		close(release)
		wg.Wait()
		s.wantTexts("@alice what is it?", "42")
		if _, err := s.post("too late"); !errors.Is(err, office.ErrClosed) {
			t.Errorf("a post to a closed office: %v", err)
		}
		if _, err := s.o.Next(t.Context(), 2); !errors.Is(err, office.ErrClosed) {
			t.Errorf("a viewer of a closed office: %v", err)
		}
		if err := s.o.Err(); err != nil {
			t.Errorf("closed in order, Err is %v", err)
		}
	})
	t.Run("leaves what takes too long to the next owner, as no crash", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, stuck)
		s.mustPost("@alice go")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := s.o.Close(ctx); err != nil {
			t.Fatal(err)
		}
		started := make(chan office.TurnStart, 1)
		s.open(func(ctx context.Context, o *office.Office, start office.TurnStart) {
			started <- start
			silent(ctx, o, start)
		})
		if got := <-started; got.Turn.Attempt != 2 || got.Turn.Crashes != 0 {
			t.Errorf("attempt %d, crashes %d", got.Turn.Attempt, got.Turn.Crashes)
		}
	})
	t.Run("starts nothing any more", func(t *testing.T) {
		t.Parallel()
		release := make(chan struct{})
		var runs atomic.Int64
		s := newSite(t, func(ctx context.Context, o *office.Office, start office.TurnStart) {
			runs.Add(1)
			<-release
			silent(ctx, o, start)
		})
		s.mustPost("@alice one")
		closed := make(chan error)
		go func() { closed <- s.o.Close(context.Background()) }()
		for { // until it is closing, everything starts at once
			r, err := s.post(fmt.Sprint("@bob ", time.Now()))
			if err != nil {
				t.Fatal(err)
			}
			v, err := s.o.View(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if v.Colleagues[1].Waiting > 0 || r.Deliveries[0].Outcome != office.Delivered {
				break
			}
		}
		close(release)
		if err := <-closed; err != nil {
			t.Fatal(err)
		}
		s.open(silent)
		for {
			a, err := s.o.Activity(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if a.Idle() {
				break
			}
		}
	})
	t.Run("does not wait longer than its grace for a store that says nothing", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, stuck)
			s.mustPost("@alice go")
			head := func() error { return errDisk }
			s.store.head.Store(&head)
			s.store.onCommit(func(office.Batch, func() error) error { return errDisk })
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			closed := make(chan error, 1)
			go func() { closed <- s.o.Close(ctx) }()
			select {
			case <-closed:
			case <-time.After(time.Minute):
				t.Error("the office did not close within a minute although its grace was 5 s")
				s.store.head.Store(nil)
				s.store.onCommit(nil)
				<-closed
			}
		})
	})
}
