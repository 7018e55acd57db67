package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/agent"
)

// A folder of the machine that the owner names is a colleague's workspace from then
// on: for its files and its scripts, which reach nothing beside it, until it is named
// no more. Who leaves leaves it as it is, and finds it again.
func TestAFolderOfTheMachineIsAWorkspace(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	shop, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, config.FileName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const text = "agents:\n  alice: {}\n  bob: {}\n"
	for name, text := range map[string]string{file: text, filepath.Join(shop, "goods"): "apples"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Load(dir, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	log, err := openLog(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b := bridge.New(cfg.Setup.ID, command.NewSet())
	o, closeOffice, err := openOffice(t.Context(), cfg, b, log, "a test", new(branches))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closeOffice(time.Minute); err != nil {
			t.Error(err)
		}
	}()
	says := func(want string, words ...string) {
		t.Helper()
		ans, err := b.Shell(t.Context(), words, false)
		got := ans.Text
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%v says %q, want %q", words, got, want)
		}
	}
	says(`agents.alice.cwd: "logs" is, holds, or lies in a folder that the office keeps`, "agent", "configure", "alice", "cwd=logs")
	says("from its next turn on", "agent", "configure", "alice", "cwd="+shop)
	says("goods: 6 bytes", "agent", "files", "alice")
	says("apples", "agent", "files", "alice", "get", "goods")
	says("There is nothing in it.", "agent", "files", "bob")
	says("works in "+shop, "who", "alice")
	says(", works in "+shop, "status")
	if cfg, err = config.Load(dir, os.LookupEnv); err != nil {
		t.Fatal(err)
	}
	if f := examineWorkspaces(t.Context(), cfg); len(f) != 1 || f[0].Grade != bridge.Warning || !strings.Contains(f[0].Sentence, "alice works in "+shop) {
		t.Errorf("doctor finds %+v", f)
	}
	if got := scriptOf(t, cfg, o, `cat goods; echo pears > more; ls -A . `+filepath.Dir(shop)+` 2>&1; echo x > ../out`); !strings.HasPrefix(got, "apples") || !strings.Contains(got, "No such file") {
		t.Errorf("a script of alice says %q", got)
	}
	if more, err := os.ReadFile(filepath.Join(shop, "more")); err != nil || string(more) != "pears\n" {
		t.Errorf("and leaves %q (%v)", more, err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(shop), "out")); err == nil {
		t.Error("and writes beside the folder")
	}
	says("and the folder that it works in (cwd) is left as it is", "agent", "dismiss", "alice", "--yes")
	if goods, err := os.ReadFile(filepath.Join(shop, "goods")); err != nil || string(goods) != "apples" {
		t.Errorf("after the dismissal there is %q (%v)", goods, err)
	}
	says("alice is with the office", "agent", "adopt", "alice")
	says("goods: 6 bytes", "agent", "files", "alice")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	says("alice goes on with other settings: cwd", "reload")
	says("There is nothing in it.", "agent", "files", "alice")
}

// scriptOf runs a confined script as one of the first colleague's.
func scriptOf(t *testing.T, cfg *config.Config, o *office.Office, text string) string {
	t.Helper()
	v, err := o.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sh, sentence := newShells(cfg, func() *config.Config { return cfg })
	if sh == nil {
		t.Fatal(sentence)
	}
	runner := &agent.Runner{Folder: filepath.Join(cfg.Dir, "agents"), Shell: sh.shell, Log: slog.New(slog.DiscardHandler)}
	root, err := runner.Workspace(&v.Colleagues[0].Colleague)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close() //nolint:errcheck // only its name is used
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run, err := runner.Shell(ctx, &v.Colleagues[0].Colleague, root.Name())
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := run.Run(ctx, text, time.Minute, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
