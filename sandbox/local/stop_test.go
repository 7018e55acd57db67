package local

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullpen/sandbox"
)

// soon is the longest that ending a command may take.
const soon = 2 * time.Second

// mark is a number that a command carries in its arguments, by which its
// processes are found on the machine, in whatever namespace they are.
func alive(t *testing.T, mark string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err == nil && bytes.Contains(b, []byte("\x00"+mark+"\x00")) {
			return true
		}
	}
	return false
}

// gone fails the test if a process with the mark is there after a moment.
func gone(t *testing.T, mark string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(soon)
	for alive(t, mark) {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("a child lives on")
		}
	}
}

// newMark is a time for sleep that no other test uses.
func newMark(t *testing.T, n int) string {
	t.Helper()
	return strconv.Itoa(1_000_000_000 + os.Getpid()*100 + n)
}

func TestTimeKillsGrandchildren(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		mark := newMark(t, map[bool]int{false: 1, true: 2}[unconfined])
		l, _ := box(t, Options{Unconfined: unconfined})
		begun := time.Now()
		r, err := l.Run(t.Context(), sandbox.Command{
			Shell: "trap '' TERM INT HUP; (bash -c 'sleep " + mark + " & wait' &) ; echo begun; sleep " + mark, Timeout: 300 * time.Millisecond,
		})
		if took := time.Since(begun); took > soon {
			t.Errorf("took %s", took)
		}
		if err != nil || !r.TimedOut || r.Output != "begun\n" || r.Exit != 128+9 {
			t.Errorf("%+v, %v", r, err)
		}
		gone(t, mark)
	})
}

func TestConfinedChildrenCannotEscapeTheirEnd(t *testing.T) {
	t.Parallel()
	mark := newMark(t, 3)
	l, _ := box(t, Options{})
	r := sh(t, l, "setsid nohup sleep "+mark+" >/dev/null 2>&1 & setsid sleep "+mark+" & echo done")
	if r.Output != "done\n" || r.Exit != 0 {
		t.Errorf("%+v", r)
	}
	gone(t, mark)
}

func TestBackgroundChildrenDoNotKeepTheCallOpen(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		mark := newMark(t, map[bool]int{false: 4, true: 5}[unconfined])
		l, _ := box(t, Options{Unconfined: unconfined})
		begun := time.Now()
		r := sh(t, l, "sleep "+mark+" & echo done; exit 3")
		if took := time.Since(begun); took > soon {
			t.Errorf("took %s", took)
		}
		if r.Output != "done\n" || r.Exit != 3 || r.TimedOut {
			t.Errorf("%+v", r)
		}
		gone(t, mark)
	})
}

func TestCancelEndsACommandSoon(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		mark := newMark(t, map[bool]int{false: 6, true: 7}[unconfined])
		l, _ := box(t, Options{Unconfined: unconfined})
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the owner said stop")
		var begun time.Time
		r, err := l.Run(ctx, sandbox.Command{
			Shell: "echo begun; sleep " + mark + "; echo never",
			Watch: func([]byte) { begun = time.Now(); cancel(why) },
		})
		if took := time.Since(begun); took > soon {
			t.Errorf("took %s", took)
		}
		if !errors.Is(err, why) || r.Output != "begun\n" || r.TimedOut {
			t.Errorf("%+v, %v", r, err)
		}
		gone(t, mark)
		if _, err := l.Run(ctx, sandbox.Command{Shell: "touch ran"}); !errors.Is(err, why) {
			t.Errorf("a command after the end: %v", err)
		}
	})
}

func TestAFloodOfOutputIsBounded(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		l, dir := box(t, Options{Unconfined: unconfined, Kept: 1 << 20, Output: 10_000})
		r := sh(t, l, "echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last")
		if !r.Truncated || len(r.Output) > 10_300 {
			t.Errorf("%d bytes", len(r.Output))
		}
		if !strings.HasPrefix(r.Output, "first\nxxx") || !strings.HasSuffix(r.Output, "xxx\nlast\n") ||
			!strings.Contains(r.Output, "the first 1048576 bytes are in "+r.FullOutput) {
			t.Errorf("%s … %s", r.Output[:100], r.Output[len(r.Output)-100:])
		}
		info, err := os.Stat(filepath.Join(dir, r.FullOutput))
		if err != nil || info.Size() != 1<<20 {
			t.Errorf("%v, %v", info, err)
		}
		r, err = l.Run(t.Context(), sandbox.Command{Shell: "yes", Timeout: 200 * time.Millisecond})
		if err != nil || !r.TimedOut || len(r.Output) > 10_300 {
			t.Errorf("%d bytes, %v", len(r.Output), err)
		}
	})
}

func TestALongOutputIsKeptWhole(t *testing.T) {
	t.Parallel()
	l, dir := box(t, Options{})
	var want strings.Builder
	for i := 1; i <= 5000; i++ {
		want.WriteString("ü" + strconv.Itoa(i) + "\n")
	}
	r, err := l.Run(t.Context(), sandbox.Command{Shell: "for ((i=1;i<=5000;i++)); do echo ü$i; done", OutputLimit: 1001})
	if err != nil || !r.Truncated || !strings.Contains(r.Output, "; all of it is in "+r.FullOutput) || strings.Contains(r.Output, "\uFFFD") {
		t.Errorf("%+v, %v", r, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, r.FullOutput))
	if err != nil || string(got) != want.String() {
		t.Errorf("%d bytes of %d, %v", len(got), want.Len(), err)
	}
	for range keptOutputs + 5 {
		sh(t, l, "head -c 60000 /dev/zero")
	}
	files, err := os.ReadDir(filepath.Join(dir, OutputFolder))
	if err != nil || len(files) != keptOutputs {
		t.Errorf("%d outputs are kept, %v", len(files), err)
	}
}

func TestTheOutputFolderCannotLeadElsewhere(t *testing.T) {
	t.Parallel()
	l, dir := box(t, Options{})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, ".bullpen")); err != nil {
		t.Fatal(err)
	}
	r := sh(t, l, "head -c 60000 /dev/zero | tr '\\0' x")
	if !r.Truncated || r.FullOutput != "" || !strings.Contains(r.Output, "kept nowhere") {
		t.Errorf("truncated %v, file %q", r.Truncated, r.FullOutput)
	}
	if files, err := os.ReadDir(outside); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestBinaryOutputIsMadeText(t *testing.T) {
	t.Parallel()
	l, _ := box(t, Options{})
	if r := sh(t, l, `printf 'a\xffb'`); r.Output != "a\uFFFDb" {
		t.Errorf("%q", r.Output)
	}
}

func TestTheOfficesDeathEndsItsCommands(t *testing.T) {
	t.Parallel()
	mark := newMark(t, 8)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.StartProcess(os.Args[0], os.Args[:1], &os.ProcAttr{
		Env: append(os.Environ(), officeEnv+"="+mark, officeEnv+"_DIR="+t.TempDir()), Files: []*os.File{nil, w, os.Stderr},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 1)); err != nil { // it runs
		t.Fatal(err)
	}
	if !alive(t, mark) {
		t.Error("the command is not found")
	}
	if err := self.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := self.Wait(); err != nil {
		t.Fatal(err)
	}
	gone(t, mark)
	if err := errors.Join(r.Close(), w.Close()); err != nil {
		t.Error(err)
	}
}

// officeEnv makes the test binary a process that runs a command until killed.
const officeEnv = "LOCAL_TEST_SLEEPS"

func TestMain(m *testing.M) {
	mark := os.Getenv(officeEnv)
	if mark == "" {
		os.Exit(m.Run())
	}
	ctx := context.Background()
	l, err := New(ctx, Options{Workspace: os.Getenv(officeEnv + "_DIR")})
	if err == nil {
		_, err = l.Run(ctx, sandbox.Command{
			Shell: "sleep " + mark + " & sleep 0.1; echo; wait",
			Watch: func(p []byte) { _, _ = os.Stdout.Write(p) },
		})
	}
	panic(err)
}
