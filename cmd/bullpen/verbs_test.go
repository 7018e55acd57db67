package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
)

// verbIn runs one command line against an office to its end.
func verbIn(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	return finished(t, launch{args: append(args, "--dir", dir), input: new(string)})
}

// An office is run from another shell: in tables for people, JSON for programs,
// and statuses that say what went wrong.
func TestTheOfficeFromAnotherShell(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	p := start(t, open(dir))
	p.feed("/status")
	p.hear("Office My office")
	v := verbIn(t, dir, "roster")
	v.wantExit(0)
	if v.see("NAME"); !strings.Contains(v.see("carol"), "leader") {
		t.Errorf("the roster is\n%s", v.transcript())
	}
	v = verbIn(t, dir, "office", "status", "--json")
	v.wantExit(0)
	var status struct{ Office string }
	if err := json.Unmarshal([]byte(v.see("{")), &status); err != nil || status.Office != "My office" {
		t.Errorf("the status is %v\n%s", err, v.transcript())
	}
	verbIn(t, dir, "pause", "moving", "house").wantExit(0)
	p.feed("/status")
	p.hear("moving house")
	v = verbIn(t, dir, "interrupt", "nobody")
	v.wantExit(exitConfig)
	v.hear("there is no colleague called")
	verbIn(t, dir, "approve", "ABCDEFGH").wantExit(exitFailed)
	v = finished(t, launch{args: []string{"__complete", "interrupt", "--dir", dir, "c"}, input: new(string)})
	v.wantExit(0)
	v.see("carol")
	p.end()
	p.signal(syscall.SIGTERM)
	p.wait()
	v = verbIn(t, dir, "status")
	v.wantExit(exitNotRunning)
	v.hear("start it with: bullpen up --dir " + dir)
}

func TestTheShellCanCompleteCommands(t *testing.T) {
	t.Parallel()
	for _, sh := range []string{"bash", "zsh", "fish"} {
		v := finished(t, launch{args: []string{"completion", sh}, input: new(string)})
		v.wantExit(0)
		v.see("__complete")
	}
}

// Whoever mistypes a command is told which one was meant, whatever flags follow it.
func TestAMistypedCommandSuggestsTheNearest(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"stauts":                   `there is no command "stauts"; did you mean bullpen status? bullpen --help lists them`,
		"stauts --dir x --json":    `there is no command "stauts"; did you mean bullpen status?`,
		"adopt rita":               `there is no command "adopt"; did you mean bullpen agent adopt?`,
		"agent confgure x --dir x": `there is no command "confgure" of agent; did you mean bullpen agent configure? bullpen agent --help lists them`,
		"office stauts":            `there is no command "stauts" of office; did you mean bullpen office status?`,
		"office xyzzy":             `there is no command "xyzzy" of office; bullpen office --help lists them`,
		"status --nope":            "unknown flag: --nope; see bullpen status --help",
	} {
		v := finished(t, launch{args: strings.Fields(line), input: new(string)})
		v.wantExit(exitConfig)
		v.hear("bullpen: " + want)
	}
	finished(t, launch{args: []string{"--version"}, input: new(string)}).see("bullpen ")
}
