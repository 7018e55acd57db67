package main

import (
	"fmt"
	"slices"
	"time"
)

// verb has another shell run a command of the office while everything else goes on.
// Most often it may end; else the office is killed in the middle of it: before what is
// intended is in the record, between that and office.yaml, or before the record
// follows the file.
func (c *chaos) verb(p *process) {
	c.t.Helper()
	who, newcomer := c.oneOf("alice", "bob", "carol"), c.oneOf("dave", "erin")
	line := [][]string{
		{"hire", newcomer},
		{"hire", newcomer, "--role", "leader"},
		{"hire", "erin", "--temporary", "on"},
		{"dismiss", newcomer, "--yes"},
		{"dismiss", newcomer, "--yes"},
		{"agent", "configure", c.oneOf("bob", "carol", newcomer), "--role", c.oneOf("member", "leader")},
		{"interrupt", who},
		{"pause", "for a verb"},
		{"resume"},
		{"dnd", who},
	}[c.rand.IntN(10)]
	v := start(c.t, launch{args: append(slices.Clone(line), "--dir", c.dir), input: new(string)})
	c.verbs = append(c.verbs, v)
	c.note("  another shell: %v", line)
	enough := time.Second
	die := c.rand.IntN(3) == 0
	if die {
		enough = time.Duration(c.rand.IntN(80)) * time.Millisecond
	}
	select {
	case <-v.exited:
	case <-p.exited:
	case <-time.After(enough):
	}
	if die {
		c.note("%d is killed", p.cmd.Process.Pid)
		p.kill()
	}
}

// wantVerbs: a command was done, or its shell was told why not.
func (c *chaos) wantVerbs() {
	c.t.Helper()
	done := 0
	for _, v := range c.verbs {
		switch code := v.cmd.ProcessState.ExitCode(); code {
		case 0:
			done++
		case exitFailed, exitConfig, exitRefused, exitNotRunning:
		default:
			c.t.Errorf("%v ended with status %d\n%s", v.cmd.Args, code, v.transcript())
		}
	}
	c.note("of %d commands from other shells %d were done", len(c.verbs), done)
}

// endQuestions lets the time of what colleagues ask be up, again as long as one of the
// processes lives: one may have been asked just now.
func (c *chaos) endQuestions(ps ...*process) {
	c.t.Helper()
	for range int(patience / time.Second) { // who waits for the end says that it did not come
		if !slices.ContainsFunc(ps, lives) {
			return
		}
		c.clock(fmt.Sprintf("%dh", 50+c.hours))
		c.hours++
		// Whatever the office is asked has it look at its clock.
		c.verbs = append(c.verbs, start(c.t, launch{args: []string{"status", "--dir", c.dir}, input: new(string)}))
		for _, p := range ps {
			p.endsWithin(time.Second)
		}
	}
}

// endsWithin waits for a process's end, but not for longer than that.
func (p *process) endsWithin(d time.Duration) {
	if p == nil {
		return
	}
	select {
	case <-p.exited:
	case <-time.After(d):
	}
}

// lives says whether a process has not ended.
func lives(p *process) bool {
	if p == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}
