package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
)

// A change of the roster is in the file, with the rest of it untouched, and the
// office that is opened with that file is the same.
func TestTheRosterIsWrittenDown(t *testing.T) {
	t.Parallel()
	const before = "# ours\nagents:\n  alice: {model: demo} # first\n"
	dir := writeOffice(t, before)
	open := func() (*office.Office, func(time.Duration) error) {
		t.Helper()
		cfg, err := load(dir, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		log, err := openLog(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = log.close() })
		o, closeOffice, err := openOffice(t.Context(), cfg, bridge.New(cfg.Setup.ID, command.NewSet()), log, "test", new(branches))
		if err != nil {
			t.Fatal(err)
		}
		return o, closeOffice
	}
	o, closeOffice := open()
	set := office.ColleagueSetup{Name: "bob", Role: office.Member, Description: "Tests: all", Model: "demo", ReportsTo: "alice"}
	if _, err := o.Hire(t.Context(), office.Hire{Setup: set, By: office.DefaultOwner, From: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.CreateChannel(t.Context(), office.ChannelSetup{Name: "dev", Members: []string{"bob"}}, office.DefaultOwner, "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.RenameColleague(t.Context(), "bob", "rob", office.DefaultOwner, "test"); err != nil {
		t.Fatal(err)
	}
	if report, err := o.Reload(t.Context(), true, office.DefaultOwner, "test"); err != nil || len(report.Lines) > 0 {
		t.Errorf("the office and its file differ: %v (%v)", report, err)
	}
	if err := closeOffice(time.Second); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want := before + "  rob:\n    description: \"Tests: all\"\n    role: member\n    model: demo\n    reports_to: alice\n" +
		"office:\n  channels:\n    dev:\n      members: [rob]\n"
	if !strings.HasPrefix(string(text), want) {
		t.Errorf("the file is\n%s\nwant\n%s", text, want)
	}
	o, closeOffice = open()
	v, err := o.View(t.Context())
	if err != nil || len(v.Colleagues) != 2 || v.Colleagues[1].Name != "rob" {
		t.Errorf("opened again there are %+v (%v)", v.Colleagues, err)
	}
	if err := closeOffice(time.Second); err != nil {
		t.Fatal(err)
	}
}
