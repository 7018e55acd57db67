package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// disk is a place for an office that can be made full and given room again.
type disk struct {
	dir  string
	fill func(p *process)
	free func(p *process)
	// says is what the writer is told while it is full.
	says string
}

// smallDisk is a file system of a few megabytes of its own or, where this user
// may not mount one, the system's bound on the size of a file.
func smallDisk(t *testing.T) disk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=6m,mode=700"); err != nil {
		t.Logf("no file system can be mounted (%v); a bound on the size of files takes its place", err)
		return boundedFiles(t)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", dir, err)
		}
	})
	filler := filepath.Join(dir, "filler")
	return disk{
		dir:  filepath.Join(dir, "office"),
		fill: func(*process) { fillUp(t, filler) },
		free: func(*process) {
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
		},
		says: "the disk is full",
	}
}

// fillUp writes to a file until nothing more fits.
func fillUp(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 64 << 10; size > 0; {
		switch _, err := f.Write(make([]byte, size)); {
		case errors.Is(err, syscall.ENOSPC):
			size /= 2
		case err != nil:
			t.Fatal(err)
		}
	}
}

// boundedFiles lets no file of the process grow while the disk is "full".
func boundedFiles(t *testing.T) disk {
	t.Helper()
	limit := func(p *process, bytes uint64) {
		set := syscall.Rlimit{Cur: bytes, Max: syscall.RLIM_INFINITY & (1<<63 - 1)}
		var old syscall.Rlimit
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.cmd.Process.Pid), syscall.RLIMIT_FSIZE,
			0, uintptr(unsafe.Pointer(&old)), 0, 0); e != 0 {
			t.Fatalf("prlimit: %v", e)
		}
		if set.Max = old.Max; bytes > old.Max {
			set.Cur = old.Max
		}
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.cmd.Process.Pid), syscall.RLIMIT_FSIZE,
			uintptr(unsafe.Pointer(&set)), 0, 0, 0); e != 0 {
			t.Fatalf("prlimit: %v", e)
		}
	}
	return disk{
		dir:  filepath.Join(t.TempDir(), "office"),
		fill: func(p *process) { limit(p, 4096) },
		free: func(p *process) { limit(p, 1<<40) },
		says: "the office could not store this",
	}
}

func TestAFullDisk(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T) disk{"a small disk": smallDisk, "bounded files": boundedFiles} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFullDisk(t, make(t))
		})
	}
}

func testFullDisk(t *testing.T, d disk) {
	t.Helper()
	p := start(t, open(d.dir))
	p.feed("@alice are you there")
	p.see("alice: You wrote: “@alice are you there”")
	d.fill(p)
	// What was allotted before may still take some lines.
	var lines []string
	for refused := false; !refused; {
		line := fmt.Sprintf("@bob line %d is %s", len(lines), strings.Repeat("long ", 600))
		lines = append(lines, line)
		p.feed(line)
		refused = p.settled(len(lines)+1) != ""
		if len(lines) > 5000 {
			t.Fatalf("the disk does not fill\n%s", p.transcript())
		}
	}
	if said := p.err.find("refused: "); !strings.Contains(said, d.says) || strings.Contains(said, `\n`) {
		t.Errorf("the writer was told %q", said)
	}
	d.free(p)
	p.feed("@alice and now")
	p.see("alice: You wrote: “@alice and now”")
	for i := range lines[:len(lines)-1] {
		p.await(p.out, fmt.Sprintf("You wrote: “@bob line %d ", i), 1)
	}
	p.signal(syscall.SIGTERM)
	p.wantExit(0)
	r := readRecord(t, d.dir)
	r.wantSound(t)
	r.wantDone(t)
	for i, line := range lines {
		want := 1
		if i == len(lines)-1 {
			want = 0 // it was refused
		}
		if n := len(r.said("user", line)); n != want {
			t.Errorf("line %d is stored %d times, want %d", i, n, want)
		}
		if n := r.times(deed{"bob", fmt.Sprintf("You wrote: “@bob line %d ", i)}); n != want {
			t.Errorf("line %d was answered %d times, want %d", i, n, want)
		}
	}
	t.Logf("%d lines were taken while it filled", len(lines)-1)
}

// settled waits until n lines have their receipts or were refused, and gives
// the refusal if there is one.
func (p *process) settled(n int) string {
	p.t.Helper()
	for {
		_, changed, ended := p.err.look("\x00", 1)
		said := p.err.find("refused: ")
		if said != "" || len(receipts(p)) >= n {
			return said
		}
		if ended {
			p.t.Fatalf("bullpen ended\n%s", p.transcript())
		}
		p.pause(changed)
	}
}

// A turn that fails while nothing can be stored is not left hanging.
func TestATurnThatFailsOnAFullDisk(t *testing.T) {
	t.Parallel()
	d := smallDisk(t)
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	yaml := "office: {limits: {turn_time: 3s}}\nagents:\n  alice: {model: demo}\n"
	if err := os.WriteFile(filepath.Join(d.dir, "office.yaml"), []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	trace, passed := follow(t)
	p := start(t, open(d.dir).with(trace))
	p.feed("@alice !hang a while")
	p.hear("general-1: alice delivered")
	d.fill(p)
	for n, refused := 2, false; !refused; n++ {
		p.feed(fmt.Sprintf("line %d is %s", n, strings.Repeat("long ", 20_000)))
		refused = p.settled(n) != ""
	}
	// The model is given up, and that is tried to be recorded until it can be.
	for tried := 0; tried < 3; {
		_, changed, _ := passed.look("\x00", 1)
		lines := passed.all()
		given := slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(l, " model.after") })
		if tried = 0; given >= 0 {
			tried = strings.Count(strings.Join(lines[given:], "\n"), " commit.before")
		}
		if tried < 3 {
			p.pause(changed)
		}
	}
	d.free(p)
	p.see("office: alice could not finish general-1: it took longer than 3s")
	p.feed("@alice and now")
	p.see("alice: You wrote: “@alice and now”")
}
