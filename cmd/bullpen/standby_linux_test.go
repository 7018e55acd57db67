package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullpen/office/store/redis"
)

// shared makes an office whose record is in a Redis, and how to start it.
func shared(t *testing.T) (dir, address string, l launch) {
	t.Helper()
	dir, address = t.TempDir(), redisServer(t)
	finished(t, whole(dir, "")).wantExit(0) // the first file
	path := filepath.Join(dir, "office.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "\nstore: {redis: \"${REDIS_URL}\"}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, address, open(dir).with("REDIS_URL="+address, "BULLPEN_LEASE_TTL=1500ms")
}

// shownUpTo waits until the record says that the console has shown a message: what it
// showed after that a kill makes it show again.
func shownUpTo(t *testing.T, address, dir string, no int64) {
	t.Helper()
	s, err := redis.Open(t.Context(), redis.Options{URL: address, Office: filepath.Base(dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for deadline := time.Now().Add(patience); ; {
		snap, err := s.Load(t.Context())
		if err == nil && snap.Cursors["console"] >= no {
			return
		}
		if time.Now().After(deadline) || !sleep(t.Context(), 10*time.Millisecond) {
			t.Fatalf("message %d was not stored as shown: %v", no, err)
		}
	}
}

// stop stops a process, and waits until none of its threads runs any more: the
// signal alone leaves them a moment, in which a line could still be taken in.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGSTOP)
	tasks := fmt.Sprintf("/proc/%d/task", p.cmd.Process.Pid)
	deadline := time.Now().Add(patience)
	for running := true; running; {
		if time.Now().After(deadline) {
			p.t.Fatal("the process does not stop")
		}
		threads, err := os.ReadDir(tasks)
		if err != nil {
			return // it has ended meanwhile
		}
		running = false
		for _, thread := range threads {
			stat, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "stat"))
			if err != nil {
				continue // it has ended
			}
			if _, state, ok := strings.Cut(string(stat), ") "); ok && !strings.HasPrefix(state, "T") {
				running = true
			}
		}
	}
}

func TestAnotherProcessTakesOverWhenTheOwnerDies(t *testing.T) {
	t.Parallel()
	dir, address, l := shared(t)
	owner := start(t, l)
	owner.feed("@bob write a.txt: one")
	owner.see("I wrote a.txt")
	shownUpTo(t, address, dir, 1)
	second := start(t, l)
	second.hear("standing by")
	owner.kill()
	second.feed("@bob read a.txt")
	second.see("In a.txt")
	if line := second.out.find("general-1 "); line != "" {
		t.Errorf("what had been shown is shown again: %s", line)
	}
	second.feed("/quit")
	second.wantExit(0)
}

func TestAnOwnerThatWakesLateCommitsNothing(t *testing.T) {
	t.Parallel()
	_, _, l := shared(t)
	owner := start(t, l)
	owner.feed("@alice say hello to bob")
	owner.see("I said hello to bob")
	second := start(t, l)
	second.hear("standing by")
	owner.stop()
	owner.feed("@carol this comes too late") // it is in the pipe when the owner wakes
	second.feed("@bob list files")
	second.see("My workspace")
	owner.signal(syscall.SIGCONT)
	owner.hear("another process owns this office now")
	owner.hear("standing by")
	second.feed("/read", "/quit")
	second.wantExit(0)
	if line := second.out.find("too late"); line != "" {
		t.Errorf("the stale process stored a message: %s", line)
	}
	// It was not lost for good: now that nobody runs the office it does so again.
	owner.feed("@bob list files", "/quit")
	owner.hear("bob delivered")
	owner.wantExit(0)
	// The line was either read and refused, or not read and kept for now.
	if line := owner.out.find("too late"); line != "" && owner.err.find("refused") != "" {
		t.Errorf("what was refused was stored later: %s", line)
	}
}
