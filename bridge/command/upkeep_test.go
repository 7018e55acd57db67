package command_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
)

// furnished is a seat whose process knows prompts, tools, models and workspaces.
func furnished(t *testing.T) (*seat, command.Premises, string) {
	t.Helper()
	s := newSeat(t)
	dir := t.TempDir()
	return s, command.Premises{
		Prompt: func(_ context.Context, c *office.Colleague) (command.Prompt, error) {
			layers := []command.PromptLayer{{Name: "base", Text: "Be good."}, {Name: "custom", Text: c.Prompt}}
			return command.Prompt{Version: "7", Hash: "0123456789ab", Text: "Be good.\n\n" + c.Prompt, Layers: layers}, nil
		},
		Tools: func(c *office.Colleague) []string {
			var held []string
			for _, name := range []string{"bash", "read"} {
				if c.Holds(name, office.Need{}) {
					held = append(held, name)
				}
			}
			return held
		},
		Models: func(context.Context) []command.Model {
			return []command.Model{{Ref: "acme:big"}, {Ref: "demo", Note: "built in"}}
		},
		Workspace: func(*office.Colleague) (*os.Root, error) { return os.OpenRoot(dir) },
		OpenFile: func(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
			f, err := root.Open(name)
			if err != nil {
				return nil, nil, err
			}
			info, err := f.Stat()
			return f, info, err
		},
	}, dir
}

func (s *seat) with(p command.Premises, line string) (string, error) {
	call := s.call()
	call.Premises = p
	a, err := s.set.Run(context.Background(), call, line)
	return a.Text, err
}

func TestPromptsPermissionsAndModels(t *testing.T) {
	t.Parallel()
	s, p, _ := furnished(t)
	s.run("hire rita temporary=on model=none")
	for _, step := range []struct{ line, want string }{
		{"agent prompt rita", "version 7, sha256 0123456789ab, 10 characters, 2 tools"},
		{"agent prompt rita set Answer in verse.", "prompt_inline"},
		{"agent prompt rita append Be brief.", "prompt_inline"},
		{"agent prompt rita show", "Be good.\n\nAnswer in verse.\n\nBe brief."},
		{"agent prompt rita report", "- custom: 27 characters"},
		{"agent prompt rita clear", "prompt_inline"},
		{"agent prompt rita show", "Be good.\n\n"},
		{"agent permission rita", "Holds: bash, read"},
		{"agent permission rita deny bash", "permissions.tools"},
		{"agent permission rita show", "Denied: bash\nHolds: read"},
		{"agent permission rita allow read and bash", "permissions.tools"},
		{"agent permission rita", "Allowed alone: read, bash"},
		{"agent permission rita clear", "permissions.tools"},
		{"agent permission rita", "is a member with the permission full.\nHolds: bash, read"},
		{"agent model rita acme:big", "rita is configured: model"},
		{"setup", "On Slack and Telegram invite the bot"},
		{"agent model rita", "rita thinks with acme:big"},
		{"agent model", "- acme:big: rita\n- demo (built in)"},
	} {
		if got, err := s.with(p, step.line); err != nil || !strings.Contains(got, step.want) {
			t.Errorf("/%s says %q (%v), want %q in it", step.line, got, err, step.want)
		}
	}
	if got, err := s.with(p, "agent model"); err != nil || !strings.HasPrefix(got, "- none: alice, Ann Lee, dev") {
		t.Errorf("the models are\n%s (%v)", got, err)
	}
	s.refused("agent prompt rita set", "say what to set")
	s.refused("agent prompt rita hello", "say what to do with the text")
	s.refused("agent permission rita bash", "allow or to deny")
	s.refused("agent permission rita deny", "name the tools")
	s.who = office.Person{ID: "kim", Name: "Kim"}
	for _, line := range []string{"agent prompt rita show", "agent permission rita", "agent model", "agent files rita", "channel clear dev", "rename Mine", "validate"} {
		s.refused(line, "the owner and the admins")
	}
	s.refused("budget set total=5USD", "the owner of this office")
	if got := s.run("budget"); !strings.Contains(got, "- the office: 20 USD of 20 USD, 20,000,000 of 20,000,000 tokens of unknown price") || !strings.Contains(got, "- alice:") {
		t.Errorf("the budget is\n%s", got)
	}
}

func TestFilesStayWithinTheWorkspace(t *testing.T) {
	t.Parallel()
	s, p, dir := furnished(t)
	if _, err := s.with(p, "agent files alice"); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	err := errors.Join(
		os.Mkdir(filepath.Join(dir, "inbox"), 0o700), os.WriteFile(filepath.Join(dir, "inbox", "my plan.md"), []byte("Ship it."), 0o600),
		os.WriteFile(filepath.Join(dir, "blob"), []byte{0, 1, 2}, 0o600), os.WriteFile(filepath.Join(dir, "long"), []byte(strings.Repeat("ä", 20_000)), 0o600),
		os.WriteFile(secret, []byte("psst"), 0o600), os.Symlink(secret, filepath.Join(dir, "out")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ line, want string }{
		{"agent files alice", "- inbox/\n- long: 40,000 bytes"},
		{"agent files alice list inbox", "- inbox/my plan.md: 8 bytes"},
		{"agent files alice get inbox/my plan.md", "Ship it."},
		{"agent files alice get long", "of 40,000 bytes"},
		{"agent files alice get inbox", "my plan.md"},
	} {
		if got, err := s.with(p, step.line); err != nil || !strings.Contains(got, step.want) {
			t.Errorf("/%s says %.200q (%v), want %q in it", step.line, got, err, step.want)
		}
	}
	for _, line := range []string{
		"agent files alice get ../secret", "agent files alice get out", "agent files alice list ..", "agent files alice get nothing",
		"agent files alice get", "agent files alice get blob", "agent files alice get inbox/../../x",
	} {
		got, err := s.with(p, line)
		if err == nil || strings.Contains(got+err.Error(), "psst") || strings.Contains(err.Error(), dir) {
			t.Errorf("/%s says %q (%v)", line, got, err)
		}
	}
}

func TestClearingAChannel(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.refused("channel clear ops --yes", "holds no messages")
	for range 3 {
		s.post(office.Post{Person: "olga", Channel: "ops", Text: "old news"})
	}
	if a, err := s.try("channel clear ops"); err != nil || a.Confirm == nil || !strings.Contains(a.Text, "Clear #ops?") {
		t.Fatalf("it asks %+v (%v)", a, err)
	}
	if got := s.run("channel clear ops --yes"); !strings.Contains(got, "ops-4") {
		t.Errorf("it says %q", got)
	}
	if m, err := s.o.Message(t.Context(), office.Anchor{Channel: "ops", Seq: 2}); err != nil || !strings.Contains(m.Text, "cleared by Olga") {
		t.Errorf("in place of its messages stands %+v (%v)", m, err)
	}
	s.refused("channel clear ops --yes", "cleared already")
}

func TestAPreviewNeedsNoChannel(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for line, want := range map[string]string{
		"preview @alice hi":      "In #general it would be for @alice",
		"preview #dev @alice hi": "In #dev it would be for @alice",
		"preview dev @alice hi":  "In #dev it would be for @alice",
		"preview hello all":      "It would wake nobody",
	} {
		if got := s.run(line); !strings.Contains(got, want) {
			t.Errorf("/%s says %q, want %q", line, got, want)
		}
	}
	s.place = command.Place{Channel: "dev", Label: "#dev"}
	if got := s.run("preview @alice hi"); !strings.Contains(got, "In #dev") {
		t.Errorf("in #dev it says %q", got)
	}
}

// Where there are no forms a setting is found by pressing buttons alone.
func TestConfiguringByButtons(t *testing.T) {
	t.Parallel()
	s, p, _ := furnished(t)
	s.run("hire rita temporary=on model=none")
	call := s.call()
	call.Premises = p
	args := map[string]string{"colleague": "rita"}
	c, _ := s.set.Command("telegram", command.AgentRoot, "configure")
	offered := func() []string {
		t.Helper()
		var missing *command.Missing
		if _, err := s.set.RunTyped(t.Context(), call, c, args); !errors.As(err, &missing) {
			t.Fatalf("%v: %v", args, err)
		}
		all, err := s.set.Complete(t.Context(), call, missing.Command, missing.Arg.Name, "")
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, x := range all {
			values = append(values, x.Value)
		}
		return values
	}
	if got := strings.Join(offered(), " "); got != "role description model reports_to thinking priority cwd" {
		t.Errorf("there are offered %s", got)
	}
	for setting, want := range map[string]string{"role": "member leader", "model": "acme:big demo", "description": "", "reports_to": "alice Ann Lee dev rita"} {
		args["setting"] = setting
		if got := strings.Join(offered(), " "); got != want {
			t.Errorf("%s may be %q, want %q", setting, got, want)
		}
	}
	args["setting"], args["role"] = "role", "leader"
	if a, err := s.set.RunTyped(t.Context(), call, c, args); err != nil || !strings.Contains(a.Text, "rita is configured: role") {
		t.Errorf("it says %+v (%v)", a, err)
	}
}

// A command of a bundle is typed with its group or without.
func TestBundlesMayBeTyped(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for _, line := range []string{"logs audit", "office logs audit", "admin logs audit", "office admin logs audit"} {
		if _, err := s.try(line); err != nil {
			t.Errorf("/%s: %v", line, err)
		}
	}
	s.refused("admin status", "no command")
}
