package office_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

// next watches from no on until it has seen n messages, and checks that it
// sees each once, in order.
func next(t testing.TB, o *office.Office, no int64, n int) []*office.Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var got []*office.Message
	for len(got) < n {
		found, err := o.Next(ctx, no)
		if err != nil {
			t.Errorf("after %d: %v", no, err)
			return got
		}
		for _, m := range found {
			if m.No != no+1 {
				t.Errorf("after %d came %d", no, m.No)
			}
			no = m.No
			got = append(got, m)
		}
	}
	return got
}

func TestAViewerSeesEachMessageOnceInOrder(t *testing.T) {
	t.Parallel()
	const posts = 700 // more than the office keeps at hand
	s := newSite(t, silent)
	var viewers sync.WaitGroup
	for i := range 6 {
		viewers.Go(func() { // of different speed
			var no int64
			for no < posts {
				found, err := s.o.Next(t.Context(), no)
				if err != nil {
					t.Error(err)
					return
				}
				for _, m := range found {
					if m.No != no+1 {
						t.Errorf("viewer %d: after %d came %d", i, no, m.No)
						return
					}
					if m.Text != fmt.Sprint("no. ", m.Seq) {
						t.Errorf("viewer %d: %d is %q", i, m.Seq, m.Text)
					}
					no = m.No
				}
				for range i * i * 100 {
					runtime.Gosched()
				}
			}
		})
	}
	for i := range posts {
		s.mustPost(fmt.Sprint("no. ", i+1))
	}
	viewers.Wait()
	for _, from := range []int64{0, 1, 150, posts - 513, posts - 512, posts - 511, posts - 1} {
		next(t, s.o, from, int(posts-from))
	}
	// A new owner has nothing at hand and shows the same.
	if err := s.o.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.open(silent)
	next(t, s.o, 0, posts)
	next(t, s.o, 650, 50)
}

func TestManyWritersAndViewersAtOnce(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 40
	s := newSite(t, silent)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { next(t, s.o, 0, writers*each) })
	}
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if _, err := s.post(fmt.Sprint(w, " ", i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestAViewerThatIsFarBehindLargeTextsSeesThemAll(t *testing.T) {
	t.Parallel()
	s := newSite(t, silent)
	large := strings.Repeat("x", 900<<10) // a few fill what is kept at hand
	for i := range 12 {
		s.mustPost(fmt.Sprint(i) + large)
	}
	for i, m := range next(t, s.o, 0, 12) {
		if len(m.Text) < len(large) || !strings.HasPrefix(m.Text, fmt.Sprint(i)) {
			t.Errorf("message %d has %d bytes", i, len(m.Text))
		}
	}
}

func TestAViewerHearsThatATurnEndedAndItsOwnEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := newSite(t, func(ctx context.Context, o *office.Office, start office.TurnStart) {
			<-release
			silent(ctx, o, start)
		})
		s.mustPost("@alice go")
		heard := make(chan []*office.Message, 1)
		go func() {
			found, err := s.o.Next(t.Context(), 1)
			if err != nil {
				t.Error(err)
			}
			heard <- found
		}()
		synctest.Wait()
		if len(heard) != 0 {
			t.Errorf("heard %v before anything happened", <-heard)
		}
		close(release)
		if found := <-heard; len(found) != 0 {
			t.Errorf("heard %v", found)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.o.Next(ctx, 1); err == nil {
			t.Error("a viewer that left was kept")
		}
	})
}

func TestACursorNeverMovesBackAndSurvives(t *testing.T) {
	t.Parallel()
	s := newSite(t, silent)
	for _, no := range []int64{3, 9, 5} {
		if err := s.o.SetCursor(t.Context(), "console", no); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.o.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.open(silent)
	if no, err := s.o.Cursor(t.Context(), "console"); err != nil || no != 9 {
		t.Errorf("the cursor is at %d: %v", no, err)
	}
	if no, err := s.o.Cursor(t.Context(), "phone"); err != nil || no != 0 {
		t.Errorf("one that never said is at %d: %v", no, err)
	}
}
