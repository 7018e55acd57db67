package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"bullpen/bridge"

	"golang.org/x/term"
)

// farewellTime is how long, after its context ended, the console may take to
// finish the line in hand and to store its cursor; output that nobody takes is
// given up after twice that.
const farewellTime = 2 * time.Second

// Options say what the console talks over.
type Options struct {
	// In is where lines come from, Out where messages go, Err where receipts and
	// notices go: usually the program's own three files. On a terminal everything
	// goes to Out.
	In       io.Reader
	Out, Err io.Writer
	// Terminal says that In and Out are a terminal, see [IsTerminal].
	Terminal bool
	// ExitWhenIdle ends Run when In is at its end and nothing is ready, running or
	// unprinted. Held mail does not count.
	ExitWhenIdle bool
	// Log gets what the person at the console need not see; nil logs nothing.
	Log *slog.Logger
}

// IsTerminal reports whether in and out are a terminal on which a line can be
// edited. One that calls itself dumb is none: it is served like a pipe.
func IsTerminal(in, out *os.File) bool {
	return os.Getenv("TERM") != "dumb" && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// OnTerminal reports whether a file is a terminal, and one that is still there: of
// one that was closed it is false.
func OnTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Console is the adapter of the terminal. It serves one Run at a time. What one Run
// has read from an In that is a file, and not handled, the next handles; what was
// typed ahead on a terminal is not kept.
type Console struct {
	opt      Options
	farewell time.Duration
	lines    *lines
	last     atomic.Pointer[entry] // the newest message that was shown
	left     atomic.Bool
}

var _ bridge.Adapter = (*Console)(nil)

// New makes a console.
func New(opt Options) *Console {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Console{opt: opt, farewell: farewellTime, lines: newLines()}
}

// Platform is "console".
func (*Console) Platform() string { return bridge.ConsoleAccount.Platform }

// LogTo has the next Run log there, instead of where Options said.
func (c *Console) LogTo(log *slog.Logger) { c.opt.Log = log }

// Left reports whether the last Run ended because the person left, or the office was
// idle as asked for, even if the office was lost at the same time.
func (c *Console) Left() bool { return c.left.Load() }

// Run serves the person at the console until ctx ends, they leave, or, if so
// asked, the office is idle and the input at its end; all of these are nil. An
// input at its end otherwise leaves the console showing messages. The error is
// not nil when the office stopped or its output cannot be written.
//
// When Run returns the terminal is as it was and nothing reads In any more,
// with one exception: an In that is not a file cannot be interrupted, and the
// goroutine that waits for it ends with its next line or its end. Output that
// nobody takes is given up a few seconds after ctx ended; that is an error.
func (c *Console) Run(ctx context.Context, b *bridge.Bridge) error {
	c.left.Store(false)
	done := make(chan error, 1)
	go func() { done <- safely(func() error { return c.serve(ctx, b) }) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	giveUp := time.NewTimer(2 * c.farewell)
	defer giveUp.Stop()
	select {
	case err := <-done:
		return err
	case <-giveUp.C:
		return errors.New("the console's output takes nothing, so its last messages were not shown; they are shown the next time")
	}
}

// serve takes the input over, gives it a face, and serves it.
func (c *Console) serve(ctx context.Context, b *bridge.Bridge) (err error) {
	late, cancelLate := outlive(ctx, c.farewell)
	defer cancelLate()
	in, err := newInput(c.opt.In)
	if err != nil {
		return fmt.Errorf("the console's input cannot be read: %w", err)
	}
	if !in.stoppable() {
		c.lines = newLines() // somebody may still read the one of the last Run
	}
	c.lines.from = in
	f, restore, err := c.face(late, b, in)
	if err != nil {
		return errors.Join(err, in.stop())
	}
	defer restore()
	ctx, cancel := context.WithCancel(ctx)
	s := newSession(late, c.opt, b, f, c.last.Load())
	var reading sync.WaitGroup
	defer func() {
		cancel()
		err = errors.Join(err, in.stop())
		if in.stoppable() {
			reading.Wait()
			c.lines.putBack(s.untaken)
		}
		c.left.Store(s.left)
		c.last.Store(s.last)
	}()
	if err := s.open(ctx); err != nil {
		return unlessEnded(ctx, err)
	}
	reading.Go(func() {
		defer close(s.lines)
		if err := safely(func() error { return f.read(s.accept(ctx)) }); err != nil && ctx.Err() == nil {
			c.opt.Log.Warn("the console's input ended early", "err", err)
		}
	})
	return s.run(ctx)
}

// face is what the console looks like, and how to undo that.
func (c *Console) face(late context.Context, b *bridge.Bridge, in io.Reader) (f face, restore func(), err error) {
	if !c.opt.Terminal {
		return newPipe(c.opt, c.lines), func() {}, nil
	}
	s, err := newScreen(late, c.opt, b, in)
	if err != nil {
		return nil, nil, err
	}
	return s, s.restore, nil
}

// outlive is a context that ends d after ctx.
func outlive(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			cancel()
		case <-late.Done():
		}
	})
	return late, func() { stop(); cancel() }
}

// safely turns a panic into an error, so that the terminal is restored and the
// rest of the office goes on.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the console failed: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}
