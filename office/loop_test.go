package office_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

// Nobody is told that something is stored which is not, nor the other way round.
func TestACommitThatFailsIsToldAndOneThatWasWrittenIsNot(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		commit  func(b office.Batch, write func() error) error
		success bool
	}{
		{"before anything was written", func(office.Batch, func() error) error { return errDisk }, false},
		{"although it was written", func(_ office.Batch, write func() error) error { return errors.Join(write(), errDisk) }, true},
		{"its time was up although it was written", func(_ office.Batch, write func() error) error {
			return errors.Join(write(), context.DeadlineExceeded)
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, silent)
			s.mustPost("one")
			s.store.onCommit(tc.commit)
			_, err := s.post("two")
			if tc.success != (err == nil) {
				t.Fatalf("the writer was told %v", err)
			}
			if err != nil && !errors.Is(err, errDisk) {
				t.Errorf("the writer was told %v, which does not say why", err)
			}
			s.store.onCommit(nil)
			want := []string{"one", "two", "three"}
			again := s.mustPost("two") // the platform sends it again in any case
			if again.Again != tc.success || again.Anchor.Seq != 2 {
				t.Errorf("again: %+v", again)
			}
			s.mustPost("three")
			s.wantTexts(want...)
			next(t, s.o, 0, 3)
		})
	}
}

func TestAnUnknownEndIsAskedForUntilItIsKnown(t *testing.T) {
	t.Parallel()
	for _, written := range []bool{true, false} {
		t.Run(fmt.Sprintf("written %v", written), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t, silent)
				var asked atomic.Int64
				head := func() error {
					if asked.Add(1) < 6 {
						return errDisk
					}
					return nil
				}
				s.store.head.Store(&head)
				s.store.onCommit(func(_ office.Batch, write func() error) error {
					s.store.onCommit(nil)
					if written {
						return errors.Join(write(), errDisk)
					}
					return errDisk
				})
				_, err := s.post("one")
				if (err == nil) != written {
					t.Fatalf("the writer was told %v", err)
				}
				if n := asked.Load(); n != 6 {
					t.Errorf("the store was asked %d times", n)
				}
				s.mustPost("one")
				s.mustPost("two")
				s.wantTexts("one", "two")
			})
		})
	}
}

// A store that was away for a while costs that while: nobody is refused.
func TestAStoreThatWasAwayTakesWhatWaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		var away atomic.Int64
		s.store.onCommit(func(_ office.Batch, write func() error) error {
			if away.Add(1) < 4 {
				return fmt.Errorf("dial: %w", office.ErrUnreachable)
			}
			return write()
		})
		if _, err := s.post("one"); err != nil {
			t.Fatalf("the writer was told %v", err)
		}
		s.mustPost("two")
		s.wantTexts("one", "two")
	})
}

func TestAnOfficeThatSomebodyElseOwnsStopsAndSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t, stuck)
	s.mustPost("@alice go")
	s.store.onCommit(func(office.Batch, func() error) error { return office.ErrFenced })
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := s.post(fmt.Sprint(i)); !errors.Is(err, office.ErrFenced) {
				t.Errorf("post %d was told %v", i, err)
			}
		})
	}
	wg.Wait()
	<-s.o.Done()
	if err := s.o.Err(); !errors.Is(err, office.ErrFenced) {
		t.Errorf("the office stopped with %v", err)
	}
	if _, err := s.o.Next(t.Context(), 1); !errors.Is(err, office.ErrFenced) {
		t.Errorf("a viewer was told %v", err)
	}
	s.wantTexts("@alice go")
}

// One of a group that fails, and then the office is lost: everybody is answered.
func TestEverybodyIsAnsweredWhenTheOfficeIsLostInTheMiddle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		remember := func(ctx context.Context, i int) error { return s.o.SetCursor(ctx, fmt.Sprint("viewer ", i), 1) }
		open, wg := s.crowd(ctx, 20, remember, func(i int, err error) {
			if errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("request %d was never answered", i)
			}
		})
		var calls atomic.Int64
		s.store.onCommit(func(office.Batch, func() error) error {
			if calls.Add(1) == 1 {
				return errDisk // of the whole group
			}
			return office.ErrFenced // of the first alone
		})
		open()
		wg.Wait()
	})
}

func TestManyWritersShareOneCommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		open, wg := s.crowd(t.Context(), 64, s.crowdPost, func(i int, err error) {
			if err != nil {
				t.Errorf("post %d: %v", i, err)
			}
		})
		before := s.store.commits.Load()
		open()
		wg.Wait()
		if n := s.store.commits.Load() - before; n > 8 {
			t.Errorf("64 posts took %d commits", n)
		}
		if n := len(s.texts()); n != 65 {
			t.Errorf("%d messages", n)
		}
	})
}

func TestOneBadRequestFailsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		var mu sync.Mutex
		told := map[int]error{}
		open, wg := s.crowd(ctx, 40, s.crowdPost, func(i int, err error) {
			mu.Lock()
			defer mu.Unlock()
			told[i] = err
		})
		var tried atomic.Int64
		s.store.onCommit(nil)
		refuse := func(b office.Batch, write func() error) error {
			tried.Add(1)
			for _, c := range b.Changes {
				if m, ok := c.(office.PutMessage); ok && m.Message.Text == "crowd 7" {
					return errDisk
				}
			}
			return write()
		}
		s.store.onCommit(refuse)
		open()
		wg.Wait()
		for i := range 40 {
			switch err := told[i]; {
			case i == 7 && !errors.Is(err, errDisk):
				t.Errorf("the bad one was told %v", err)
			case i != 7 && err != nil:
				t.Errorf("post %d was told %v", i, err)
			}
		}
		texts := s.texts()
		slices.Sort(texts)
		if len(texts) != 40 || len(slices.Compact(texts)) != 40 || slices.Contains(texts, "crowd 7") {
			t.Errorf("stored %d: %q", len(texts), texts)
		}
		if n := tried.Load(); n > 400 {
			t.Errorf("it took %d batches", n)
		}
		s.mustPost("later")
	})
}

func TestARecordThatCannotBeReadForAWhileIsReadLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		s.mustPost("one")
		var tries atomic.Int64
		load := func() error {
			if tries.Add(1) < 5 {
				return errDisk
			}
			return nil
		}
		s.store.load.Store(&load)
		s.store.onCommit(func(office.Batch, func() error) error {
			s.store.onCommit(nil)
			return errDisk
		})
		if _, err := s.post("two"); !errors.Is(err, errDisk) {
			t.Errorf("the writer was told %v", err)
		}
		s.mustPost("two")
		s.wantTexts("one", "two")
	})
}

func TestAnEventThatComesAHundredTimesAtOnceIsOneMessage(t *testing.T) {
	t.Parallel()
	s := newSite(t, silent)
	var fails atomic.Int64
	s.store.onCommit(func(_ office.Batch, write func() error) error {
		switch fails.Add(1) { // and the disk is of no help
		case 2:
			return errDisk
		case 3:
			return errors.Join(write(), errDisk)
		default:
			return write()
		}
	})
	var wg sync.WaitGroup
	var first atomic.Int64
	for range 100 {
		wg.Go(func() {
			r, err := s.post("@alice hello")
			for err != nil {
				r, err = s.post("@alice hello")
			}
			if r.Anchor.Seq != 1 || len(r.Deliveries) != 1 {
				t.Errorf("receipt %+v", r)
			}
			if !r.Again {
				first.Add(1)
			}
		})
	}
	wg.Wait()
	if n := first.Load(); n > 1 {
		t.Errorf("%d were told that they were the first", n)
	}
	s.wantTexts("@alice hello")
}

func TestARequestThatMakesNoSenseIsRefusedAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newSite(t, silent)
	for _, p := range []office.Post{
		{},
		{Person: "stranger", Channel: office.General, Text: "hi"},
		{Person: office.DefaultOwner, Channel: "nowhere", Text: "hi"},
		{Person: office.DefaultOwner, Channel: office.MailboxOf(office.DefaultOwner), Text: "hi"},
		{Person: office.DefaultOwner, To: "c99", Text: "hi"},
		{Person: office.DefaultOwner, Channel: office.General, Text: strings.Repeat("x", office.MaxPersonText+1)},
	} {
		if _, err := s.o.Post(t.Context(), p); err == nil {
			t.Errorf("%.80v was taken", fmt.Sprint(p))
		}
	}
	if _, err := s.o.RecordReply(t.Context(), office.Reply{Ref: office.TurnRef{Turn: 7, Attempt: 1}}); !errors.Is(err, office.ErrStale) {
		t.Errorf("a turn that never was: %v", err)
	}
	s.wantTexts()
	s.mustPost("still here")
}
