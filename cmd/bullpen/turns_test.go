package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullpen/office"
)

// follow gives a trace for a build with faults that can be read while it is
// written: the names of the points as the process passes them. Several
// processes may write it, one after the other.
func follow(t testing.TB) (set string, passed *output) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Open for writing too, so that its end never comes between two processes.
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	passed = newOutput()
	read := make(chan struct{})
	go func() {
		defer close(read)
		passed.read(f)
	}()
	t.Cleanup(func() {
		f.Close()
		<-read
	})
	return "BULLPEN_FAULT_TRACE=" + path, passed
}

// hanging starts an office and has alice ask a model that never answers.
func hanging(t testing.TB, dir string) *process {
	t.Helper()
	trace, passed := follow(t)
	p := start(t, open(dir).with(trace))
	p.feed("@alice !hang a while")
	p.hear("general-1: alice delivered")
	p.await(passed, " model.before", 1)
	return p
}

// A turn that brings the office down each time does not do so for ever.
func TestATurnThatIsKilledFiveTimesFails(t *testing.T) {
	t.Parallel()
	dir := quickFolder(t)
	p := hanging(t, dir)
	p.feed("/in @alice", "are you there")
	p.hear("dm-c2-user-1: alice queued")
	p.kill()
	for range 4 {
		trace, passed := follow(t)
		p := start(t, open(dir).with(trace))
		p.await(passed, " model.before", 1)
		p.kill()
	}
	last := finished(t, whole(dir, "").with())
	last.wantExit(0)
	last.see("office: alice could not finish general-1: the office stopped 5 times in the middle of it.")
	last.see("alice: You wrote: “are you there”")
	after := finished(t, whole(dir, "").with())
	after.wantExit(0)
	r := readRecord(t, dir)
	r.wantSound(t)
	r.wantDone(t)
	if n := r.times(deed{"office", "could not finish"}); n != 1 {
		t.Errorf("the person was told %d times", n)
	}
	if n := r.times(wrote("alice", "are you there")); n != 1 {
		t.Errorf("the line behind it was answered %d times", n)
	}
}

const brief = `
office: {limits: {shutdown_grace: %s}}
agents:
  alice: {model: demo}
`

// An orderly end leaves a turn that does not finish to the next start, and
// does not count it as a crash.
func TestASignalInTheMiddleOfATurn(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			dir := writeOffice(t, fmt.Sprintf(brief, "500ms"))
			p := hanging(t, dir)
			for range 6 { // more often than a turn may crash
				p.signal(s)
				p.wantExit(0)
				wantParked(t, dir)
				trace, passed := follow(t)
				p = start(t, open(dir).with(trace))
				p.await(passed, " model.before", 1)
			}
			p.signal(s)
			p.wantExit(0)
			next := finished(t, whole(dir, "")) // whose model knows no !hang
			next.wantExit(0)
			next.see("alice: You wrote: “@alice !hang a while”")
			r := readRecord(t, dir)
			r.wantSound(t)
			r.wantDone(t)
			for _, entries := range r.transcripts {
				for _, e := range entries {
					if e.Kind == office.EntryNotice {
						t.Errorf("the colleague was told of a crash: %s", e.Text)
					}
				}
			}
		})
	}
}

func wantParked(t testing.TB, dir string) {
	t.Helper()
	r := readRecord(t, dir)
	r.wantSound(t)
	if len(r.snap.Turns) != 1 || !r.snap.Turns[0].Parked || r.snap.Turns[0].Crashes != 0 {
		t.Errorf("the record has the open turns %+v, want one that was left in order", r.snap.Turns)
	}
	if r.snap.Head.Nonce != "" {
		t.Error("the office is still leased")
	}
	if _, err := os.Stat(filepath.Join(dir, "bullpen.holder")); err == nil {
		t.Error("the folder still names who runs the office")
	}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	dir := writeOffice(t, fmt.Sprintf(brief, "1h"))
	p := hanging(t, dir)
	press := time.NewTicker(20 * time.Millisecond)
	defer press.Stop()
	deadline := time.After(patience)
	for ended := false; !ended; {
		p.signal(syscall.SIGTERM)
		select {
		case <-p.exited:
			ended = true
		case <-press.C:
		case <-deadline:
			t.Fatalf("bullpen goes on\n%s", p.transcript())
		}
	}
	if !p.wasKilled(syscall.SIGTERM) {
		t.Errorf("it ended with %v", p.cmd.ProcessState)
	}
	next := finished(t, whole(dir, ""))
	next.wantExit(0)
	next.see("alice: You wrote: “@alice !hang a while”")
}

func TestASignalWhileNobodyHasAnythingToDo(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			dir := writeOffice(t, fmt.Sprintf(brief, "1h"))
			p := start(t, open(dir))
			p.feed("@alice are you there")
			p.see("alice: You wrote")
			p.signal(s)
			p.wantExit(0)
			r := readRecord(t, dir)
			r.wantDone(t)
			if r.snap.Head.Nonce != "" {
				t.Error("the office is still leased")
			}
		})
	}
}

// Whatever a turn comes to, who asked is told in one sentence, and what waits
// behind it has its turn.
func TestATurnThatComesToNothing(t *testing.T) {
	t.Parallel()
	tests := []struct{ line, told string }{
		{"@alice !nothing", "office: alice could not finish general-1: the demo model answered nothing."},
		{"@alice !fail", "office: alice could not finish general-1: the demo model refused."},
		{"@alice !loop", "office: alice could not finish general-1: it went on calling tools for 50 steps, which is the limit of one turn."},
		{"@alice !badcall", "alice: You wrote: “@alice !badcall”"},
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.line, "@alice !"), func(t *testing.T) {
			t.Parallel()
			dir := quickFolder(t)
			p := start(t, open(dir).with())
			p.feed(tt.line, "/in @alice", "are you there", "/in #general")
			p.see(tt.told)
			p.see("alice: You wrote: “are you there”")
			p.feed("@alice and here")
			p.see("alice: You wrote: “@alice and here”")
			p.signal(syscall.SIGTERM)
			p.wantExit(0)
			r := readRecord(t, dir)
			r.wantSound(t)
			r.wantDone(t)
			if n := p.out.count("general-1") - 1; n > 1 { // beside the line itself
				t.Errorf("it was told %d times\n%s", n, p.transcript())
			}
		})
	}
}
