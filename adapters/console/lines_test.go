package console

import (
	"context"
	"os"
	"testing"
)

// What was typed while a Run ended is handled by the next: no line is lost, nor torn.
func TestTheNextRunGoesOnWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(); _ = w.Close() }()
	typed := func(text string) {
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	b := openOffice(t, t.TempDir(), greets)
	var out, errs log
	c := New(Options{In: r, Out: &out, Err: &errs})
	typed("one\n/quit\ntwo\n/quit\nthr")
	for range 2 {
		if err := c.Run(t.Context(), b); err != nil || !c.Left() {
			t.Fatalf("Run: %v; left: %v", err, c.Left())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, b) }()
	typed("ee\nfo")
	out.expect(t, "general-3 user: three\n")
	cancel()
	if err := <-done; err != nil || c.Left() {
		t.Fatalf("Run: %v; left: %v", err, c.Left())
	}
	typed("ur\n/quit\n")
	if err := c.Run(t.Context(), b); err != nil || !c.Left() {
		t.Fatalf("Run: %v; left: %v", err, c.Left())
	}
	errs.expect(t, "general-4: nobody woken\n")
}

// A command that an office which was lost could not begin is begun by the next.
func TestACommandOfALostOfficeIsNotLost(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(); _ = w.Close() }()
	dir := t.TempDir()
	var out, errs log
	c := New(Options{In: r, Out: &out, Err: &errs})
	done := make(chan error, 1)
	t.Run("the first", func(t *testing.T) {
		b := openOffice(t, dir, greets)
		go func() { done <- c.Run(t.Context(), b) }()
		if _, err := w.WriteString("one\n"); err != nil {
			t.Fatal(err)
		}
		errs.expect(t, "general-1: nobody woken\n")
		stop, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Office().Close(stop); err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString("/quit\n"); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err == nil || c.Left() {
			t.Errorf("Run in an office that has stopped: %v; left: %v", err, c.Left())
		}
	})
	if err := c.Run(t.Context(), openOffice(t, dir, greets)); err != nil || !c.Left() {
		t.Errorf("the next Run: %v; left: %v", err, c.Left())
	}
}
