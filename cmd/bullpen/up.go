package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"bullpen/config"

	"github.com/spf13/cobra"
)

// upFlags are what `bullpen up` was told.
type upFlags struct {
	dir                     string
	offices                 []string
	all, headless, whenIdle bool
}

func upCommand() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Open the office and talk to it in this terminal, or run several",
		Long: "Open the office and talk to it in this terminal, or over a pipe: one line in is one message, " +
			"one line out is one message, receipts are on standard error. A folder without an office gets one.\n\n" +
			"With --all, or with --office several times, the offices run in this process without a console. " +
			"One that cannot be opened is told of and tried again; the others run. Those whose record is in Redis " +
			"may be run by several processes: each office runs in one of them, the others stand by for it.\n\n" +
			"SIGHUP has office.yaml read again.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return up(cmd.Context(), f) },
	}
	cmd.Flags().StringVar(&f.dir, "dir", "", "the office's folder (default the office main)")
	cmd.Flags().StringArrayVar(&f.offices, "office", nil, "the id of an office in ~/.bullpen/offices, or in $BULLPEN_HOME/offices; may be given several times")
	cmd.Flags().BoolVar(&f.all, "all", false, "all offices there, without a console")
	cmd.Flags().BoolVar(&f.headless, "headless", false, "no console: whoever talks to the office does so on its platforms")
	cmd.Flags().BoolVar(&f.whenIdle, "exit-when-idle", false, "end when the input is closed and nobody has anything to do")
	return cmd
}

// check refuses what cannot be meant together.
func (f upFlags) check() error {
	ways := 0
	for _, is := range []bool{f.dir != "", len(f.offices) > 0, f.all} {
		if is {
			ways++
		}
	}
	switch {
	case ways > 1:
		return &exitError{exitConfig, errors.New("--dir, --office and --all are three ways to say which offices: use one")}
	case f.whenIdle && (f.all || f.headless || len(f.offices) > 1):
		return &exitError{exitConfig, errors.New("--exit-when-idle is for one office with a console: its input says when")}
	}
	return nil
}

// up runs offices until somebody ends it.
func up(ctx context.Context, f upFlags) error {
	tuneMemory()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	slices.Sort(f.offices)
	f.offices = slices.Compact(f.offices)
	if err := f.check(); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	h := newHost(ctx, stop, end)
	defer h.close()
	switch {
	case f.all:
		h.program = "bullpen up --all"
		return h.runAll(ctx)
	case len(f.offices) > 1 || f.headless && len(f.offices) == 1:
		return h.runNamed(ctx, f.offices)
	case len(f.offices) == 1:
		dir, err := officeNamed(f.offices[0])
		if err != nil {
			return err
		}
		return h.runHere(ctx, dir, f.whenIdle)
	}
	dir, err := officeDir(f.dir)
	if err != nil {
		return err
	}
	if err := config.Scaffold(dir); err != nil {
		return err
	}
	if f.headless {
		return h.runFolders(ctx, map[string]string{filepath.Base(dir): dir})
	}
	return h.runHere(ctx, dir, f.whenIdle)
}

// runHere runs one office with the console in front of it.
func (h *host) runHere(ctx context.Context, dir string, whenIdle bool) error {
	say := &sayer{out: os.Stderr}
	at := newConsole(whenIdle)
	c := charge{dir: dir, notices: os.Stderr, front: consoleFront(at), say: say, opened: say.forget}
	for {
		err := h.runOnce(ctx, c)
		var held *heldElsewhere
		var lost *lostError
		switch {
		case errors.As(err, &held):
			if !h.standBy(ctx, c, held) {
				return nil
			}
		case errors.As(err, &lost) && ctx.Err() == nil && !at.Left():
			say.once("bullpen: " + err.Error())
		default:
			return err
		}
	}
}
