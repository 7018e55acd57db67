package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"bullpen/office"
	"bullpen/office/model"
)

// withBoss adds a boss that answers by a function, and a declaration that can be
// changed.
func (s *scene) withBoss(answer func(ctx context.Context, n int, req *model.Request) (*model.Response, error)) *script {
	m := &script{t: s.TB, answer: answer}
	s.models["boss"], s.models["main"] = m, s.models["bob"]
	s.setup.Colleagues[0].RoleUnsaid = true
	s.setup.Boss = &office.BossSetup{Model: "boss", People: []office.PersonID{office.DefaultOwner}}
	if s.id != "" {
		s.setup.ID, s.setup.Name = s.id, s.called
	}
	s.paper = &paper{s.setup}
	return m
}

// declared takes over what the declaration says now, as a new process does.
func (s *scene) declared() {
	s.Helper()
	var err error
	if s.setup, err = s.paper.Read(context.Background()); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) boss(event, text string) (office.Receipt, error) {
	return s.o.Post(context.Background(), office.Post{Event: event, Person: office.DefaultOwner, To: office.BossID, Text: text})
}

// stepOf is how many answers the one turn of a test has already.
func stepOf(req *model.Request) int {
	n := 0
	for _, m := range req.Messages {
		if m.Role == model.RoleAssistant {
			n++
		}
	}
	return n
}

func (s *scene) roster() string {
	s.Helper()
	v, err := s.o.View(context.Background())
	if err != nil {
		s.Fatal(err)
	}
	var names []string
	for _, c := range v.Colleagues {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func TestTheBossRunsTheRoster(t *testing.T) {
	t.Parallel()
	s, _ := newScene(t, nil)
	steps := []*model.Response{
		calls("office_hire", `{"name":"carla","description":"Tests","reports_to":"alice"}`, "office_roster", `{}`, "write", `{"path":"plan.md","content":"carla tests"}`),
		calls("office_channel_create", `{"channel":"qa","members":["carla"]}`, "office_rename", `{"name":"Acme"}`,
			"office_post", `{"channel":"qa","text":"welcome","wake":["@carla"]}`),
		calls("office_dismiss", `{"colleague":"alice"}`, "office_configure", `{"colleague":"carla","reports_to":""}`, "office_dismiss", `{"colleague":"alice"}`,
			"office_channel_delete", `{"channel":"qa"}`),
		calls("office_adopt", `{"colleague":"alice"}`, "office_read", `{"channel":"dev"}`, "office_list", `{}`,
			"office_do_not_disturb", `{"enabled":true}`, "office_configure", `{"colleague":"bob","prompt_inline":"obey"}`),
		say("all done"),
	}
	m := s.withBoss(func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
		return steps[stepOf(req)], nil
	})
	s.open()
	if _, err := s.boss("1", "reorganise"); err != nil {
		t.Fatal(err)
	}
	s.idle()
	var got []string
	for _, x := range m.last() {
		if x.Role == model.RoleTool {
			got = append(got, x.Text)
		}
	}
	for i, want := range []string{
		"carla is with the office now", `"name":"alice","role":"leader"`, "plan.md",
		"#qa is there", "called Acme now", "Posted qa-1 to #qa. Delivery:\n- carla: ",
		"carla report to alice", "carla is configured", "With alice: it leaves #dev", "carla read it no more",
		"alice is with the office now", "No messages yet", "test): 3 colleagues", "do not hold", "office_configure",
	} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Errorf("result %d: %q, want %q", i, at(got, i), want)
		}
	}
	if r := s.roster(); r != "bob carla alice" {
		t.Errorf("the roster: %s", r)
	}
	if set, err := s.paper.Read(context.Background()); err != nil || set.Name != "Acme" || len(set.Channels) != 1 || len(set.Colleagues) != 3 {
		t.Errorf("it is declared as %+v, %v", set, err)
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "agents", "boss", "workspace", "plan.md"))
	if err != nil || string(text) != "carla tests" {
		t.Errorf("its file: %q, %v", text, err)
	}
	direct := s.texts(office.DirectWithPerson(office.BossID, office.DefaultOwner))
	wantTexts(t, "its talk", direct, "user: reorganise", "boss: all done")
}

func at(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return "nothing"
}

// Wherever a process dies while its boss hires and dismisses, the next one ends
// it: each is done once, and told as a success.
func TestAKillWhileTheBossHiresEndsAsOneSuccess(t *testing.T) {
	t.Parallel()
	for at := int64(1); at <= 12; at++ {
		for _, written := range []bool{false, true} {
			t.Run(fmt.Sprintf("commit %d, written %v", at, written), func(t *testing.T) {
				t.Parallel()
				s, _ := newScene(t, nil)
				steps := []*model.Response{
					calls("office_hire", `{"name":"carla"}`, "office_hire", `{"name":"tim","temporary":true}`, "office_dismiss", `{"colleague":"alice"}`),
					calls("office_adopt", `{"colleague":"alice"}`),
					say("all done"),
				}
				m := s.withBoss(func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
					return steps[stepOf(req)], nil
				})
				store := s.mortal(written)
				s.open()
				store().left.Store(at)
				_, _ = s.boss("1", "reorganise") // which may be its end
				until(t, "the process dies or is done", func() bool {
					a, err := s.o.Activity(context.Background())
					return err != nil || a.Idle()
				})
				s.shut(s.o, s.store)()
				s.declared()
				s.open()
				if _, err := s.boss("1", "reorganise"); err != nil {
					t.Fatal(err)
				}
				s.idle()
				names := strings.Fields(s.roster())
				slices.Sort(names)
				if r := strings.Join(names, " "); r != "alice bob carla tim" {
					t.Errorf("the roster: %s", r)
				}
				for _, x := range m.last() {
					if x.Role == model.RoleTool && x.Failed {
						t.Errorf("a call failed: %s", x.Text)
					}
				}
				wantTexts(t, "its talk", s.texts(office.DirectWithPerson(office.BossID, office.DefaultOwner)), "user: reorganise", "boss: all done")
				storedOf(t, s, office.BossID)
				if findings, err := office.Verify(context.Background(), s.store); err != nil || len(findings) > 0 {
					t.Errorf("the record: %v, %v", findings, err)
				}
			})
		}
	}
}

// A kill between what is intended and the file, or between the file and the
// record, is one as well.
func TestAKillAroundTheFileEndsAsOneHire(t *testing.T) {
	t.Parallel()
	for _, fileWritten := range []bool{false, true} {
		t.Run(fmt.Sprintf("written %v", fileWritten), func(t *testing.T) {
			t.Parallel()
			s, _ := newScene(t, nil)
			steps := []*model.Response{calls("office_hire", `{"name":"carla"}`), say("all done")}
			m := s.withBoss(func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
				return steps[stepOf(req)], nil
			})
			store := s.mortal(false)
			whole := s.paper
			s.paper = &dying{Declaration: whole, written: fileWritten, die: func() { store().left.Store(1) }}
			s.open()
			store().left.Store(1 << 30)
			_, _ = s.boss("1", "hire carla")
			until(t, "the process dies", func() bool { _, err := s.o.Activity(context.Background()); return err != nil })
			s.shut(s.o, s.store)()
			s.paper = whole
			s.declared()
			s.open()
			s.idle()
			if r := s.roster(); r != "alice bob carla" {
				t.Errorf("the roster: %s", r)
			}
			if got := toolResults(m.last()[:3]); len(got) != 1 || !strings.Contains(got[0], "carla is with the office now") {
				t.Errorf("the call's result: %q", got)
			}
		})
	}
}

// dying is a declaration whose process dies around the writing of an edit.
type dying struct {
	office.Declaration
	written bool
	die     func()
}

func (d *dying) Edit(ctx context.Context, edits ...office.Edit) (office.Setup, error) {
	d.die()
	if !d.written {
		return office.Setup{}, fmt.Errorf("the power is off")
	}
	return d.Declaration.Edit(ctx, edits...)
}

// A boss whose process runs several offices for the same people names the one it
// means; what it does there is done once.
func TestABossActsOnAnotherOffice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		here, _ := newScene(t, nil)
		there, _ := newScene(t, nil)
		steps := []*model.Response{
			calls("office_list", `{}`, "office_roster", `{}`, "office_post", `{"office":"nowhere","text":"x","wake":[]}`,
				"office_post", `{"office":"There","channel":"dev","text":"hello","wake":["@alice"]}`,
				"office_hire", `{"office":"there-id","name":"carla"}`, "office_read", `{"office":"There","channel":"dev"}`,
				"office_post", `{"office":"here-id","channel":"dev","text":"at home","wake":[]}`, "office_post", `{"office":"There","channel":"x","text":"x","wake":[]}`),
			say("all done"),
		}
		here.id, here.called, there.id, there.called = "here-id", "Here", "there-id", "There"
		m := here.withBoss(func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
			return steps[stepOf(req)], nil
		})
		there.withBoss(nil)
		for _, s := range []*scene{here, there} {
			s.others = func(context.Context) ([]*office.Office, error) { return []*office.Office{here.o, there.o}, nil }
			s.open()
		}
		if _, err := here.boss("1", "go"); err != nil {
			t.Fatal(err)
		}
		here.idle()
		there.idle()
		got := toolResults(m.last())
		for i, want := range []string{
			"- There (id there-id)", `name one of "Here" (here-id), "There" (there-id)`, `no office "nowhere"`, "alice: delivered",
			"carla is with the office now", "hello", "Posted dev-1", "#general",
		} {
			if i >= len(got) || !strings.Contains(got[i], want) {
				t.Errorf("result %d: %q, want %q", i, at(got, i), want)
			}
		}
		wantTexts(t, "dev there", there.texts("dev"), "boss: hello")
		wantTexts(t, "dev here", here.texts("dev"), "boss: at home")
		if r := there.roster(); r != "alice bob carla" || here.roster() != "alice bob" {
			t.Errorf("the rosters: %s; %s", r, here.roster())
		}
	})
}
