package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"bullpen/office"
)

// The events of a running office are followed from another shell, by those who
// read and by programs, until the office closes.
func TestTheEventsAreFollowedFromAnotherShell(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	p := start(t, open(dir))
	p.feed("/pause moving house")
	p.feed("/status")
	p.hear("moving house")
	people := start(t, launch{args: []string{"logs", "-f", "--dir", dir}})
	programs := start(t, launch{args: []string{"office", "logs", "--follow", "--json", "--kind", "delivery,pause", "--dir", dir}})
	people.see("moving house")
	programs.see("moving house")
	p.feed("@alice hello", "/resume")
	people.see("general-1 by user in #general, wake @alice: @alice hello")
	people.see("alice is done")
	var e office.Event
	if err := json.Unmarshal([]byte(programs.see("general-1")), &e); err != nil || e.Kind != office.EventDelivery || e.Outcome != string(office.Paused) {
		t.Errorf("programs read %+v %v", e, err)
	}
	for _, refused := range [][]string{{"logs", "-f", "--kind", "nonsense"}, {"logs", "-f", "--source", "slak"}, {"logs", "-f", "audit"}, {"logs", "--kind", "message"}} {
		v := verbIn(t, dir, refused...)
		if v.wantExit(exitConfig); v.err.count("bullpen:") != 1 {
			t.Errorf("%s: %s", strings.Join(refused, " "), v.transcript())
		}
	}
	p.signal(syscall.SIGTERM)
	p.wait()
	people.wantExit(0)
	people.hear("The office has closed.")
	programs.wantExit(0)
	if n := programs.out.count(`"kind":"message"`); n > 0 {
		t.Errorf("programs got %d messages that they did not ask for", n)
	}
}
