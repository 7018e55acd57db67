package console

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// noCursors is a store whose office loses it before any cursor is stored.
type noCursors struct{ office.Store }

func (s noCursors) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	for _, c := range b.Changes {
		if _, ok := c.(office.PutCursor); ok {
			return errors.New("it is gone")
		}
	}
	return s.Store.Commit(ctx, l, b)
}

func newStore(t *testing.T) office.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return noCursors{store}
}

// serveOnce lets a console serve an office over an input.
func serveOnce(t *testing.T, c *Console, b *bridge.Bridge, input string) {
	t.Helper()
	c.opt.In = strings.NewReader(input)
	if err := c.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

// An office that was lost and taken again begins, for the console, where this process
// stopped to show it, also if nobody could store that.
func TestOneProcessShowsAMessageOnce(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	c := New(Options{Out: &out, Err: &errs, ExitWhenIdle: true})
	b := bridge.New("test", command.NewSet())
	b.Attach(openOn(t, newStore(t), greets))
	serveOnce(t, c, b, "one\n")
	serveOnce(t, c, b, "two\n")
	if want := "general-1 user: one\ngeneral-2 user: two\n"; out.String() != want {
		t.Errorf("it printed %q, want %q", out.String(), want)
	}

	// A record that has forgotten what was shown calls other messages so.
	b.Attach(openOn(t, newStore(t), greets))
	serveOnce(t, c, b, "another\nand more\n")
	if want := "general-1 user: another\ngeneral-2 user: and more\n"; !strings.HasSuffix(out.String(), "two\n"+want) {
		t.Errorf("of a record that begins again it printed %q, want %q at its end", out.String(), want)
	}
}
