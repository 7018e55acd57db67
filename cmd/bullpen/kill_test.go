package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// again is what is said to the office after it has come back.
const again = "@bob are we back"

// comeback ends a test in which an office was killed: it opens once more, is
// told one more line, finishes, and all that was promised holds.
func comeback(t *testing.T, s story, dir string, killed ...*process) {
	t.Helper()
	last := finished(t, whole(dir, again+"\n").with())
	last.wantExit(0)
	r := readRecord(t, dir)
	var anchors []string
	for _, p := range killed {
		anchors = append(anchors, receipts(p)...)
	}
	s.wantTold(t, r, anchors)
	story{{line: again, deeds: []deed{wrote("bob", again)}}}.wantTold(t, r, receipts(last))
	if len(receipts(last)) != 1 {
		t.Errorf("the line after the kill has the receipts %v", receipts(last))
	}
	r.wantSound(t)
	r.wantDone(t)
	r.wantFiles(t)
	r.wantNoNotice(t)
	r.wantShown(t, append(killed, last)...)
	if t.Failed() {
		for i, p := range append(killed, last) {
			t.Logf("run %d:\n%s", i+1, p.transcript())
		}
	}
}

// points are the names of the points that a run passed, in order.
func points(t testing.TB, trace string) []string {
	t.Helper()
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		_, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			t.Fatalf("the trace has the line %q", line)
		}
		names = append(names, name)
	}
	return names
}

// traced tells the story to a new office that is let live, and gives the points
// that it passed.
func traced(t testing.TB, program string, s story) []string {
	t.Helper()
	dir := quickFolder(t)
	trace := filepath.Join(t.TempDir(), "trace")
	l := whole(dir, s.input()).with("BULLPEN_FAULT_TRACE=" + trace)
	l.program = program
	p := finished(t, l)
	p.wantExit(0)
	r := readRecord(t, dir)
	s.wantTold(t, r, receipts(p))
	r.wantSound(t)
	r.wantDone(t)
	r.wantFiles(t)
	r.wantNoNotice(t)
	r.wantShown(t, p)
	if t.Failed() {
		t.Fatalf("without any kill:\n%s", p.transcript())
	}
	return points(t, trace)
}

// killAt names a point by its number, or by its name.
func killAt(point any) string { return fmt.Sprint("BULLPEN_KILL_AT=", point) }

// TestAStoryUnderTheRaceDetector tells the story to a program that reports races.
func TestAStoryUnderTheRaceDetector(t *testing.T) {
	t.Parallel()
	traced(t, raced, everything)
}

// TestKilledAtEveryPoint kills the process before and after each commit and
// each effect of a conversation, and starts it again.
func TestKilledAtEveryPoint(t *testing.T) {
	t.Parallel()
	all := traced(t, faulty, everything)
	t.Logf("%d points", len(all))
	var mu sync.Mutex
	died := map[string]int{}
	t.Run("at", func(t *testing.T) {
		for k := 1; k <= len(all); k++ {
			t.Run(fmt.Sprintf("%03d", k), func(t *testing.T) {
				t.Parallel()
				at := killedAt(t, k)
				mu.Lock()
				defer mu.Unlock()
				died[at]++
			})
		}
	})
	// Turns run side by side, so that the same number is not the same point in
	// every run: what was missed is aimed at by its name.
	for _, name := range all {
		if died[name] == 0 {
			died[killedAt(t, name)]++
		}
	}
	t.Logf("killed: %v", died)
	for _, name := range all {
		if died[name] == 0 {
			t.Errorf("no process was killed at %s", name)
			died[name] = 1 // told once
		}
	}
}

// killedAt tells the story to an office that dies at point k and comes back. It
// gives the name of the point, "" if the run passed fewer.
func killedAt(t *testing.T, k any) string {
	t.Helper()
	dir, trace := quickFolder(t), filepath.Join(t.TempDir(), "trace")
	p := finished(t, whole(dir, everything.input()).with(killAt(k), "BULLPEN_FAULT_TRACE="+trace))
	passed := points(t, trace)
	at := passed[len(passed)-1]
	if !p.wasKilled(syscall.SIGKILL) {
		if n, ok := k.(int); ok && len(passed) >= n {
			t.Fatalf("it outlived point %d (%s)", n, passed[n-1])
		}
		p.wantExit(0)
		at = ""
	}
	comeback(t, everything, dir, p)
	if t.Failed() {
		t.Logf("killed at point %d, %s", k, at)
	}
	return at
}

// TestKilledAgainAndAgain kills the process once more, and once more, while it
// takes up what the kill before has left.
func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	for first := 5; first < 150; first += 12 {
		t.Run(fmt.Sprintf("%03d", first), func(t *testing.T) {
			t.Parallel()
			dir := quickFolder(t)
			runs := []*process{finished(t, whole(dir, everything.input()).with(killAt(first)))}
			for _, next := range []int{first%11 + 3, first%7 + 1, first%13 + 2} {
				runs = append(runs, finished(t, whole(dir, "").with(killAt(next))))
			}
			comeback(t, everything, dir, runs...)
		})
	}
}

// TestKilledWhileItIsSpokenTo feeds line after line, each when what the one
// before asked for has come, and kills at points in between.
func TestKilledWhileItIsSpokenTo(t *testing.T) {
	t.Parallel()
	for k := 4; k < 200; k += 11 {
		t.Run(fmt.Sprintf("%03d", k), func(t *testing.T) {
			t.Parallel()
			dir := quickFolder(t)
			p := start(t, open(dir, "--exit-when-idle").with(killAt(k)))
			tell(p, everything)
			p.end()
			p.wait()
			comeback(t, everything, dir, p)
		})
	}
}

// tell feeds a story line by line, waiting for a first sign of what each asked
// for, for as long as the process lives.
func tell(p *process, s story) {
	for _, l := range s {
		before := len(p.out.all()) + len(p.err.all())
		p.feed(l.line)
		if !p.stirs(before + 1 + len(l.deeds)) {
			return
		}
	}
}

// stirs waits for n lines of output, and says whether they came.
func (p *process) stirs(n int) bool {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		_, out, _ := p.out.look("\x00", 1)
		_, err, _ := p.err.look("\x00", 1)
		if len(p.out.all())+len(p.err.all()) >= n {
			return true
		}
		select {
		case <-out:
		case <-err:
		case <-p.exited:
			return false
		case <-deadline:
			p.t.Fatalf("no further line came\n%s", p.transcript())
		}
	}
}

// TestKilledFromOutside kills the ordinary program at moments that nobody chose.
func TestKilledFromOutside(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			dir := quickFolder(t)
			var runs []*process
			for range 1 + random.IntN(3) {
				p := start(t, open(dir))
				if len(runs) == 0 {
					go func() {
						p.feed(strings.TrimSuffix(everything.input(), "\n"))
						p.end()
					}()
				} else {
					p.end()
				}
				after := time.NewTimer(time.Duration(random.IntN(120)) * time.Millisecond)
				select {
				case <-after.C:
				case <-p.exited:
				}
				p.kill()
				runs = append(runs, p)
			}
			comeback(t, everything, dir, runs...)
		})
	}
}
