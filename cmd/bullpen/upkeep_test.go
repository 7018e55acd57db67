package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/internal/sim/llm"
)

// shelled is an office of a file, and a command line at it.
func shelled(t *testing.T, yaml string) (dir string, run func(line string) (string, error)) {
	t.Helper()
	dir = writeOffice(t, yaml)
	cfg, err := load(dir, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	log, err := openLog(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.close() })
	b := bridge.New(cfg.Setup.ID, command.NewSet())
	_, closeOffice, err := openOffice(t.Context(), cfg, b, log, "test", new(branches))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closeOffice(time.Second); err != nil {
			t.Error(err)
		}
	})
	return dir, func(line string) (string, error) {
		a, err := b.Shell(context.WithoutCancel(t.Context()), strings.Fields(line), true)
		return a.Text, err
	}
}

// A model that cannot be had is refused before anything is stored: neither the
// file nor the roster knows of it.
func TestAModelThatIsNotThereIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	maker, err := llm.Start(llm.Options{Models: []string{"gpt-5", "gpt-5-mini"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = maker.Close() })
	yaml := "agents:\n  alice: {model: demo}\nproviders:\n  acme: {base_url: \"" + maker.URL() + "\"}\n"
	dir, run := shelled(t, yaml)
	for line, want := range map[string]string{
		"agent hire bob model=acmee:gpt-5":             "did you mean acme?",
		"agent hire bob model=acme:gpt-6":              "did you mean acme:gpt-5?",
		"agent hire bob model=acme:gtp-5 temporary=on": "did you mean acme:gpt-5?",
		"agent configure alice model=anthropic:claude": "no provider",
		"agent configure alice model=acme:":            "provider:model-id",
		"agent model alice acme:llama":                 "it has gpt-5, gpt-5-mini",
	} {
		if said, err := run(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", line, said, err, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "office.yaml")); err != nil || string(text) != yaml {
		t.Errorf("the file is\n%s(%v)", text, err)
	}
	if said, err := run("roster"); err != nil || strings.Contains(said, "bob") {
		t.Errorf("the roster is %q (%v)", said, err)
	}
	if said, err := run("agent model"); err != nil || !strings.Contains(said, "- acme:gpt-5-mini") {
		t.Errorf("the models are %q (%v)", said, err)
	}
	if said, err := run("agent model alice acme:gpt-5-mini"); err != nil {
		t.Errorf("a model that is there: %q, %v", said, err)
	}
}

// What is set from a command line stands in the file and holds at once.
func TestUpkeepIsWrittenDown(t *testing.T) {
	t.Parallel()
	dir, run := shelled(t, "# ours\nagents:\n  alice: {model: demo} # first\n")
	for _, step := range []struct{ line, want string }{
		{`budget set total=7.5USD colleague=2USD colleague_tokens=200000`, "all together may use 7.50 USD and 20,000,000 tokens of unknown price, each colleague 2 USD and 200,000 tokens"},
		{"budget", "- alice: 2 USD of 2 USD, 200,000 of 200,000 tokens"},
		{"cost", "- alice: 0 USD of 2 USD, 0 tokens of 200,000"},
		{"agent prompt alice set Answer in verse.", "prompt_inline"},
		{"agent prompt alice show", "Answer in verse."},
		{"agent prompt alice", "tools"},
		{"agent permission alice deny bash write", "permissions.tools"},
		{"agent permission alice allow read", "permissions.tools"},
		{"agent permission alice", "Holds: read"},
		{"agent files alice", "nothing in it"},
		{"validate", "is in order"},
	} {
		if said, err := run(step.line); err != nil || !strings.Contains(said, step.want) {
			t.Errorf("%s: %q (%v), want %q in it", step.line, said, err, step.want)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
	for _, want := range []string{"# ours\n", "# first", "Answer in verse.", "allow: [read]", `budget_per_day: "7.50 USD"`, `colleague_budget_per_day: "2 USD"`, "colleague_tokens_per_day: 200000"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%q is not in the file (%v):\n%s", want, err, text)
		}
	}
	if strings.Contains(string(text), "deny") {
		t.Errorf("what was denied before stands there still:\n%s", text)
	}
	if said, err := run("agent permission alice allow reed"); err == nil {
		t.Errorf("a tool that there is not: %q", said)
	}
	if _, err := run("budget set total=-"); err != nil {
		t.Error(err)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "office.yaml")); err != nil || strings.Contains(string(text), "7.50") {
		t.Errorf("back to the default the file is\n%s(%v)", text, err)
	}
}
