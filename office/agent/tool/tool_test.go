package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
)

func registry(t testing.TB, more ...tool.Tool) *tool.Registry {
	t.Helper()
	r, err := tool.New(more...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func colleague(role office.Role, allow, deny []string) *office.Colleague {
	return &office.Colleague{ID: "c1", ColleagueSetup: office.ColleagueSetup{Name: "alice", Role: role, Allow: allow, Deny: deny}}
}

func call(name, args string) office.ToolCall {
	return office.ToolCall{ID: "1", Name: name, Args: json.RawMessage(args)}
}

func TestEveryContractIsWellFormed(t *testing.T) {
	t.Parallel()
	for _, c := range registry(t).For(colleague(office.Leader, nil, nil)) {
		var schema struct {
			Type       string                     `json:"type"`
			Properties map[string]json.RawMessage `json:"properties"`
			Required   []string                   `json:"required"`
			Additional *bool                      `json:"additionalProperties"`
		}
		if err := json.Unmarshal(c.Schema, &schema); err != nil || schema.Type != "object" {
			t.Errorf("%s: the schema is no object: %v", c.Name, err)
		}
		if c.Description == "" {
			t.Errorf("%s says nothing of itself", c.Name)
		}
		for _, key := range schema.Required {
			if _, ok := schema.Properties[key]; !ok {
				t.Errorf("%s requires %s, which it does not describe", c.Name, key)
			}
		}
	}
}

func TestWhatAColleagueMayCallIsEnforcedAtTheCall(t *testing.T) {
	t.Parallel()
	boss := tool.Tool{
		Tool: model.Tool{Name: "hire", Schema: json.RawMessage(`{"type":"object"}`)}, Leader: true, Class: office.EffectCall,
		Run: func(context.Context, tool.Env, json.RawMessage) (string, error) { return "", nil },
	}
	r := registry(t, boss)
	for _, tc := range []struct {
		name string
		who  *office.Colleague
		call string
		may  bool
	}{
		{"a member", colleague(office.Member, nil, nil), "read", true},
		{"a member and a leader's tool", colleague(office.Member, nil, nil), "hire", false},
		{"a leader and a leader's tool", colleague(office.Leader, nil, nil), "hire", true},
		{"allowed does not raise the role", colleague(office.Member, []string{"hire"}, nil), "hire", false},
		{"allowed", colleague(office.Member, []string{"ls"}, nil), "ls", true},
		{"not among the allowed", colleague(office.Member, []string{"ls"}, nil), "read", false},
		{"denied", colleague(office.Member, nil, []string{"read"}), "read", false},
		{"denied office tool", colleague(office.Member, nil, []string{"office_colleagues"}), "office_colleagues", false},
		{"not among the denied", colleague(office.Member, nil, []string{"read"}), "ls", true},
		{"another case is another name", colleague(office.Member, nil, nil), "READ", false},
		{"unknown", colleague(office.Member, nil, nil), "launch_rocket", false},
		{"no name", colleague(office.Member, nil, nil), "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := r.Prepare(tc.who, call(tc.call, `{}`))
			if may := p.Refused == ""; may != tc.may {
				t.Errorf("may call %s: %v (%s)", tc.call, may, p.Refused)
			}
			if !tc.may && p.Verb != nil {
				t.Error("a refused call still asks something of the office")
			}
			shown := slices.ContainsFunc(r.For(tc.who), func(c model.Tool) bool { return c.Name == tc.call })
			if shown != tc.may {
				t.Errorf("the model is shown %s: %v", tc.call, shown)
			}
			if !tc.may && tc.call != "hire" && !strings.Contains(p.Refused, tc.call) {
				t.Errorf("the refusal does not name the tool: %s", p.Refused)
			}
		})
	}
}

func TestArgumentsThatDoNotFitAreNamed(t *testing.T) {
	t.Parallel()
	r, who := registry(t), colleague(office.Member, nil, nil)
	for _, tc := range []struct{ tool, args, want string }{
		{"office_post", `{"text":1,"wake":[]}`, "text has to be a text, not a number"},
		{"office_post", `{"text":"x","wake":"@bob"}`, "wake has to be a list, not a string"},
		{"office_post", `{"text":"x","wake":[],"chanel":"dev"}`, `"chanel"`},
		{"office_post", `{"text":"x","wake":[],"root":"all"}`, "root"},
		{"office_post", `{"text":"x","wake":[],"notify":"now"}`, "notify"},
		{"office_dm", `{"text":["x"],"wake":["@bob"]}`, "text"},
		{"office_dm", `{"text":"x","wake":["@bob"],"channel":"dev"}`, `"channel"`},
		{"office_colleagues", `{"all":true}`, `"all"`},
		{"office_post", `[]`, "object"},
		{"office_post", `"hi"`, "object"},
		{"office_post", `{"text":"x","wake":[1]}`, "wake"},
	} {
		p := r.Prepare(who, call(tc.tool, tc.args))
		if p.Verb != nil || !strings.Contains(p.Refused, tc.want) || !strings.HasPrefix(p.Refused, tc.tool+" was not run: ") {
			t.Errorf("%s %s: refused with %q, want %q in it", tc.tool, tc.args, p.Refused, tc.want)
		}
	}
}

// Leaving wake out is a mistake; an empty list is a decision.
func TestAMissingWakeIsNotAnEmptyOne(t *testing.T) {
	t.Parallel()
	r, who := registry(t), colleague(office.Member, nil, nil)
	for args, want := range map[string]bool{
		`{"text":"x"}`:             true,
		`{"text":"x","wake":null}`: true,
		`{"text":"x","wake":[]}`:   false,
	} {
		post, ok := r.Prepare(who, call("office_post", args)).Verb.(office.PostCall)
		if !ok || (post.Wake == nil) != want {
			t.Errorf("%s: wake missing: %v", args, post.Wake == nil)
		}
	}
}

func TestBrokenArgumentsAreNeverRun(t *testing.T) {
	t.Parallel()
	c := call("write", `{}`)
	c.Broken = "unexpected end of JSON input"
	p := registry(t).Prepare(colleague(office.Member, nil, nil), c)
	if !strings.Contains(p.Refused, c.Broken) || !strings.Contains(p.Refused, "write") {
		t.Errorf("refused with %q", p.Refused)
	}
}

// What may be done after a crash depends on the class.
func TestWhatHasEffectsSaysSo(t *testing.T) {
	t.Parallel()
	r, who := registry(t), colleague(office.Member, nil, nil)
	for name, want := range map[string]office.CallClass{
		"read": office.PureCall, "ls": office.PureCall, "find": office.PureCall, "grep": office.PureCall, "office_read": office.PureCall,
		"write": office.EffectCall, "edit": office.EffectCall,
		"office_post": office.OfficeCall, "office_dm": office.OfficeCall, "office_colleagues": office.OfficeCall,
	} {
		p := r.Prepare(who, call(name, `{"text":"x","wake":[]}`))
		if name == "office_colleagues" {
			p = r.Prepare(who, call(name, `{}`))
		}
		if p.Class != want || p.Refused != "" {
			t.Errorf("%s is %s (%s), want %s", name, p.Class, p.Refused, want)
		}
	}
}

func TestAToolThatFailsOrPanicsFailsAlone(t *testing.T) {
	t.Parallel()
	run := func(f func() (string, error)) office.Result {
		r := registry(t, tool.Tool{Tool: model.Tool{Name: "x"}, Class: office.EffectCall, Run: func(context.Context, tool.Env, json.RawMessage) (string, error) { return f() }})
		return r.Run(t.Context(), tool.Env{}, office.PreparedCall{ToolCall: call("x", `{}`)})
	}
	if res := run(func() (string, error) { return "fine", nil }); res.Failed || res.Text != "fine" {
		t.Errorf("%+v", res)
	}
	if res := run(func() (string, error) { return "", errors.New("no paper") }); !res.Failed || res.Text != "x failed: no paper" {
		t.Errorf("%+v", res)
	}
	res := run(func() (string, error) { panic(errors.New("nil map")) })
	if !res.Failed || !strings.Contains(res.Text, "nil map") || strings.Count(res.Text, "\n") > 14 {
		t.Errorf("%+v", res)
	}
}

func TestTwoToolsOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := tool.New(tool.Tool{Tool: model.Tool{Name: "read"}}); err == nil || !strings.Contains(err.Error(), "read") {
		t.Errorf("got %v", err)
	}
}
