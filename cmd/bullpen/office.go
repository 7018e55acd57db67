package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"bullpen/bridge"
	"bullpen/config"
	"bullpen/internal/obs"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/store/archive"
	"bullpen/office/store/redis"
	"bullpen/office/store/sqlite"
)

// setup is the office of a configuration, with what its platforms say.
func setup(cfg *config.Config) office.Setup {
	s := cfg.Setup
	s.People = append([]office.Person(nil), s.People...)
	for i := range s.People {
		for _, a := range cfg.Accounts {
			if a.Person == s.People[i].ID {
				s.People[i].Accounts = append(s.People[i].Accounts, accounts(a)...)
				s.People[i].Mail = a.Mail
			}
		}
	}
	forTests(&s.Limits)
	return s
}

// accounts are a person's accounts on the platforms that there are.
func accounts(a config.Account) []office.Account {
	var all []office.Account
	if a.Slack != "" {
		all = append(all, office.Account{Platform: "slack", ID: a.Slack})
	}
	if t, ok := telegramAccount(a); ok {
		all = append(all, t)
	}
	if d, ok := discordAccount(a); ok {
		all = append(all, d)
	}
	return all
}

// openOffice opens the office of a configuration on its store and attaches it to
// the bridge. program is how this process was started, others are the offices that it runs.
func openOffice(ctx context.Context, cfg *config.Config, b *bridge.Bridge, log *officeLog, program string, others *branches) (*office.Office, func(grace time.Duration) error, error) {
	file := newDeclared(cfg, os.LookupEnv, b, log.redactor)
	models, err := newModels(file.config)
	if err != nil {
		return nil, nil, &exitError{exitConfig, err}
	}
	known := newKnownModels(file.config)
	runner := &agent.Runner{Models: models, Prompt: prompts, Folder: filepath.Join(cfg.Dir, "agents"), Window: windows(file.config), Log: log.Logger}
	var more []tool.Tool
	sh, sentence := newShells(cfg, file.config)
	if sh != nil {
		runner.Shell = sh.shell
		more = append(more, tool.Bash())
	}
	b.Remark(sentence)
	if runner.Tools, err = tool.New(more...); err != nil {
		return nil, nil, err
	}
	runner.Tools.Among(others.all)
	store, err := openStore(ctx, cfg, b)
	if err != nil {
		return nil, nil, err
	}
	kept, err := files.Open(filepath.Join(cfg.Dir, "files"), time.Now())
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	audits, err := openAuditLog(filepath.Join(cfg.Dir, "logs"), log.redactor, log.Logger)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	o, err := office.Open(ctx, office.Options{
		Audited: func(a office.Audit) {
			if audits.write(a); a.What == "reload" {
				file.follow()
			}
		},
		Store: store, Setup: setup(cfg), Declaration: file, CheckModel: known.check, Log: log.Logger, Program: program, Runner: runner, Sender: b, Split: b.Split, Files: kept,
		Now:     clock(),
		Archive: archive.Folder{Dir: filepath.Join(cfg.Dir, "archive"), Now: time.Now},
	})
	if err != nil {
		return nil, nil, errors.Join(err, audits.close(), store.Close())
	}
	b.Furnish(premises(cfg, runner, known, o))
	b.Attach(o)
	return o, func(grace time.Duration) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		return errors.Join(o.Close(ctx), audits.close(), store.Close())
	}, nil
}

// openStore opens the office's record where the configuration says it is.
func openStore(ctx context.Context, cfg *config.Config, b *bridge.Bridge) (office.Store, error) {
	if cfg.Redis.Empty() {
		return sqlite.Open(ctx, sqlite.Options{Dir: cfg.Dir})
	}
	s, err := redis.Open(ctx, redisOptions(cfg))
	if err != nil {
		return nil, err
	}
	b.Remark("store: " + s.Durability())
	return s, nil
}

// redisOptions say where in Redis the record of a configuration is.
func redisOptions(cfg *config.Config) redis.Options {
	return redis.Options{URL: cfg.Redis.Reveal(), Office: cfg.Setup.ID, LeaseTTL: leaseTTL()}
}

// secrets are what a configuration holds and a log must not show.
func secrets(cfg *config.Config) []string {
	var all []string
	for _, s := range cfg.Secrets() {
		all = append(all, s.Reveal())
	}
	return all
}

// officeLog is an office's log, with what keeps secrets out of it.
type officeLog struct {
	*slog.Logger
	redactor *obs.Redactor
	close    func() error
}

// logSize bounds the log file, in bytes; one older file is kept beside it.
const logSize = 10 << 20

// logName is the log's name in the folder for logs.
const logName = "bullpen.log"

// openLog makes the office's log: JSON lines in its folder, without secrets.
func openLog(cfg *config.Config) (*officeLog, error) {
	dir := filepath.Join(cfg.Dir, "logs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for logs cannot be made: %w", err)
	}
	path := filepath.Join(dir, logName)
	if info, err := os.Stat(path); err == nil && info.Size() > logSize {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("the full log cannot be put aside: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the log cannot be opened: %w", err)
	}
	h := slog.NewJSONHandler(f, &slog.HandlerOptions{Level: slog.LevelInfo})
	redactor := obs.NewRedactor(secrets(cfg))
	return &officeLog{slog.New(obs.NewHandler(h, redactor)), redactor, f.Close}, nil
}
