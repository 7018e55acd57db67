package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/agent/tool"
)

// TestWhatEachRoleHolds is the table of the documentation, whole.
func TestWhatEachRoleHolds(t *testing.T) {
	t.Parallel()
	const all, leads, bossOnly, roster = "mlb", "lb", "b", "ml"
	table := map[string]string{
		"office_post": all, "office_dm": all, "office_read": all, "office_colleagues": all, "office_channels": all,
		"office_read_notifications": roster, "office_do_not_disturb": roster, "send_file": roster,
		"office_pause": leads, "office_interrupt": leads, "office_compact": leads, "office_configure": leads,
		"office_channel_create": leads, "office_channel_delete": leads, "office_channel_members": leads, "ask_user": leads,
		"office_hire": bossOnly, "office_adopt": bossOnly, "office_dismiss": bossOnly, "office_rename": bossOnly,
		"office_roster": bossOnly, "office_list": bossOnly,
		"read": all, "write": all, "edit": all, "ls": all, "find": all, "grep": all, "bash": all,
	}
	r := registry(t, tool.Bash())
	held := map[string]string{}
	for _, x := range []struct {
		sign string
		role office.Role
		asks bool
	}{{"m", office.Member, false}, {"l", office.Leader, true}, {"b", office.Boss, true}} {
		c := colleague(x.role, nil, nil)
		c.AskUser = x.asks
		for _, shown := range r.For(c) {
			held[shown.Name] += x.sign
			if p := r.Prepare(c, call(shown.Name, `{}`)); strings.Contains(p.Refused, "do not hold") {
				t.Errorf("a %s is shown %s and may not call it", x.role, shown.Name)
			}
		}
	}
	for name, want := range table {
		if held[name] != want {
			t.Errorf("%s is held by %q, want %q", name, held[name], want)
		}
		delete(held, name)
	}
	// A new tool is the boss's only if this table says so.
	for name, by := range held {
		if strings.Contains(by, "b") || !strings.HasPrefix(name, "task_") && !strings.HasPrefix(name, "cron_") {
			t.Errorf("%s is held by %q and not in this table", name, by)
		}
	}
}

func TestABossOfSeveralOfficesNamesOne(t *testing.T) {
	t.Parallel()
	r := registry(t)
	r.Among(func(context.Context) ([]*office.Office, error) { return nil, nil })
	boss := colleague(office.Boss, nil, nil)
	for _, x := range r.For(boss) {
		var schema struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(x.Schema, &schema); err != nil {
			t.Fatalf("%s: %v\n%s", x.Name, err, x.Schema)
		}
		if _, has := schema.Properties["office"]; has != (strings.HasPrefix(x.Name, "office_") && x.Name != "office_list") {
			t.Errorf("%s takes an office: %v", x.Name, has)
		}
	}
	for _, x := range r.For(colleague(office.Leader, nil, nil)) {
		if strings.Contains(string(x.Schema), `"office":`) {
			t.Errorf("a leader is asked for an office by %s", x.Name)
		}
	}
}
