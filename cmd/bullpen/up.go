package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"bullpen/adapters/console"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/internal/obs"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/tool"
	"bullpen/office/store/sqlite"

	"github.com/spf13/cobra"
)

// quitGrace is how long running turns may go on after somebody left the
// console: they wait for the prompt to come back.
const quitGrace = 2 * time.Second

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

// up runs the office in dir until somebody ends it.
func up(ctx context.Context, dir string, whenIdle bool) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	if err := config.Scaffold(dir); err != nil {
		return err
	}
	cfg, err := load(dir, os.Stderr)
	if err != nil {
		return err
	}
	log, closeLog, err := openLog(cfg)
	if err != nil {
		return err
	}
	defer closeLog()
	o, closeOffice, err := openOffice(ctx, cfg, log)
	if err != nil {
		return err
	}
	con := console.New(console.Options{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: console.IsTerminal(os.Stdin, os.Stdout), ExitWhenIdle: whenIdle, Log: log,
	})
	err = serve(ctx, bridge.New(o, command.NewSet()), con)
	grace := cfg.ShutdownGrace
	if ctx.Err() == nil {
		grace = min(grace, quitGrace)
	}
	stop() // a second signal ends the process at once
	return errors.Join(err, closeOffice(grace))
}

// serve runs the adapters until ctx ends, the console is left or the office is lost.
func serve(ctx context.Context, b *bridge.Bridge, con *console.Console) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	left := make(chan error, 1)
	go func() { left <- con.Run(ctx, b) }()
	select {
	case err := <-left:
		return err
	case <-b.Office().Done():
		cancel()
		<-left
		return b.Office().Err()
	}
}

// openOffice opens the office of a configuration on its embedded store.
func openOffice(ctx context.Context, cfg *config.Config, log *slog.Logger) (*office.Office, func(grace time.Duration) error, error) {
	models, err := newModels(cfg)
	if err != nil {
		return nil, nil, &exitError{exitConfig, err}
	}
	tools, err := tool.New()
	if err != nil {
		return nil, nil, err
	}
	store, err := sqlite.Open(ctx, sqlite.Options{Dir: cfg.Dir})
	if err != nil {
		return nil, nil, err
	}
	o, err := office.Open(ctx, office.Options{
		Store: store, Setup: cfg.Setup, Log: log, Program: "bullpen up",
		Runner: &agent.Runner{
			Models: models, Tools: tools, Prompt: prompts(cfg.Setup),
			Folder: filepath.Join(cfg.Dir, "agents"), Log: log,
		},
	})
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return o, func(grace time.Duration) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		return errors.Join(o.Close(ctx), store.Close())
	}, nil
}

// logSize bounds the log file, in bytes; one older file is kept beside it.
const logSize = 10 << 20

// openLog makes the office's log: JSON lines in its folder, without secrets.
func openLog(cfg *config.Config) (*slog.Logger, func(), error) {
	dir := filepath.Join(cfg.Dir, "logs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("the folder for logs cannot be made: %w", err)
	}
	path := filepath.Join(dir, "bullpen.log")
	if info, err := os.Stat(path); err == nil && info.Size() > logSize {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, nil, fmt.Errorf("the full log cannot be put aside: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("the log cannot be opened: %w", err)
	}
	var secrets []string
	for _, s := range cfg.Secrets() {
		secrets = append(secrets, s.Reveal())
	}
	h := slog.NewJSONHandler(f, &slog.HandlerOptions{Level: slog.LevelInfo})
	return slog.New(obs.NewHandler(h, obs.NewRedactor(secrets))), func() { _ = f.Close() }, nil
}
