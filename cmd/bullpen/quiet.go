package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"time"

	"bullpen/office"
)

// gcPercent trades a few megabytes for a tenth of the processor time of a busy
// office: its live memory is small. GOGC in the environment goes before it.
const gcPercent = 200

// tuneMemory sets the collector up for offices.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

const (
	// trimAfter is how long nothing is said in an office before memory is given back.
	trimAfter = 2 * time.Second
	// trimPause is how long a process waits for more of its offices to fall quiet.
	trimPause = 200 * time.Millisecond
)

// trimmer gives the process's memory back when its offices fall quiet: those that
// do so together share one time.
type trimmer struct{ asked chan struct{} }

func newTrimmer() *trimmer { return &trimmer{asked: make(chan struct{}, 1)} }

// ask has memory given back soon.
func (t *trimmer) ask() {
	select {
	case t.asked <- struct{}{}:
	default:
	}
}

// run gives memory back when it is asked for, until ctx ends.
func (t *trimmer) run(ctx context.Context) {
	for {
		select {
		case <-t.asked:
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(trimPause):
		case <-ctx.Done():
			return
		}
		select {
		case <-t.asked:
		default:
		}
		debug.FreeOSMemory()
		trim()
	}
}

// watch asks once whenever the office falls quiet: after its start, and after each
// time that people and colleagues talked.
func (t *trimmer) watch(ctx context.Context, o *office.Office) {
	a, err := o.Activity(ctx)
	if err != nil {
		return
	}
	for last := a.Last; ctx.Err() == nil; {
		quiet, cancel := context.WithTimeout(ctx, trimAfter)
		said, err := o.Next(quiet, last)
		cancel()
		switch {
		case err == nil:
		case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return
		default:
			t.ask()
			if said, err = o.Next(ctx, last); err != nil {
				return
			}
		}
		if len(said) > 0 {
			last = said[len(said)-1].No
		}
	}
}
