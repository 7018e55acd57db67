package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bullpen/office"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		edits []office.Edit
		// lines that go, and lines that come
		minus, plus string
	}{
		"a colleague": {
			[]office.Edit{office.AddColleague{Colleague: office.ColleagueSetup{
				Name: "tester", Role: office.Member, Description: "Tests: all of it", Model: "openai:gpt-5", Priority: 1,
				ReportsTo: "Lead", Prompt: "Be strict.\nBe kind.\n", Deny: []string{"bash"},
			}}},
			"", `  tester:
    description: "Tests: all of it"
    role: member
    model: "openai:gpt-5"
    priority: high
    reports_to: Lead
    prompt_inline: |
      Be strict.
      Be kind.
    permissions:
      tools:
        deny: [bash]
`,
		},
		"a colleague goes": {
			[]office.Edit{office.RemoveColleague{Name: "CODER"}},
			`    dev: {members: [coder, 'reviewer'], default_wake: ["@Coder"]} # dev
  coder: # writes
    model: demo
    reports_to: lead
`, "    dev: {members: ['reviewer'], default_wake: []} # dev\n",
		},
		"a colleague is renamed": {
			[]office.Edit{office.RenameColleague{From: "coder", To: "Hacker"}, office.RenameColleague{From: "reviewer", To: "critic"}, office.RenameColleague{From: "lead", To: "boss lady"}},
			`  front_desk: "Lead"   # answers
    dev: {members: [coder, 'reviewer'], default_wake: ["@Coder"]} # dev
        - "＠reviewer"   # fullwidth
  Lead:
  coder: # writes
    reports_to: lead
  reviewer: {model: demo, reports_to: LEAD}
`, `  front_desk: "boss lady"   # answers
    dev: {members: [Hacker, 'critic'], default_wake: ["@Hacker"]} # dev
        - "@critic"   # fullwidth
  boss lady:
  Hacker: # writes
    reports_to: boss lady
  critic: {model: demo, reports_to: boss lady}
`,
		},
		"keys of a colleague": {
			[]office.Edit{office.SetColleague{Name: "Coder", Fields: map[string]any{
				"model": "openai:gpt-5", "thinking": "high", "reports_to": nil, "permissions.tools.deny": []string{"bash"},
			}}},
			"    model: demo\n    reports_to: lead\n",
			"    model: \"openai:gpt-5\"\n    permissions:\n      tools:\n        deny: [bash]\n    thinking: high\n",
		},
		"a channel": {
			[]office.Edit{office.AddChannel{Channel: office.ChannelSetup{Name: "ops", Topic: "Running it", Members: []string{"Lead"}, DefaultWake: []string{"$leader"}}}},
			"", "    ops:\n      topic: Running it\n      members: [Lead]\n      default_wake: [\"$leader\"]\n",
		},
		"a channel goes": {
			[]office.Edit{office.RemoveChannel{Name: "DEV"}},
			"    dev: {members: [coder, 'reviewer'], default_wake: [\"@Coder\"]} # dev\n    channels:\n      dev: \"#dev\"\n",
			"    channels: {}\n",
		},
		"members": {
			[]office.Edit{office.SetChannel{Name: "dev", Fields: map[string]any{"members": []string{"reviewer", "Lead"}, "topic": "Code"}}},
			"    dev: {members: [coder, 'reviewer'], default_wake: [\"@Coder\"]} # dev\n",
			"    dev: {members: ['reviewer', Lead], default_wake: [\"@Coder\"], topic: Code} # dev\n",
		},
		"the office": {
			[]office.Edit{office.SetOffice{Fields: map[string]any{"name": "Acme & Sons", "limits.max_depth": 3, "front_desk": nil}}},
			"  front_desk: \"Lead\"   # answers\n", "  limits:\n    max_depth: 3\n  name: \"Acme & Sons\"\n",
		},
		"a person": {
			[]office.Edit{office.SetPerson{Person: "kim", Fields: map[string]any{"slack": "U0KIM", "admin": true}}, office.SetPerson{Person: "Maria", Fields: map[string]any{"telegram": "123"}}},
			"  maria: {slack: U012ABC} # owner\n", "  maria: {slack: U012ABC, telegram: \"123\"} # owner\n  kim: {admin: true, slack: U0KIM}\n",
		},
		"a portal": {
			[]office.Edit{office.SetPortal{Platform: "slack", Channel: "general", Place: "C0GEN"}},
			"", "      general: C0GEN\n",
		},
		"a portal goes": {
			[]office.Edit{office.SetPortal{Platform: "slack", Channel: "Dev"}},
			"    channels:\n      dev: \"#dev\"\n", "    channels: {}\n",
		},
		"nothing new": {
			[]office.Edit{
				office.AddColleague{Colleague: office.ColleagueSetup{Name: "coder", Role: office.Member, Model: "demo", ReportsTo: "Lead"}},
				office.AddChannel{Channel: office.ChannelSetup{Name: "dev", Members: []string{"coder", "reviewer"}, DefaultWake: []string{"@Coder"}}},
				office.RemoveColleague{Name: "nobody"},
				office.RenameColleague{From: "nobody", To: "coder"},
				office.RemoveChannel{Name: "ops"},
				office.SetOffice{Fields: map[string]any{"front_desk": "Lead", "name": nil}},
			}, "", "",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := fileOf(t, team)
			got, err := f.Edit(t.Context(), tt.edits...)
			if err != nil {
				t.Fatal(err)
			}
			once := textOf(t, path)
			if diff := cmp.Diff(tt.minus+"+\n"+tt.plus, difference(team, once)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			read, err := f.Read(t.Context())
			if err != nil || !reflect.DeepEqual(read, got) {
				t.Errorf("Edit returned %+v, and the file says %+v (%v)", got, read, err)
			}
			before, _ := os.Stat(path)
			if _, err := f.Edit(t.Context(), tt.edits...); err != nil {
				t.Errorf("a second time: %v", err)
			}
			after, _ := os.Stat(path)
			if !os.SameFile(before, after) || textOf(t, path) != once {
				t.Errorf("a second time the file was written again:\n%s", textOf(t, path))
			}
		})
	}
}

// difference is the lines that went, a plus sign, and those that came.
func difference(before, after string) string {
	var went, came []string
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	for len(a) > 0 || len(b) > 0 {
		switch i, j := find(b, a), find(a, b); {
		case len(a) > 0 && len(b) > 0 && a[0] == b[0]:
			a, b = a[1:], b[1:]
		case len(b) == 0 || len(a) > 0 && (i < 0 || j >= 0 && i > j):
			went, a = append(went, a[0]), a[1:]
		default:
			came, b = append(came, b[0]), b[1:]
		}
	}
	return strings.Join(went, "") + "+\n" + strings.Join(came, "")
}

// find is where the first line of the other stands.
func find(in, first []string) int {
	if len(first) > 0 {
		for i, line := range in {
			if line == first[0] {
				return i
			}
		}
	}
	return -1
}

func TestRefusedEdits(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		edit office.Edit
		says string
	}{
		"a bad model":         {team, office.SetColleague{Name: "coder", Fields: map[string]any{"model": "gpt-5"}}, `agents.coder.model: "gpt-5" is not a model; write provider:model-id`},
		"a bad name":          {team, office.AddColleague{Colleague: office.ColleagueSetup{Name: "__x", Model: "demo"}}, "reserved"},
		"an unknown key":      {team, office.SetColleague{Name: "coder", Fields: map[string]any{"modle": "demo"}}, `agents.coder.modle: there is no such key here; did you mean "model"?`},
		"another of the name": {team, office.AddColleague{Colleague: office.ColleagueSetup{Name: "Coder", Model: "openai:gpt-5"}}, "already, and otherwise"},
		"a manager goes":      {team, office.RemoveColleague{Name: "lead"}, `agents.coder.reports_to: no colleague is called`},
		"the name of another": {team, office.RenameColleague{From: "coder", To: "LEAD"}, "already"},
		"nobody of the name":  {team, office.SetColleague{Name: "bob", Fields: map[string]any{"model": "demo"}}, `no colleague called "bob"`},
		"no such platform":    {team, office.SetPortal{Platform: "telegram", Channel: "dev", Place: "-1"}, "office.yaml has no adapters.telegram"},
		"a secret":            {team, office.SetOffice{Fields: map[string]any{"owner": "xoxb-123456789012-abc"}}, "[secret]"},
		"a file out of order": {strings.Replace(team, "model: demo", "modle: demo", 1), office.RemoveColleague{Name: "coder"}, "office.yaml:19:5: agents.Lead.modle: there is no such key here"},
		"an alias":            {"agents:\n  a: &a {model: demo}\n  b: *a\n", office.SetColleague{Name: "b", Fields: map[string]any{"thinking": "low"}}, "line 3: what is to be changed stands here by an alias"},
		"half of two":         {team, office.SetPortal{Platform: "slack", Channel: "ops", Place: "C1A"}, "no channel of the office has this name"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, path := fileOf(t, tt.text)
			_, err := f.Edit(t.Context(), office.SetOffice{Fields: map[string]any{"description": "changed"}}, tt.edit)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("it said %v, want %q in it", err, tt.says)
			}
			if got := textOf(t, path); got != tt.text {
				t.Errorf("the file is now\n%s", got)
			}
		})
	}
}

// Whoever adds a field to a colleague's setup finds here that it must be written
// to the file as well: what is hired is there after a restart.
func TestEveryFieldOfAColleagueIsWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	full := office.ColleagueSetup{
		Name: "tester", Role: office.Leader, Description: "x: y", Model: "openai:gpt-5", Fallback: []string{"demo"}, Thinking: "high",
		Priority: 2, ReportsTo: "Lead", Prompt: "a\nb", Allow: []string{"read", "office_post"},
		Approve: []string{"bash"}, AskUser: true, // which leaders may
		SharedDM: true, Env: map[string]string{"A": "b: c", "URL": "${API_URL}"}, Cwd: t.TempDir(),
	}
	denied := full
	denied.Allow, denied.Deny = nil, []string{"bash"}
	unsaid := full
	unsaid.Role, unsaid.RoleUnsaid, unsaid.AskUser = office.Member, true, false
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "Deny" && name != "RoleUnsaid" && name != "Permission" { // which follows from the role
			t.Errorf("this test and colleagueBlock (edits.go) do not know the field %s", name)
		}
	}
	for _, c := range []office.ColleagueSetup{full, denied, unsaid} {
		f, _ := fileOf(t, team)
		setup, err := f.Edit(t.Context(), office.AddColleague{Colleague: c})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, setup.Colleagues[3]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestTheFirstPersonDoesNotBecomeTheOwner(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, bob)
	setup, err := f.Edit(t.Context(), office.SetPerson{Person: "maria", Fields: map[string]any{"name": "Maria"}},
		office.SetPerson{Person: office.DefaultOwner, Fields: map[string]any{"slack": "U0OWNER"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []office.Person{{ID: office.DefaultOwner, Name: "user", Owner: true, Admin: true}, {ID: "maria", Name: "Maria"}}
	if diff := cmp.Diff(want, setup.People); diff != "" {
		t.Errorf("people (-want +got):\n%s\n%s", diff, textOf(t, path))
	}
}

// Random edits on the annotated example: what is meant is what the file says, no
// comment is lost but those of what is removed, and once is as good as twice.
func TestAnyEditsOfTheExample(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "office")
		if err != nil {
			rt.Fatal(err)
		}
		path := filepath.Join(dir, FileName)
		if err := os.WriteFile(path, []byte(Example), 0o600); err != nil {
			rt.Fatal(err)
		}
		f := OpenFile(dir, known, plainSetup)
		f.replace = func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) }
		members := map[string]bool{"coder": true, "reviewer": true}
		for i := range rapid.IntRange(1, 2).Draw(rt, "edits") {
			who := rapid.SampledFrom([]string{"coder", "reviewer"}).Draw(rt, "who")
			var edit office.Edit
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				name := fmt.Sprintf("new %d", i)
				edit = office.AddColleague{Colleague: office.ColleagueSetup{Name: name, Role: office.Member, Model: "demo", ReportsTo: "lead"}}
				members[name] = true
			case 1:
				edit = office.SetColleague{Name: "lead", Fields: map[string]any{"description": rapid.SampledFrom([]string{"a: b", "#", "'", "x y", "é\"", "- 1"}).Draw(rt, "text")}}
			case 2:
				edit = office.SetChannel{Name: "dev", Fields: map[string]any{"members": []string{"lead"}, "default_wake": nil}}
			case 3:
				edit = office.SetPortal{Platform: "telegram", Channel: "dev"}
			case 4:
				edit = office.RemoveColleague{Name: who}
				delete(members, who)
			}
			setup, err := f.Edit(t.Context(), edit)
			if err != nil {
				rt.Fatalf("%+v: %v", edit, err)
			}
			once := textOf(t, path)
			if _, err := f.Edit(t.Context(), edit); err != nil || textOf(t, path) != once {
				rt.Fatalf("%+v a second time: %v", edit, err)
			}
			for _, c := range setup.Colleagues {
				if c.Name != "lead" && !members[c.Name] {
					rt.Fatalf("after %+v there is %s", edit, c.Name)
				}
			}
			if len(setup.Colleagues) != len(members)+1 {
				rt.Fatalf("after %+v there are %d colleagues, want %d", edit, len(setup.Colleagues), len(members)+1)
			}
		}
		now := "\n" + textOf(t, path)
		for _, line := range strings.Split(Example, "\n") {
			inside := strings.Contains(line, "Its manager") || strings.Contains(line, "Only these") // of who may go
			if strings.HasPrefix(strings.TrimSpace(line), "#") && !inside && !strings.Contains(now, "\n"+line+"\n") {
				rt.Fatalf("the comment %q is gone:\n%s", line, now)
			}
		}
	})
}
