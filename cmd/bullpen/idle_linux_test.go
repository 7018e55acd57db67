package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAnIdleOffice says what an office costs that nobody talks to. How much that
// is depends on the machine, so it only tells.
func TestAnIdleOffice(t *testing.T) {
	t.Parallel()
	p := start(t, open(quickFolder(t)))
	p.feed("@alice say hello to bob")
	p.see("alice: I said hello to bob.")
	p.see("bob: Hello alice!")
	before := ticks(t, p)
	const while = 3 * time.Second
	select {
	case <-time.After(while):
	case <-p.exited:
		t.Fatalf("bullpen ended\n%s", p.transcript())
	}
	t.Logf("in %s idle: %d clock ticks; %d MB resident", while, ticks(t, p)-before, resident(t, p)>>20)
	p.signal(syscall.SIGTERM)
	p.wantExit(0)
}

// stat reads a field of /proc/<pid>/stat, counted as in proc_pid_stat(5).
func stat(t testing.TB, p *process, field int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	// The second field, the program's name, may hold anything.
	_, rest, _ := strings.Cut(string(text), ") ")
	n, err := strconv.Atoi(strings.Fields(rest)[field-3])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// ticks is the processor time used, by the program and the system for it.
func ticks(t testing.TB, p *process) int { return stat(t, p, 14) + stat(t, p, 15) }

// resident is the memory in use, in bytes.
func resident(t testing.TB, p *process) int { return stat(t, p, 24) * os.Getpagesize() }
