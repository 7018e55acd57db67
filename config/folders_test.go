package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office"
)

// A folder that a colleague is to work in is looked at when the file is read, and
// kept as it is written.
func TestWorkFolders(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"note": "", FileName: "agents:\n  al: {cwd: shared}\n  bo: {cwd: shared}\n  cy: {cwd: }\n"})
	if err := os.MkdirAll(filepath.Join(dir, "shared"), 0o700); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"shared", "shared", ""} {
		if got := cfg.Setup.Colleagues[i].Cwd; got != want {
			t.Errorf("%s works in %q, want %q", cfg.Setup.Colleagues[i].Name, got, want)
		}
	}
	for cwd, want := range map[string]string{
		"gone":                     `office.yaml:4:10: agents.bo.cwd: "gone" does not exist; make the folder`,
		"note":                     `office.yaml:4:10: agents.bo.cwd: "note" is no folder; name another`,
		".":                        `office.yaml:4:10: agents.bo.cwd: "." is the office's folder, or holds it`,
		`"~"`:                      `"~" is your home folder`,
		"/":                        "root of this machine",
		`""`:                       "names no folder",
		`"a\u202eb"`:               "invisible character",
		"[a]":                      "must be a single value",
		`"${SLACK_BOT_TOKEN}"`:     "is the secret of adapters.slack.bot_token",
		`"${API_URL}"`:             "the value of ${API_URL} does not exist",
		strings.Repeat("x/", 2100): "longer than 4096",
	} {
		text := "agents:\n  al: {}\n  bo:\n    cwd: " + cwd + "\nadapters: {slack: {app_token: \"${SLACK_APP_TOKEN}\", bot_token: \"${SLACK_BOT_TOKEN}\"}}\n"
		if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir, known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("cwd: %.40s is told as %v, want %q", cwd, err, want)
		}
	}
}

// A command's folder is looked at before it is written; whoever comes back has the
// key again.
func TestAWorkFolderIsWritten(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, "agents:\n  al: {}\n  bo: {}\n")
	dir := filepath.Dir(path)
	if err := os.Mkdir(filepath.Join(dir, "shared"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := textOf(t, path)
	if _, err := f.Edit(t.Context(), office.SetColleague{Name: "al", Fields: map[string]any{"cwd": "agents"}}); err == nil || !strings.Contains(err.Error(), `agents.al.cwd: "agents" does not exist`) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if got := textOf(t, path); got != before {
		t.Errorf("and the file is\n%s", got)
	}
	setup, err := f.Edit(t.Context(), office.SetColleague{Name: "al", Fields: map[string]any{"cwd": "shared"}})
	if err != nil || setup.Colleagues[0].Cwd != "shared" {
		t.Fatalf("%+v (%v)", setup.Colleagues, err)
	}
	al := setup.Colleagues[0]
	if _, err = f.Edit(t.Context(), office.RemoveColleague{Name: "al"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		setup, err = f.Edit(t.Context(), office.AddColleague{Colleague: al})
		if err != nil || setup.Colleagues[1].Cwd != "shared" || strings.Count(textOf(t, path), "cwd: shared") != 1 {
			t.Errorf("%v\n%s", err, textOf(t, path))
		}
	}
}
