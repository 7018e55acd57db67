package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"
)

// A variable that is set by a command is in office.yaml, in the colleague's prompt by
// its name, and in the environment of its next script; the office's are with it, and
// what stands in .env alone is not.
func TestAVariableReachesScripts(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	file := filepath.Join(dir, config.FileName)
	text := "office:\n  env: {SHARED: everybody's, TAKEN: \"${KEPT}\"}\nsandbox: {confine: off}\nagents:\n  alice: {}\n  bob: {}\n"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{file: text, filepath.Join(dir, config.EnvName): "KEPT=kept value\nOTHER=hidden\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := func() *config.Config {
		cfg, err := config.Load(dir, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		return cfg
	}
	cfg := load()
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
	say := func(words ...string) string {
		ans, err := b.Shell(t.Context(), words, false)
		if err != nil {
			t.Fatalf("%v: %v", words, err)
		}
		return ans.Text
	}
	say("agent", "env", "set", "alice", "SHARED", "alice's own")
	say("agent", "env", "alice", "set", "LEVEL=5")
	if got := say("agent", "prompt", "show", "alice"); !strings.Contains(got, "environment: LEVEL, SHARED, TAKEN.") || strings.Contains(got, "kept value") {
		t.Errorf("the prompt is\n%s", got)
	}
	sh, _ := newShells(cfg, load)
	script := func(name string) string {
		run, err := sh.shell(t.Context(), &office.Colleague{ColleagueSetup: office.ColleagueSetup{Name: name}}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := run.Run(t.Context(), `echo "$SHARED|$TAKEN|$LEVEL|$OTHER"`, time.Minute, func() {})
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	if got, want := script("alice"), "alice's own|kept value|5|"; got != want {
		t.Errorf("alice's script finds %q, want %q", got, want)
	}
	if got, want := script("bob"), "everybody's|kept value||"; got != want {
		t.Errorf("bob's script finds %q, want %q", got, want)
	}
	say("agent", "env", "alice", "unset", "SHARED")
	if got, want := script("alice"), "everybody's|kept value|5|"; got != want {
		t.Errorf("then alice's script finds %q, want %q", got, want)
	}
	v, err := o.View(t.Context())
	if err != nil || len(v.Colleagues[0].Env) != 1 || v.Env["TAKEN"] != "${KEPT}" {
		t.Errorf("the record has %v and %v (%v)", v.Colleagues[0].Env, v.Env, err)
	}
}
