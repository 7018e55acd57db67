package office_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// runnerFunc is a runner of one function.
type runnerFunc func(ctx context.Context, o *office.Office, start office.TurnStart)

func (f runnerFunc) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	f(ctx, o, start)
}

// silent ends every turn without a word.
func silent(ctx context.Context, o *office.Office, start office.TurnStart) {
	for ctx.Err() == nil { // a store that cannot take it now may later
		_, err := o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "NO_REPLY"})
		if err == nil || errors.Is(err, office.ErrStale) || errors.Is(err, office.ErrFenced) || errors.Is(err, office.ErrClosed) {
			return
		}
	}
}

// stuck works until the office closes.
func stuck(ctx context.Context, _ *office.Office, _ office.TurnStart) { <-ctx.Done() }

// faulty is a real store whose commits go through a function.
type faulty struct {
	office.Store
	commits atomic.Int64 // that reached the store
	reads   atomic.Int64 // by Old
	commit  atomic.Pointer[func(b office.Batch, write func() error) error]
	head    atomic.Pointer[func() error]
	load    atomic.Pointer[func() error]
}

func (f *faulty) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	write := func() error {
		f.commits.Add(1)
		return f.Store.Commit(ctx, l, b)
	}
	if via := f.commit.Load(); via != nil {
		return (*via)(b, write)
	}
	return write()
}

func (f *faulty) Old(ctx context.Context, q office.OldQuery) ([]office.Old, error) {
	f.reads.Add(1)
	return f.Store.Old(ctx, q)
}

func (f *faulty) Head(ctx context.Context) (office.Head, error) {
	if fail := f.head.Load(); fail != nil {
		if err := (*fail)(); err != nil {
			return office.Head{}, err
		}
	}
	return f.Store.Head(ctx)
}

func (f *faulty) Load(ctx context.Context) (*office.Snapshot, error) {
	if fail := f.load.Load(); fail != nil {
		if err := (*fail)(); err != nil {
			return nil, err
		}
	}
	return f.Store.Load(ctx)
}

// onCommit says what becomes of the batches from now on; nil: they are written.
func (f *faulty) onCommit(via func(b office.Batch, write func() error) error) {
	if via == nil {
		f.commit.Store(nil)
		return
	}
	f.commit.Store(&via)
}

var errDisk = errors.New("no space left on device")

// site is an office over a real record that a test may break.
type site struct {
	testing.TB
	dir   string
	store *faulty
	o     *office.Office
	// shelves is its archive.
	shelves *shelves
}

func newSite(t testing.TB, run runnerFunc) *site {
	t.Helper()
	s := &site{TB: t, dir: filepath.Join(t.TempDir(), "record"), shelves: &shelves{rows: map[string][]string{}}}
	s.open(run)
	return s
}

func (s *site) open(run runnerFunc) {
	s.Helper()
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: s.dir})
	if err != nil {
		s.Fatal(err)
	}
	s.store = &faulty{Store: store}
	s.o, err = office.Open(context.Background(), office.Options{
		Archive: s.shelves, Store: s.store, Runner: run, Program: "bullpen up",
		Setup: office.Setup{ID: "test", Name: "Test", Limits: office.Limits{Retention: 48 * time.Hour}, Colleagues: []office.ColleagueSetup{
			{Name: "alice", Role: office.Member, Model: "none"},
			{Name: "bob", Role: office.Leader, Model: "none"},
		}},
	})
	if err != nil {
		s.Fatal(err)
	}
	o := s.o
	s.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := o.Close(ctx); err != nil {
			s.Log(err) // of a record that the test broke
		}
		if err := store.Close(); err != nil {
			s.Error(err)
		}
	})
}

// post says something in general; the event's id is the text.
func (s *site) post(text string) (office.Receipt, error) {
	return s.o.Post(context.Background(), office.Post{Event: text, Person: office.DefaultOwner, Channel: office.General, Text: text})
}

func (s *site) mustPost(text string) office.Receipt {
	s.Helper()
	r, err := s.post(text)
	if err != nil {
		s.Fatalf("posting %q: %v", text, err)
	}
	return r
}

// texts are the messages of general as stored.
func (s *site) texts() []string {
	s.Helper()
	page, err := s.store.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{office.General}})
	if err != nil {
		s.Fatal(err)
	}
	out := make([]string, 0, len(page.Messages))
	for i, m := range page.Messages {
		if m.Seq != int64(i+1) {
			s.Errorf("general has a gap before %d", m.Seq)
		}
		out = append(out, m.Text)
	}
	return out
}

func (s *site) wantTexts(want ...string) {
	s.Helper()
	if got := s.texts(); !slices.Equal(got, want) {
		s.Errorf("general holds %q, want %q", got, want)
	}
}

// crowdPost is what number i of a crowd posts.
func (s *site) crowdPost(ctx context.Context, i int) error {
	_, err := s.o.Post(ctx, office.Post{Person: office.DefaultOwner, Channel: office.General, Text: fmt.Sprint("crowd ", i)})
	return err
}

// crowd lets n requests wait for the loop at once: the loop stands still in a
// commit, of a post, until open is called. done hears what each was told. It
// works in a bubble only.
func (s *site) crowd(ctx context.Context, n int, send func(ctx context.Context, i int) error, done func(i int, err error)) (open func(), wg *sync.WaitGroup) {
	s.Helper()
	held, gate := make(chan struct{}), make(chan struct{})
	s.store.onCommit(func(_ office.Batch, write func() error) error {
		s.store.onCommit(nil)
		close(held)
		<-gate
		return write()
	})
	wg = &sync.WaitGroup{}
	wg.Go(func() {
		if _, err := s.post("first"); err != nil {
			s.Errorf("the first post was told %v", err)
		}
	})
	<-held
	for i := range n {
		wg.Go(func() { done(i, send(ctx, i)) })
	}
	synctest.Wait() // all of them wait at the loop now
	return func() { close(gate) }, wg
}
