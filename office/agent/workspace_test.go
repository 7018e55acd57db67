package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/model"
)

// Who has a folder of the machine as its workspace reads, writes and gets files
// there and nowhere else, its memory among them; a way to it that leads elsewhere
// meanwhile fails the turn.
func TestAWorkspaceThatOfficeYAMLNames(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls(
				"read", `{"path":"goods"}`,
				"write", `{"path":"made/list","content":"pears"}`,
				"read", `{"path":"../beside"}`,
				"read", `{"path":"away"}`,
				"write", `{"path":"away","content":"x"}`,
			), nil
		}
		return say("done"), nil
	})
	shop, way := filepath.Join(s.dir, "shop"), filepath.Join(s.dir, "way")
	for name, text := range map[string]string{
		"goods": "apples", "memory/MEMORY.md": "The shop sells fruit.", "memory/people/kim.md": "Kim is fond of plums.", "../beside": "hidden",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(shop, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shop, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{filepath.Join(shop, "away"): "../beside", way: shop} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	s.dir = filepath.Join(s.dir, "acme")
	s.setup.Colleagues[0].Cwd = way
	s.open()
	long := "@alice " + strings.Repeat("a long order ", 2000)
	s.post(long)
	s.idle()
	if at, err := os.ReadFile(filepath.Join(shop, "inbox", "general-1.txt")); err != nil || string(at) != long {
		t.Errorf("the long message is there with %d bytes (%v)", len(at), err)
	}
	if got := m.requests()[0].System; !strings.Contains(got, "sells fruit") || strings.Contains(got, "fond of plums") {
		t.Errorf("the prompt is\n%s", got)
	}
	results := toolResults(m.last())
	for i, want := range []string{"apples", "made/list", "leaves the workspace", "away", "away"} {
		if len(results) <= i || !strings.Contains(results[i], want) || strings.Contains(results[i], "hidden") {
			t.Fatalf("the results are %q", results)
		}
	}
	if made, err := os.ReadFile(filepath.Join(shop, "made", "list")); err != nil || string(made) != "pears" {
		t.Errorf("it wrote %q (%v)", made, err)
	}
	if beside, err := os.ReadFile(filepath.Join(shop, "..", "beside")); err != nil || string(beside) != "hidden" {
		t.Errorf("beside it there is %q (%v)", beside, err)
	}
	if _, err := os.Lstat(filepath.Join(s.dir, "agents", "alice", "workspace")); err == nil {
		t.Error("it has a workspace of its own as well")
	}
	bobs := filepath.Join(s.dir, "agents", "bob")
	if err := os.MkdirAll(bobs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(way); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(bobs, way); err != nil {
		t.Fatal(err)
	}
	s.post("@alice again")
	s.idle()
	said := s.texts(office.General)
	if last := said[len(said)-1]; !strings.Contains(last, "the workspace of alice (cwd) is, holds, or lies in a folder that the office keeps") {
		t.Errorf("then the last words are %q", last)
	}
}

// The folder of who left goes to the archive, and what it worked in elsewhere stays.
func TestADismissalLeavesAFolderOfTheMachine(t *testing.T) {
	t.Parallel()
	dir, shop := t.TempDir(), t.TempDir()
	r := &agent.Runner{Folder: filepath.Join(dir, "agents")}
	c := office.Colleague{ID: "c1", ColleagueSetup: office.ColleagueSetup{Name: "alice", Cwd: shop}}
	for range 2 { // the second one is adopted
		root, err := r.Workspace(&c)
		if err != nil {
			t.Fatal(err)
		}
		if err := root.WriteFile("goods", []byte("apples"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := root.Close(); err != nil {
			t.Fatal(err)
		}
		if err := r.Archive(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if goods, err := os.ReadFile(filepath.Join(shop, "goods")); err != nil || string(goods) != "apples" {
			t.Errorf("after the dismissal there is %q (%v)", goods, err)
		}
		if all, err := os.ReadDir(filepath.Join(dir, "archive", "agents")); err != nil || len(all) != 1 {
			t.Errorf("the archive has %v (%v)", all, err)
		}
	}
}
