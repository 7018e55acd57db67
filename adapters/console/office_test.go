package console

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// scripted runs turns by a function from the colleague's name and what it was
// given to its final text.
type scripted func(ctx context.Context, colleague, given string) string

func (r scripted) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	entries, err := o.Transcript(ctx, start.Turn.Context(), 1)
	if err != nil || len(entries) == 0 {
		return
	}
	text := r(ctx, start.Colleague.Name, entries[0].Text)
	if ctx.Err() == nil {
		_, _ = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: text})
	}
}

// greets answers everything with a greeting.
var greets = scripted(func(_ context.Context, colleague, _ string) string { return "Hello, I am " + colleague + "." })

func says(text string) scripted {
	return func(context.Context, string, string) string { return text }
}

// openOffice opens an office with alice and bob in dir.
func openOffice(t *testing.T, dir string, run office.Runner, people ...office.Person) *bridge.Bridge {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	if err != nil {
		t.Fatalf("sqlite.Open: %v", err)
	}
	b := bridge.New("test", command.NewSet())
	b.Attach(openOn(t, store, run, people...))
	return b
}

// openOn opens the same office on a store, which the test's end closes.
func openOn(t *testing.T, store office.Store, run office.Runner, people ...office.Person) *office.Office {
	t.Helper()
	o, err := office.Open(t.Context(), office.Options{
		Store: store, Runner: run, Program: "test",
		Setup: office.Setup{
			ID: "acme", Name: "Acme", People: people,
			Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
			Colleagues: []office.ColleagueSetup{
				{Name: "alice", Role: office.Leader, Model: "demo:demo"},
				{Name: "bob", Role: office.Member, Model: "demo:demo"},
			},
		},
	})
	if err != nil {
		t.Fatalf("office.Open: %v", err)
	}
	t.Cleanup(func() { closeOffice(t, o, store) })
	return o
}

func closeOffice(t *testing.T, o *office.Office, store office.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Millisecond)
	defer cancel()
	if err := o.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := store.Close(); err != nil {
		t.Errorf("store.Close: %v", err)
	}
}

// log is an output that tests wait for.
type log struct {
	mu      sync.Mutex
	buf     bytes.Buffer
	changed chan struct{}
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Write(p)
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return len(p), nil
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// until waits until ok holds of what was written.
func (l *log) until(t *testing.T, what string, ok func(string) bool) {
	t.Helper()
	late := time.After(patience)
	for {
		l.mu.Lock()
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		said, changed := l.buf.String(), l.changed
		l.mu.Unlock()
		if ok(said) {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("no %s in:\n%q", what, said)
		}
	}
}

func (l *log) expect(t *testing.T, want string) {
	t.Helper()
	l.until(t, want, func(s string) bool { return strings.Contains(s, want) })
}

// started is a console that runs.
type started struct {
	out, err log
	in       io.WriteCloser
	cancel   context.CancelFunc
	done     chan error
}

// start runs a console over a pipe whose other end is s.in.
func start(t *testing.T, b *bridge.Bridge, opt Options) *started {
	t.Helper()
	s := &started{done: make(chan error, 1)}
	var r io.Reader
	r, s.in = io.Pipe()
	if opt.In == nil {
		opt.In = r
	}
	if opt.Out == nil {
		opt.Out = &s.out
	}
	opt.Err = &s.err
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(t.Context())
	t.Cleanup(func() { s.cancel(); _ = s.in.Close() })
	go func() { s.done <- New(opt).Run(ctx, b) }()
	return s
}

func (s *started) typed(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		t.Fatalf("writing %q: %v", text, err)
	}
}

// ended waits until Run returned.
func (s *started) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.done:
		if err != nil {
			t.Fatalf("Run: %v", err)
		}
	case <-time.After(patience):
		t.Fatalf("Run did not return; out:\n%s\nerr:\n%s", s.out.String(), s.err.String())
	}
}

// converse runs a console over input until the office is idle.
func converse(t *testing.T, b *bridge.Bridge, input string) (out, errs string) {
	t.Helper()
	s := start(t, b, Options{In: strings.NewReader(input), ExitWhenIdle: true})
	s.ended(t)
	return s.out.String(), s.err.String()
}
