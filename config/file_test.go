package config

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"bullpen/office"
)

// plainSetup is what a program without adapters makes of a configuration.
func plainSetup(c *Config) office.Setup { return c.Setup }

func fileOf(t *testing.T, text string) (*File, string) {
	t.Helper()
	dir := folder(t, map[string]string{FileName: text})
	return OpenFile(dir, known, plainSetup), filepath.Join(dir, FileName)
}

func textOf(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const team = `# Our office.
office:
  front_desk: "Lead"   # answers
  channels:
    dev: {members: [coder, 'reviewer'], default_wake: ["@Coder"]} # dev
    general:
      default_wake:
        - "＠reviewer"   # fullwidth
people:
  maria: {slack: U012ABC} # owner
adapters:
  slack:
    app_token: "${SLACK_APP_TOKEN}"
    bot_token: "${SLACK_BOT_TOKEN}"
    channels:
      dev: "#dev"
agents:
  Lead:
    model: demo
  # The coder.
  coder: # writes
    model: demo
    reports_to: lead
  reviewer: {model: demo, reports_to: LEAD}
`

func TestTheFileKeepsItsModeAndItsLink(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, team)
	target := filepath.Join(t.TempDir(), "the-real.yaml")
	if err := errors.Join(os.Rename(path, target), os.Chmod(target, 0o640), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Edit(t.Context(), office.RemoveColleague{Name: "coder"}); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(path); err != nil || to != target {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 || strings.Contains(textOf(t, target), "writes") {
		t.Errorf("the file is %v (%v)\n%s", info.Mode(), err, textOf(t, target))
	}
}

func TestAnEditByHandMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, team)
	var once sync.Once
	f.env = func(name string) (string, bool) {
		once.Do(func() { // the file is read, and not written yet
			if err := os.WriteFile(path, []byte(strings.Replace(team, "# Our office.", "# By hand.", 1)), 0o600); err != nil {
				t.Error(err)
			}
		})
		return known(name)
	}
	if _, err := f.Edit(t.Context(), office.RemoveColleague{Name: "coder"}); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, path); !strings.Contains(got, "# By hand.") || strings.Contains(got, "coder:") {
		t.Errorf("the file is now\n%s", got)
	}
}

func TestAWriteThatFails(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, team)
	f.replace = func(string, []byte) error {
		return sayFull(&os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC})
	}
	_, err := f.Edit(t.Context(), office.RemoveColleague{Name: "coder"})
	if err == nil || !strings.Contains(err.Error(), "is as it was: the disk is full; make room") {
		t.Errorf("it said %v", err)
	}
	if textOf(t, path) != team {
		t.Error("the file changed")
	}
}

func TestALockedFileEndsWithItsContext(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, team)
	other := *f
	entered, leave := make(chan struct{}), make(chan struct{})
	other.replace = func(path string, text []byte) error { close(entered); <-leave; return replaceFile(path, text) }
	done := make(chan error, 1)
	go func() {
		_, err := other.Edit(context.WithoutCancel(t.Context()), office.RemoveColleague{Name: "coder"})
		done <- err
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Edit(ctx, office.RemoveColleague{Name: "reviewer"}); !errors.Is(err, context.Canceled) {
		t.Errorf("it said %v", err)
	}
	close(leave)
	if err := <-done; err != nil || strings.Contains(textOf(t, path), "coder:") {
		t.Errorf("the first edit ended with %v", err)
	}
}

// TestEditsOfSeveralProcesses starts this test again as processes that hire.
func TestEditsOfSeveralProcesses(t *testing.T) {
	const dirVariable, nameVariable, each = "BULLPEN_TEST_DIR", "BULLPEN_TEST_NAME", 15
	if dir := os.Getenv(dirVariable); dir != "" {
		f := OpenFile(dir, known, plainSetup)
		for i := range each {
			c := office.ColleagueSetup{Name: os.Getenv(nameVariable) + strconv.Itoa(i), Role: office.Member, Model: "demo"}
			if _, err := f.Edit(t.Context(), office.AddColleague{Colleague: c}); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	f, path := fileOf(t, team)
	var running sync.WaitGroup
	for _, name := range []string{"ann", "ben"} {
		running.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestEditsOfSeveralProcesses$")
			cmd.Env = append(os.Environ(), dirVariable+"="+filepath.Dir(path), nameVariable+"="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	running.Wait()
	setup, err := f.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(setup.Colleagues); n != 3+2*each {
		t.Errorf("there are %d colleagues, want %d", n, 3+2*each)
	}
	if got := textOf(t, path); !strings.HasPrefix(got, team) {
		t.Errorf("what stood there is changed:\n%s", got)
	}
}
