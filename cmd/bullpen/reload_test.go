package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAHangupHasTheOfficeReadAgain(t *testing.T) {
	t.Parallel()
	dir := writeOffice(t, "agents:\n  alice: {model: demo}\n")
	p := start(t, open(dir))
	p.feed("@alice are you there")
	p.see("alice: You wrote")

	rewrite := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.signal(syscall.SIGHUP)
	}
	rewrite("agents:\n  alice: {model: demo}\n  bob: {model: demo, reports_to: nobody}\n")
	p.hear("office.yaml cannot be used, and the office goes on as it was: office.yaml:3:34: agents.bob.reports_to: no colleague is called")
	p.feed("@alice still there")
	p.see("alice: You wrote: “@alice still there”")

	rewrite("office: {limits: {shutdown_grace: 1s}}\nagents:\n  alice: {model: demo}\n  bob: {model: \"near:m\"}\n" +
		"providers: {near: {base_url: \"http://127.0.0.1:1/v1\"}}\n")
	p.hear("office.yaml: what changed in office.limits.shutdown_grace holds after the office is started again")
	p.hear("office.yaml was read again. bob comes to the office")
	p.feed("@bob hello")
	p.hear("general-")
	rewrite("agents:\n  alice: {model: demo}\n  bob: {model: demo}\n")
	p.hear("bob goes on with other settings: model.")
	p.feed("@bob and now")
	p.see("bob: You wrote: “@bob and now”")
	p.signal(syscall.SIGTERM)
	p.wantExit(0)
	log, err := os.ReadFile(filepath.Join(dir, "logs", "bullpen.log"))
	if err != nil || !strings.Contains(string(log), "office.yaml was read again") || !strings.Contains(string(log), "office.yaml was not taken up") {
		t.Errorf("the log does not tell of it (%v)", err)
	}
}
