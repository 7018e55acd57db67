package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"
)

// opened is an office of a folder, in this process.
func opened(t *testing.T, dir string) (o *office.Office, shut func()) {
	t.Helper()
	cfg, err := config.Load(dir, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	log, err := openLog(cfg)
	if err != nil {
		t.Fatal(err)
	}
	o, closeOffice, err := openOffice(t.Context(), cfg, bridge.New(cfg.Setup.ID, command.NewSet()), log, "a test", new(branches))
	if err != nil {
		t.Fatal(err)
	}
	return o, func() {
		t.Helper()
		if err := closeOffice(time.Minute); err != nil {
			t.Error(err)
		}
	}
}

// TestTheRosterAndTheFileStayTheSame: what is done to a running office stands in
// office.yaml, among its comments, and a new process finds the same office.
func TestTheRosterAndTheFileStayTheSame(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	if err := config.Scaffold(dir); err != nil {
		t.Fatal(err)
	}
	o, shut := opened(t, dir)
	owner, ctx := office.DefaultOwner, context.Background()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: "dave", ReportsTo: "alice", Description: "Tests"}, By: owner}))
	must(o.RenameColleague(ctx, "bob", "robert", owner, ""))
	must(o.Configure(ctx, "dave", map[string]any{"role": "leader", "priority": "high"}, owner, ""))
	must(o.CreateChannel(ctx, office.ChannelSetup{Name: "ops", Members: []string{"dave"}, Topic: "Keeps running"}, owner, ""))
	must(o.SetMembers(ctx, "ops", []string{"dave", "robert"}, owner, ""))
	must(o.Dismiss(ctx, "robert", owner, ""))
	must(o.Adopt(ctx, "robert", false, owner, ""))
	must(o.SetTopic(ctx, "dev", "", owner, ""))
	must(o.RenameOffice(ctx, "Widgets", owner, ""))
	rosterOf := func(o *office.Office) string {
		v, err := o.View(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		b.WriteString(v.Name + "\n")
		for _, c := range v.Colleagues {
			b.WriteString(string(c.ID) + " " + c.Name + " " + string(c.Role) + " < " + c.ReportsTo + "\n")
		}
		for _, ch := range v.Channels {
			if ch.Kind == office.GroupChannel {
				b.WriteString("#" + ch.Name + " " + ch.Topic + "\n")
			}
		}
		return b.String()
	}
	before := rosterOf(o)
	if rep, err := o.Reload(ctx, true, owner, ""); err != nil || len(rep.Lines) != 0 {
		t.Errorf("the file and the office differ: %v, %v", rep, err)
	}
	shut()
	text, err := os.ReadFile(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"dave:", "robert:", "# who is reported to is a leader", "Keeps running"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("office.yaml has no %q", want)
		}
	}
	o, shut = opened(t, dir)
	defer shut()
	if after := rosterOf(o); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}
