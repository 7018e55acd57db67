package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	slackapp "bullpen/deploy/slack"
	"bullpen/office"
	"bullpen/office/model/openai"

	"github.com/spf13/cobra"
)

// lookTime is how long one part may take to answer.
const lookTime = 15 * time.Second

func doctorCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what could be wrong with an office's tokens, rights, record and machine",
		Long: "Look for what could be wrong with an office's tokens, rights, record and machine: one line for each part, " +
			"with what to do. Nothing is changed or posted. The exit status is 0 if all is well, 1 if something is worth " +
			"knowing, 2 if something does not work.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := officeDir(dir)
			if err != nil {
				return err
			}
			found := examine(cmd.Context(), dir)
			return report(cmd.OutOrStdout(), found)
		},
	}
	dirFlag(cmd, &dir)
	return cmd
}

// report prints findings; the error has the exit status.
func report(out io.Writer, found []bridge.Finding) error {
	var count [bridge.Problem + 1]int
	for _, f := range found {
		count[f.Grade]++
		if _, err := fmt.Fprintln(out, findingLine(f)); err != nil {
			return err
		}
	}
	switch {
	case count[bridge.Problem] > 0:
		return &exitError{exitConfig, fmt.Errorf("%s", counted(count[bridge.Problem], "problem"))}
	case count[bridge.Warning] > 0:
		return &exitError{exitFailed, fmt.Errorf("%s", counted(count[bridge.Warning], "warning"))}
	}
	return nil
}

func findingLine(f bridge.Finding) string {
	line := fmt.Sprintf("%-8s %s: %s", [...]string{"ok", "warning", "problem"}[f.Grade], f.Part, f.Sentence)
	if f.Mend != "" {
		line += "; " + f.Mend
	}
	return line
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// examine looks at everything around the office in dir.
func examine(ctx context.Context, dir string) []bridge.Finding {
	found := examineFiles(dir)
	cfg, err := config.Load(dir, os.LookupEnv)
	var problems *config.Problems
	switch {
	case errors.As(err, &problems):
		return append(found, told(*problems)...)
	case err != nil:
		return append(found, bridge.Finding{Grade: bridge.Problem, Part: config.FileName, Sentence: err.Error()})
	}
	found = append(found, told(cfg.Notices)...)
	found = append(found, bridge.Finding{Part: config.FileName, Sentence: fmt.Sprintf("it loads: %q with %s", cfg.Setup.Name, counted(len(cfg.Setup.Colleagues), "colleague"))})
	for _, look := range []func(context.Context, *config.Config) []bridge.Finding{
		examinePlatforms, examineModels, examineStore, examineShell, examineWorkspaces,
	} {
		found = append(found, look(ctx, cfg)...)
	}
	return found
}

// told makes findings of what loading found.
func told(problems config.Problems) []bridge.Finding {
	var found []bridge.Finding
	for _, p := range problems {
		f := bridge.Finding{Grade: bridge.Warning, Part: fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column), Sentence: p.What, Mend: p.Mend}
		if p.Path != "" {
			f.Sentence = p.Path + ": " + p.What
		}
		if !p.Notice {
			f.Grade = bridge.Problem
		}
		found = append(found, f)
	}
	return found
}

// examineFiles looks at the folder: who may read it, and whether there is room.
// The mode of .env is looked at by whoever loads it.
func examineFiles(dir string) []bridge.Finding {
	info, err := os.Stat(dir)
	if err != nil {
		f := bridge.Finding{Grade: bridge.Problem, Part: "folder", Sentence: err.Error()}
		if errors.Is(err, fs.ErrNotExist) {
			f.Sentence, f.Mend = "there is no folder "+dir, "run bullpen init"
		}
		return []bridge.Finding{f}
	}
	var found []bridge.Finding
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		found = append(found, bridge.Finding{
			Grade: bridge.Warning, Part: "folder", Sentence: fmt.Sprintf("other users of this machine may look into %s (mode %04o)", dir, mode), Mend: "run chmod 700 " + dir,
		})
	}
	free, ok := room(dir)
	f := bridge.Finding{Part: "disk", Sentence: fmt.Sprintf("%d MB are free", free>>20)}
	switch {
	case !ok:
		return found
	case free < 50<<20:
		f.Grade, f.Mend = bridge.Problem, "make room: a full disk stops the office from storing anything"
	case free < 500<<20:
		f.Grade, f.Mend = bridge.Warning, "make room before it is full"
	}
	return append(found, f)
}

// examinePlatforms looks at the tokens.
func examinePlatforms(ctx context.Context, cfg *config.Config) []bridge.Finding {
	quiet := slog.New(slog.DiscardHandler)
	var found []bridge.Finding
	look := func(part string, err error, check func(context.Context) []bridge.Finding) {
		if err != nil {
			found = append(found, bridge.Finding{Grade: bridge.Problem, Part: part, Sentence: err.Error()})
			return
		}
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		found = append(found, check(ctx)...)
	}
	if cfg.Slack != nil {
		a, _, err := slackAdapter(cfg, quiet)
		look("slack", err, func(ctx context.Context) []bridge.Finding { return a.Check(ctx, slackapp.Scopes()) })
	}
	if cfg.Telegram != nil {
		a, _, err := telegramAdapter(cfg, quiet)
		look("telegram", err, func(ctx context.Context) []bridge.Finding { return a.Check(ctx) })
	}
	if cfg.Discord != nil {
		a, _, err := discordAdapter(cfg, quiet)
		look("discord", err, func(ctx context.Context) []bridge.Finding { return a.Check(ctx) })
	}
	return found
}

// examineModels asks each provider that somebody uses whether it takes the key
// and knows the models.
func examineModels(ctx context.Context, cfg *config.Config) []bridge.Finding {
	used := map[string][]string{} // models by provider
	var names []string
	for _, c := range cfg.Setup.Colleagues {
		for _, ref := range append([]string{c.Model}, c.Fallback...) {
			name, id := config.SplitModel(ref)
			if _, seen := used[name]; !seen {
				names = append(names, name)
			}
			if !slices.Contains(used[name], id) {
				used[name] = append(used[name], id)
			}
		}
	}
	var found []bridge.Finding
	for _, name := range names {
		if name == "demo" {
			found = append(found, bridge.Finding{Part: "model demo", Sentence: "it is built in, and no language model"})
			continue
		}
		p := cfg.Providers[name]
		if p.Kind != "openai" {
			continue
		}
		f := bridge.Finding{Part: "provider " + name, Sentence: "it answers, and has " + strings.Join(used[name], ", ")}
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		lacks, err := openai.Lacks(ctx, openai.Config{BaseURL: p.BaseURL, APIKey: p.APIKey.Reveal()}, used[name])
		cancel()
		switch {
		case errors.Is(err, openai.ErrNoList):
			f.Grade, f.Sentence = bridge.Fine, "it answers; it does not list its models"
		case err != nil:
			f.Grade, f.Sentence, f.Mend = bridge.Problem, err.Error(), "look at providers."+name+" and its key in .env"
		case len(lacks) > 0:
			f.Grade, f.Sentence = bridge.Warning, "it does not list "+strings.Join(lacks, ", ")
			f.Mend = "look at the spelling; some providers do not list all they have"
		}
		found = append(found, f)
	}
	return found
}

// examineStore looks at the record without taking it.
func examineStore(ctx context.Context, cfg *config.Config) []bridge.Finding {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	f := bridge.Finding{Part: "store"}
	bad := func(err error) []bridge.Finding {
		f.Grade, f.Sentence = bridge.Problem, err.Error()
		return []bridge.Finding{f}
	}
	if cfg.Redis.Empty() {
		if _, err := os.Stat(filepath.Join(cfg.Dir, "bullpen.db")); errors.Is(err, fs.ErrNotExist) {
			f.Sentence = "there is no record yet; bullpen up makes it"
			return []bridge.Finding{f}
		}
	}
	b := bridge.New(cfg.Setup.ID, command.NewSet())
	store, err := openStore(ctx, cfg, b)
	if err != nil {
		return bad(err)
	}
	snap, err := store.Load(ctx)
	if err = errors.Join(err, store.Close()); err != nil {
		return bad(err)
	}
	f.Sentence = "the record can be read"
	if !cfg.Redis.Empty() {
		f.Sentence += ". " + strings.TrimPrefix(strings.Join(b.Connections(), " "), "store: ")
		if !strings.Contains(f.Sentence, "nothing is lost") {
			f.Grade = bridge.Warning
		}
	}
	found := []bridge.Finding{f}
	if who, held, err := holder(ctx, cfg); err == nil && held {
		found = append(found, bridge.Finding{Part: "office", Sentence: fmt.Sprintf("it is running: %s, process %d on %s", who.Program, who.PID, who.Host)})
	} else if n := len(snap.Turns); n > 0 {
		found = append(found, bridge.Finding{Part: "office", Sentence: fmt.Sprintf("it is not running; %s will go on when it does", counted(n, "turn"))})
	}
	return found
}

// examineWorkspaces names those who work in folders of the machine; loading has
// looked whether they may.
func examineWorkspaces(_ context.Context, cfg *config.Config) []bridge.Finding {
	var found []bridge.Finding
	for _, who := range cfg.Setup.Colleagues {
		if who.Cwd != "" {
			found = append(found, bridge.Finding{
				Grade: bridge.Warning, Part: "workspace", Sentence: fmt.Sprintf("%s works in %s (cwd): it may read and change all that is there", who.Name, who.Cwd),
				Mend: "leave cwd out if that is not meant",
			})
		}
	}
	return found
}

// examineShell runs a script as a colleague's would be run.
func examineShell(ctx context.Context, cfg *config.Config) []bridge.Finding {
	sh, sentence := newShells(cfg, func() *config.Config { return cfg })
	f := bridge.Finding{Part: "shell", Sentence: strings.TrimPrefix(sentence, "shell: ")}
	if sh == nil || !sh.confine {
		f.Grade = bridge.Warning
	}
	if sh == nil {
		return []bridge.Finding{f}
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "bullpen-doctor-")
	if err != nil {
		return []bridge.Finding{{Grade: bridge.Warning, Part: "shell", Sentence: "it could not be tried: " + err.Error()}}
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is of no more use
	run, err := sh.shell(ctx, &office.Colleague{}, dir)
	out, failed := "", false
	if err == nil {
		out, failed, err = run.Run(ctx, "echo works", lookTime, func() {})
	}
	if err != nil || failed || !strings.Contains(out, "works") {
		f.Grade, f.Sentence = bridge.Problem, strings.TrimSpace(fmt.Sprintf("a script could not be run: %s %v", out, err))
		f.Mend = "bubblewrap needs user namespaces (sysctl kernel.unprivileged_userns_clone, or AppArmor's restriction of them); without it deny the tool bash"
	}
	return []bridge.Finding{f}
}
