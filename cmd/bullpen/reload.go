package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"bullpen/adapters/console"
	"bullpen/bridge"
)

// hangups hears SIGHUP. It means that the terminal is gone, and the process ends;
// or, where the terminal is still there or never was one, that office.yaml is to
// be read again.
type hangups struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool
}

// hear listens until ctx ends. A SIGHUP of a process that is ending changes
// nothing: who closes a terminal sends several.
func (h *hangups) hear(ctx context.Context, end func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	terminals := terminals()
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
		}
		if gone(terminals) {
			end()
			return
		}
		h.tell()
	}
}

// tell wakes whoever waits; who is busy reads once more afterwards.
func (h *hangups) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.waiting {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// wait is a channel that gets something for each SIGHUP, until leave.
func (h *hangups) wait() (c chan struct{}, leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c = make(chan struct{}, 1)
	if h.waiting == nil {
		h.waiting = map[chan struct{}]bool{}
	}
	h.waiting[c] = true
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.waiting, c)
	}
}

// terminals are those of the standard files that are one.
func terminals() []*os.File {
	var all []*os.File
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		if console.OnTerminal(f) {
			all = append(all, f)
		}
	}
	return all
}

// gone reports whether something that was a terminal answers as none any more: the
// system cuts it off before it sends the signal.
func gone(terminals []*os.File) bool {
	for _, f := range terminals {
		if !console.OnTerminal(f) {
			return true
		}
	}
	return false
}

// reloadOnHangup has the office read office.yaml again for each SIGHUP, in the
// name of its owner, until ctx ends. What came of it is for the log and the
// person at the console.
func (h *host) reloadOnHangup(ctx context.Context, b *bridge.Bridge, log *slog.Logger) {
	asked, leave := h.hangups.wait()
	defer leave()
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
		}
		owner, err := b.Office().Owner(ctx)
		if err != nil {
			log.Warn("office.yaml was not read again", "err", err)
			continue
		}
		report, err := b.Office().Reload(ctx, false, owner.ID, "SIGHUP")
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.Warn("office.yaml was not taken up", "err", err)
			b.Notice(err.Error())
		default:
			log.Info("office.yaml was read again", "report", report.String())
			b.Notice("office.yaml was read again. " + report.String())
		}
	}
}
