package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"bullpen/adapters/console"
	"bullpen/adapters/shell"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"
)

// quitGrace is how long running turns may go on after somebody left the
// console: they wait for the prompt to come back.
const quitGrace = 2 * time.Second

// host is this process: what its offices share.
type host struct {
	program string // how it was started
	ending  func() // makes the next signal end the process at once
	trim    *trimmer
	hangups hangups
	stop    context.CancelFunc
	working sync.WaitGroup
	open    atomic.Int64 // offices that run here
	running branches     // the same, for a boss of several
}

// newHost starts what all offices share; close ends it. gone is called when the
// process's terminal is.
func newHost(ctx context.Context, ending, gone func()) *host {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	h := &host{program: "bullpen up", ending: ending, trim: newTrimmer(), stop: stop}
	h.working.Go(func() { h.trim.run(ctx) })
	h.working.Go(func() { h.hangups.hear(ctx, gone) })
	return h
}

func (h *host) close() {
	h.stop()
	h.working.Wait()
}

// charge is one office that a process is to run.
type charge struct {
	dir     string
	notices io.Writer // gets what is worth knowing of office.yaml
	front   front
	say     *sayer // gets one sentence on how it goes
	opened  func() // runs when the office is open
}

// front is who talks to the office in this process; it ends when they leave or
// ctx ends.
type front func(ctx context.Context, b *bridge.Bridge, log *slog.Logger) error

// newConsole is the terminal or pipe that the program was started on, for all the
// times that an office is opened on it: it keeps what was typed in between.
func newConsole(whenIdle bool) *console.Console {
	return console.New(console.Options{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: console.IsTerminal(os.Stdin, os.Stdout), ExitWhenIdle: whenIdle,
	})
}

// consoleFront is the person at a console.
func consoleFront(at *console.Console) front {
	return func(ctx context.Context, b *bridge.Bridge, log *slog.Logger) error {
		at.LogTo(log)
		return at.Run(ctx, b)
	}
}

// heldElsewhere says that another process runs the office, in Redis, and may be
// waited for.
type heldElsewhere struct {
	holder *office.HeldError
	cfg    *config.Config
}

func (e *heldElsewhere) Error() string { return e.holder.Error() }

// lostError says that an office in Redis was lost: another process has it now, or
// Redis forgot what it had taken. It may be asked for again.
type lostError struct{ err error }

func (e *lostError) Error() string {
	return e.err.Error() + " (or Redis has forgotten what it had confirmed); it is opened again when it is free"
}
func (e *lostError) Unwrap() error { return e.err }

// waitable makes a heldElsewhere or a lostError of what an office in Redis
// failed with, where it is one.
func waitable(cfg *config.Config, err error) error {
	if cfg.Redis.Empty() {
		return err
	}
	var held *office.HeldError
	switch {
	case errors.As(err, &held):
		return &heldElsewhere{held, cfg}
	case errors.Is(err, office.ErrFenced):
		return &lostError{err}
	}
	return err
}

// runOnce runs the office once, as it is configured now, until ctx ends, whoever
// talks to it here leaves, or it is lost. See waitable for its errors.
func (h *host) runOnce(ctx context.Context, c charge) error {
	cfg, err := load(c.dir, c.notices)
	if err != nil {
		return err
	}
	log, err := openLog(cfg)
	if err != nil {
		return err
	}
	defer log.close() //nolint:errcheck // nothing more is written
	b := bridge.New(cfg.Setup.ID, command.NewSet())
	adapters, err := addAdapters(cfg, b, log.Logger)
	if err != nil {
		return &exitError{exitConfig, err}
	}
	if !cfg.Redis.Empty() && !h.letOthers(ctx) {
		return ctx.Err()
	}
	o, closeOffice, err := openOffice(ctx, cfg, b, log, h.program, &h.running)
	if err != nil {
		return waitable(cfg, err)
	}
	defer h.running.add(o)()
	h.open.Add(1)
	defer h.open.Add(-1)
	closeShell := serveShell(ctx, c.dir, b, log)
	c.opened()
	err = h.serve(ctx, b, c.front, adapters, log.Logger)
	closeShell()
	grace := cfg.ShutdownGrace
	if ctx.Err() == nil {
		grace = min(grace, quitGrace)
	}
	if b.Office().Err() == nil {
		h.ending()
	}
	return waitable(cfg, errors.Join(err, closeOffice(grace)))
}

// serveShell serves the office's command line until it is closed, which waits for
// what was asked there.
func serveShell(ctx context.Context, dir string, b *bridge.Bridge, log *officeLog) (closeIt func()) {
	ctx, cancel := context.WithCancel(ctx)
	s := shell.New(dir, log.Logger)
	s.Hide = log.redactor.Text
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.Run(ctx, b); err != nil && ctx.Err() == nil {
			b.Report(s.Platform(), bridge.Stopped, err.Error())
		}
	})
	return func() {
		cancel()
		serving.Wait()
	}
}

// serve runs who talks to the office, and the adapters, until ctx ends, they
// leave or the office is lost. An adapter that cannot go on is told of and leaves
// the rest running.
func (h *host) serve(ctx context.Context, b *bridge.Bridge, front front, adapters []bridge.Poster, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for _, a := range adapters {
		running.Go(func() {
			if err := a.Run(ctx, b); err != nil && ctx.Err() == nil {
				b.Report(a.Platform(), bridge.Stopped, err.Error())
			}
		})
	}
	left := make(chan error, 1)
	go func() { left <- front(ctx, b, log) }()
	running.Go(func() { h.trim.watch(ctx, b.Office()) })
	running.Go(func() { h.reloadOnHangup(ctx, b, log) })
	select {
	case err := <-left:
		return err
	case <-b.Office().Done():
		cancel()
		<-left
		return b.Office().Err()
	}
}

// addAdapters makes the adapters of the platforms that the office is on.
func addAdapters(cfg *config.Config, b *bridge.Bridge, log *slog.Logger) ([]bridge.Poster, error) {
	var all []bridge.Poster
	s, rules, err := slackAdapter(cfg, log)
	if err != nil {
		return nil, err
	}
	if s != nil {
		b.Add(s, rules)
		all = append(all, s)
	}
	t, rules, err := telegramAdapter(cfg, log)
	if err != nil {
		return nil, err
	}
	if t != nil {
		b.Add(t, rules)
		all = append(all, t)
	}
	d, rules, err := discordAdapter(cfg, log)
	if err != nil {
		return nil, err
	}
	if d != nil {
		b.Add(d, rules)
		all = append(all, d)
	}
	return all, nil
}

// sayer tells sentences to whoever watches the process.
type sayer struct {
	out io.Writer

	mu   sync.Mutex
	last string
}

// once says a sentence, unless it was the last one.
func (s *sayer) once(sentence string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sentence != s.last {
		s.last = sentence
		fmt.Fprintln(s.out, sentence)
	}
}

// forget makes the last sentence news again.
func (s *sayer) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = ""
}
