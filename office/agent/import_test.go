package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/model"
)

// agentFolder makes an agent's folder with a file, an identity and links.
func agentFolder(t testing.TB, dir string) {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	for name, text := range map[string]string{
		secret: "hidden", filepath.Join(dir, "workspace", "notes", "mine.txt"): "kept", filepath.Join(dir, "agent.md"): "You count beans.\n",
		filepath.Join(dir, "skills", "count", "SKILL.md"): "# Count", filepath.Join(dir, "other.txt"): "not taken",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"workspace/link", "skills/link"} {
		if err := os.Symlink(secret, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFolderBecomesAColleague(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, _ := newScene(t, nil)
	reads := &script{t: t, answer: func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
		if stepOf(req) == 0 {
			return calls("read", `{"path":"notes/mine.txt"}`), nil
		}
		return say("read it"), nil
	}}
	s.models["main"] = reads
	s.setup.People = []office.Person{{ID: "user", Name: "user", Owner: true, Admin: true}, {ID: "adam", Name: "adam", Admin: true}, {ID: "kim", Name: "kim"}}
	s.paper = &paper{s.setup}
	inside, outside := filepath.Join(s.dir, "agents", "carla"), filepath.Join(t.TempDir(), "otto")
	agentFolder(t, inside)
	agentFolder(t, outside)
	s.open()
	for _, tc := range []struct {
		folder string
		by     office.PersonID
		want   string
	}{
		{outside, "adam", "only the owner"},
		{"agents/../../etc", "adam", "no folder's name"},
		{"agents/carla", "kim", "only the owner and the admins"},
		{"agents/nobody", "adam", "there is no folder"},
		{filepath.Join(outside, "workspace", "link"), "user", "is no folder"},
		{filepath.Join(outside, "skills"), "user", "no agent's folder"},
	} {
		if _, err := s.o.AdoptFolder(ctx, tc.folder, false, tc.by, "a test"); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s by %s: %v, want %q", tc.folder, tc.by, err, tc.want)
		}
	}
	if h, err := s.o.AdoptFolder(ctx, "agents/carla", false, "adam", "a test"); err != nil || h.Name != "carla" {
		t.Fatalf("from inside: %+v, %v", h, err)
	}
	if h, err := s.o.AdoptFolder(ctx, outside, true, "user", "a test"); err != nil || !h.Ephemeral {
		t.Fatalf("from outside: %+v, %v", h, err)
	}
	s.idle()
	if n := len(reads.requests()); n != 0 {
		t.Errorf("adopting began turns: %d requests", n)
	}
	for _, name := range []string{"carla", "otto"} {
		s.post("@" + name + " look")
		s.idle()
		if got := toolResults(reads.last()); len(got) != 1 || !strings.Contains(got[0], "kept") {
			t.Errorf("%s reads %q", name, got)
		}
	}
	v, err := s.o.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Colleagues[2:] {
		if c.Prompt != "You count beans." {
			t.Errorf("%s is told %q", c.Name, c.Prompt)
		}
	}
	copied := filepath.Join(s.dir, "agents", "otto")
	for name, there := range map[string]bool{"skills/count/SKILL.md": true, "workspace/link": false, "skills/link": false, "other.txt": false} {
		if _, err := os.Lstat(filepath.Join(copied, name)); (err == nil) != there {
			t.Errorf("%s in the copy: %v, want %v", name, err == nil, there)
		}
	}
	if _, err := s.o.AdoptFolder(ctx, outside, true, "user", "a test"); err == nil || !strings.Contains(err.Error(), "otto") {
		t.Errorf("adopted twice: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, "agents", ".adopting-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestTheBossAdoptsAFolderOnceOverAKill(t *testing.T) {
	t.Parallel()
	for _, written := range []bool{false, true} {
		s, _ := newScene(t, nil)
		steps := []*model.Response{calls("office_adopt", `{"colleague":"carla","folder":true}`, "office_adopt", `{"colleague":"/etc","folder":true}`), say("all done")}
		m := s.withBoss(func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
			return steps[stepOf(req)], nil
		})
		agentFolder(t, filepath.Join(s.dir, "agents", "carla"))
		store := s.mortal(written)
		s.open()
		store().left.Store(4)
		_, _ = s.boss("1", "adopt carla")
		until(t, "the process dies", func() bool { _, err := s.o.Activity(context.Background()); return err != nil })
		s.shut(s.o, s.store)()
		s.declared()
		s.open()
		s.idle()
		if r := s.roster(); r != "alice bob carla" {
			t.Errorf("the roster: %s", r)
		}
		var got []string
		for _, x := range m.last() {
			if x.Role == model.RoleTool {
				got = append(got, x.Text)
			}
		}
		if !strings.Contains(at(got, 0), "carla is with the office now") || !strings.Contains(at(got, 1), "only the owner") {
			t.Errorf("results %q", got)
		}
	}
}
