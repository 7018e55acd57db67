package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"bullpen/adapters/console"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"

	"github.com/spf13/cobra"
)

// quitGrace is how long running turns may go on after somebody left the
// console: they wait for the prompt to come back.
const quitGrace = 2 * time.Second

// gcPercent trades a few megabytes for a tenth of the processor time of a busy
// office: its live memory is small. GOGC in the environment goes before it.
const gcPercent = 200

// trimAfter is how long nothing is said before memory is given back.
const trimAfter = 2 * time.Second

// trimWhenQuiet gives memory back once whenever the office falls quiet: after
// its start, and after each time that people and colleagues talked.
func trimWhenQuiet(ctx context.Context, o *office.Office, log *slog.Logger) {
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
			debug.FreeOSMemory()
			trim(log)
			if said, err = o.Next(ctx, last); err != nil {
				return
			}
		}
		if len(said) > 0 {
			last = said[len(said)-1].No
		}
	}
}

func upCommand() *cobra.Command {
	var dir string
	var whenIdle bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Open the office and talk to it in this terminal",
		Long: "Open the office and talk to it in this terminal, or over a pipe: one line in is one message, " +
			"one line out is one message, receipts are on standard error. A folder without an office gets one.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := officeDir(dir)
			if err != nil {
				return err
			}
			return up(cmd.Context(), dir, whenIdle)
		},
	}
	dirFlag(cmd, &dir)
	cmd.Flags().BoolVar(&whenIdle, "exit-when-idle", false, "end when the input is closed and nobody has anything to do")
	return cmd
}

// up runs the office in dir until somebody ends it. Where its record is in Redis
// and another process runs it, it stands by and takes over when that one is gone.
func up(ctx context.Context, dir string, whenIdle bool) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	if err := config.Scaffold(dir); err != nil {
		return err
	}
	for first := true; ; first = false {
		err := runOffice(ctx, dir, whenIdle, stop)
		var held *standBy
		if !errors.As(err, &held) {
			return err
		}
		if first {
			fmt.Fprintf(os.Stderr, "standing by: %v\n", held.holder)
		}
		select {
		case <-time.After(standByPause):
		case <-ctx.Done():
			return nil
		}
	}
}

// standByPause is how often a process that stands by asks for the office.
const standByPause = time.Second

// standBy says that another process runs the office and may be waited for.
type standBy struct{ holder *office.HeldError }

func (e *standBy) Error() string { return e.holder.Error() }

// runOffice runs the office once, as it is configured now. stop makes the next signal
// end the process at once.
func runOffice(ctx context.Context, dir string, whenIdle bool, stop func()) error {
	cfg, err := load(dir, os.Stderr)
	if err != nil {
		return err
	}
	log, closeLog, err := openLog(cfg)
	if err != nil {
		return err
	}
	defer closeLog()
	b := bridge.New(cfg.Setup.ID, command.NewSet())
	adapters, err := addAdapters(cfg, b, log)
	if err != nil {
		return &exitError{exitConfig, err}
	}
	_, closeOffice, err := openOffice(ctx, cfg, b, log)
	if held := (*office.HeldError)(nil); errors.As(err, &held) && !cfg.Redis.Empty() {
		return &standBy{held}
	}
	if err != nil {
		return err
	}
	con := console.New(console.Options{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: console.IsTerminal(os.Stdin, os.Stdout), ExitWhenIdle: whenIdle, Log: log,
	})
	err = serve(ctx, b, con, adapters, log)
	grace := cfg.ShutdownGrace
	if ctx.Err() == nil {
		grace = min(grace, quitGrace)
	}
	stop() // a second signal ends the process at once
	return errors.Join(err, closeOffice(grace))
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
	return all, nil
}

// serve runs the console and the adapters until ctx ends, the console is left
// or the office is lost. An adapter that cannot go on is told of and leaves the
// rest running.
func serve(ctx context.Context, b *bridge.Bridge, con *console.Console, adapters []bridge.Poster, log *slog.Logger) error {
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
	go func() { left <- con.Run(ctx, b) }()
	running.Go(func() { trimWhenQuiet(ctx, b.Office(), log) })
	select {
	case err := <-left:
		return err
	case <-b.Office().Done():
		cancel()
		<-left
		return b.Office().Err()
	}
}
