package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
)

// paper is a declaration in memory, as far as these tests change it.
type paper struct{ setup office.Setup }

func (p *paper) Read(context.Context) (office.Setup, error) { return p.setup, nil }

func (p *paper) Edit(_ context.Context, edits ...office.Edit) (office.Setup, error) {
	all := slices.Clone(p.setup.Colleagues)
	named := func(name string) int {
		return slices.IndexFunc(all, func(c office.ColleagueSetup) bool { return c.Name == name })
	}
	for _, e := range edits {
		switch e := e.(type) {
		case office.AddChannel:
			p.setup.Channels = append(slices.Clone(p.setup.Channels), e.Channel)
		case office.RemoveChannel:
			p.setup.Channels = slices.DeleteFunc(slices.Clone(p.setup.Channels), func(c office.ChannelSetup) bool { return c.Name == e.Name })
		case office.AddColleague:
			if named(e.Colleague.Name) < 0 {
				all = append(all, e.Colleague)
			}
		case office.RemoveColleague:
			all = slices.DeleteFunc(all, func(c office.ColleagueSetup) bool { return c.Name == e.Name })
			p.setup.Channels = slices.Clone(p.setup.Channels)
			for i := range p.setup.Channels {
				ch := &p.setup.Channels[i]
				ch.Members = slices.DeleteFunc(slices.Clone(ch.Members), func(name string) bool { return name == e.Name })
			}
		case office.SetColleague:
			c := &all[named(e.Name)]
			if role, ok := e.Fields["role"].(string); ok {
				c.Role = office.Role(role)
			}
			if manager, ok := e.Fields["reports_to"]; ok {
				c.ReportsTo, _ = manager.(string)
			}
		case office.SetOffice:
			p.setup.Name = e.Fields["name"].(string)
		default:
			return p.setup, fmt.Errorf("%T is not written here", e)
		}
	}
	p.setup.Colleagues = all
	return p.setup, nil
}

func offered(r model.Request) string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

func TestALeaderChangesTheOfficeAndNeverItself(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls(
				"office_channel_create", `{"channel":"ops","members":["bob"],"topic":"Operations"}`,
				"office_channel_create", `{"channel":"ops","members":["bob"],"topic":"Operations"}`,
				"office_configure", `{"colleague":"alice","role":"member"}`,
				"office_configure", `{"colleague":"bob","role":"member"}`,
				"office_configure", `{"colleague":"nobody","role":"member"}`,
				"office_post", `{"channel":"ops","text":"hello","wake":[]}`,
			), nil
		}
		return say("done"), nil
	})
	s.setup.Colleagues[0].Role = office.Leader
	s.paper = &paper{s.setup}
	s.open()
	s.post("@alice go")
	s.idle()
	got := toolResults(m.last())
	for i, want := range []string{"#ops is there, with bob", "already", "cannot configure yourself", "bob is configured", "there are alice, bob", "Posted ops-1"} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Errorf("result %d of %q, want %q", i, got, want)
		}
	}
}

func TestARoleThatChangesMeanwhileHoldsAtTheNextStep(t *testing.T) {
	t.Parallel()
	var s *scene
	s, m := newScene(t, func(ctx context.Context, n int, req *model.Request) (*model.Response, error) {
		if n > 1 {
			return say("done"), nil
		}
		if _, err := s.o.Configure(ctx, "alice", map[string]any{"role": "leader"}, office.DefaultOwner, ""); err != nil {
			t.Error(err)
		}
		return calls("office_colleagues", `{}`), nil
	})
	s.paper = &paper{s.setup}
	s.open()
	s.post("@alice go")
	s.idle()
	first, second := m.requests()[0], m.requests()[1]
	if strings.Contains(offered(first), "office_pause") || !strings.Contains(offered(second), "office_pause") {
		t.Errorf("offered first %s, then %s", offered(first), offered(second))
	}
	if !strings.Contains(second.System, "Your role is leader") {
		t.Errorf("the prompt of the next step: %s", second.System)
	}
}

func TestNewLeadersReadTheNotesOnLeading(t *testing.T) {
	t.Parallel()
	s, _ := newScene(t, func(context.Context, int, *model.Request) (*model.Response, error) { return say("NO_REPLY"), nil })
	lena := &script{t: t, answer: func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls("read", `{"path":"`+office.LeadingNotes+`"}`), nil
		}
		return say("understood"), nil
	}}
	s.models["lena"] = lena
	s.open()
	if _, err := s.o.Hire(context.Background(), office.Hire{
		Setup: office.ColleagueSetup{Name: "lena", Role: office.Leader, Model: "lena"}, Ephemeral: true, By: office.DefaultOwner,
	}); err != nil {
		t.Fatal(err)
	}
	s.idle()
	if n := len(lena.requests()); n != 2 {
		t.Fatalf("her onboarding took %d requests", n)
	}
	if first := lena.requests()[0].Messages[0].Text; !strings.Contains(first, office.LeadingNotes) || !strings.Contains(first, `"lena"`) {
		t.Errorf("she is told %s", first)
	}
	line, _, _ := strings.Cut(prompt.LeadingNotes, "\n")
	if got := toolResults(lena.last()); len(got) != 1 || !strings.Contains(got[0], line) {
		t.Errorf("she read %q", got)
	}
	if got := s.texts(office.General); len(got) != 0 {
		t.Errorf("hiring wrote %q", got)
	}
}

func TestAFolderFollowsItsColleague(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, _ := newScene(t, func(context.Context, int, *model.Request) (*model.Response, error) { return say("NO_REPLY"), nil })
	tmp := &script{t: t, answer: func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls("write", `{"path":"mine.txt","content":"kept"}`), nil
		}
		return say("NO_REPLY"), nil
	}}
	s.models["tmp"] = tmp
	s.open()
	hire := func(name, ref string) {
		t.Helper()
		if _, err := s.o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: name, Model: ref}, Ephemeral: true, By: office.DefaultOwner}); err != nil {
			t.Fatal(err)
		}
		s.idle()
	}
	holds := func(name string) bool {
		text, err := os.ReadFile(filepath.Join(s.dir, "agents", name, "workspace", "mine.txt"))
		return err == nil && string(text) == "kept"
	}
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	hire("tom", "tmp")
	must(s.o.RenameColleague(ctx, "tom", "thomas", office.DefaultOwner, ""))
	s.post("@thomas look")
	s.idle()
	if !holds("thomas") || holds("tom") {
		t.Fatal("after a rename the folder did not follow")
	}
	must(s.o.Dismiss(ctx, "thomas", office.DefaultOwner, ""))
	until(t, "the folder is put away", func() bool { return !holds("thomas") })
	hire("thomas", "bob") // somebody else, of that name
	if holds("thomas") {
		t.Error("somebody new got the folder of who left")
	}
	must(s.o.RenameColleague(ctx, "thomas", "other", office.DefaultOwner, ""))
	must(s.o.Adopt(ctx, "thomas", true, office.DefaultOwner, ""))
	s.post("@thomas @other look")
	s.idle()
	if !holds("thomas") || holds("other") {
		t.Error("after an adoption the folder did not come back")
	}
}

// TestAToolThatGivesNoSignOfLifeIsGivenUp: the turn is attempted again although
// the tool listens to nothing.
func TestAToolThatGivesNoSignOfLifeIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		letGo := make(chan struct{})
		s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
			if n == 1 {
				return calls("look", `{}`), nil
			}
			return say("done after all"), nil
		})
		s.tools = []tool.Tool{{
			Tool: model.Tool{Name: "look", Schema: []byte(`{"type":"object"}`)}, Class: office.PureCall,
			Run: func(context.Context, tool.Env, json.RawMessage) (string, error) {
				if runs.Add(1) == 1 {
					<-letGo
				}
				return "seen", nil
			},
		}}
		s.open()
		s.post("@alice look")
		s.idle()
		wantTexts(t, "general", s.texts(office.General), "user: @alice look", "alice: done after all")
		if runs.Load() != 2 {
			t.Errorf("the tool ran %d times", runs.Load())
		}
		if last := m.last(); !strings.Contains(shown(last), "no sign of life") {
			t.Errorf("the second attempt is not told why: %s", shown(last))
		}
		close(letGo)
	})
}

// A tool that says something now and then is not given up, however long it takes.
func TestOutputIsASignOfLife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		s, _ := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
			if n == 1 {
				return calls("count", `{}`), nil
			}
			return say("counted"), nil
		})
		s.tools = []tool.Tool{{
			Tool: model.Tool{Name: "count", Schema: []byte(`{"type":"object"}`)}, Class: office.PureCall,
			Run: func(ctx context.Context, env tool.Env, _ json.RawMessage) (string, error) {
				runs.Add(1)
				for range 5 { // a minute each; two without a sign are too many
					select {
					case <-time.After(time.Minute):
						env.Alive()
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				return "five", nil
			},
		}}
		s.open()
		s.post("@alice count")
		s.idle()
		wantTexts(t, "general", s.texts(office.General), "user: @alice count", "alice: counted")
		if runs.Load() != 1 {
			t.Errorf("the tool ran %d times", runs.Load())
		}
	})
}
