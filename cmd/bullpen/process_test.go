package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for what has to come. It is spent only by
// a test that fails.
const patience = time.Minute

// process is a started bullpen.
type process struct {
	t        testing.TB
	cmd      *exec.Cmd
	in       io.WriteCloser // nil if its input was given whole
	out, err *output
	exited   chan struct{} // closed when it has ended and all it wrote was read
}

// launch says how bullpen is started.
type launch struct {
	program string // ordinary unless given
	args    []string
	// input is all of its input; nil leaves the input open, for feed.
	input *string
	// set are variables of its environment.
	set []string
}

// open is `bullpen up` on a folder, with its input left open.
func open(dir string, more ...string) launch {
	return launch{args: append([]string{"up", "--dir", dir}, more...)}
}

// whole is `bullpen up --exit-when-idle` that is fed input and its end.
func whole(dir, input string) launch {
	l := open(dir, "--exit-when-idle")
	l.input = &input
	return l
}

// with adds variables to the environment of a build with faults.
func (l launch) with(set ...string) launch {
	l.program, l.set = faulty, append(slices.Clone(l.set), set...)
	return l
}

// withRaces starts the build with the race detector, where the tests have it.
func (l launch) withRaces() launch {
	l.program = raced
	return l
}

// start starts bullpen; it is killed at the end of the test at the latest.
func start(t testing.TB, l launch) *process {
	t.Helper()
	if l.program == "" {
		l.program = ordinary
	}
	p := &process{t: t, cmd: exec.Command(l.program, l.args...), exited: make(chan struct{})}
	p.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "XDG_RUNTIME_DIR=" + runtimeDir,
		// The race detector's own pause at the end of a process is of no use here.
		"GORACE=atexit_sleep_ms=0 halt_on_error=1",
	}, l.set...)
	if l.input != nil {
		p.cmd.Stdin = strings.NewReader(*l.input)
	} else {
		in, err := p.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		p.in = in
	}
	p.out, p.err = newOutput(), newOutput()
	// Files, and not the library's pipes: Wait must not close what is still read.
	outR, outW := pipe(t)
	errR, errW := pipe(t)
	p.cmd.Stdout, p.cmd.Stderr = outW, errW
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("bullpen cannot be started: %v", err)
	}
	outW.Close()
	errW.Close()
	var reading sync.WaitGroup
	reading.Go(func() { p.out.read(outR) })
	reading.Go(func() { p.err.read(errR) })
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait() // how it ended is read from ProcessState
		reading.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.exited
	})
	return p
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// finished starts bullpen and waits for its end.
func finished(t testing.TB, l launch) *process {
	t.Helper()
	p := start(t, l)
	p.wait()
	return p
}

// feed writes lines to the input. A process that has died takes none.
func (p *process) feed(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		_, err := io.WriteString(p.in, l+"\n")
		if err != nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
			p.t.Errorf("feeding %.100q: %v", l, err)
		}
	}
}

// end closes the input.
func (p *process) end() { _ = p.in.Close() }

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatalf("signal %v: %v", s, err)
	}
}

// kill ends it as kill -9 does, and waits for that.
func (p *process) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	p.wait()
}

// wait waits for its end.
func (p *process) wait() {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(patience):
		p.t.Fatalf("bullpen did not end\n%s", p.transcript())
	}
	if said := p.err.find("WARNING: DATA RACE"); said != "" {
		p.t.Errorf("the race detector found something\n%s", p.transcript())
	}
}

// wantExit waits for its end and checks its status.
func (p *process) wantExit(status int) {
	p.t.Helper()
	p.wait()
	if got := p.cmd.ProcessState; got.ExitCode() != status {
		p.t.Fatalf("bullpen ended with %v, want exit status %d\n%s", got, status, p.transcript())
	}
}

// wasKilled says whether it died of a signal.
func (p *process) wasKilled(by syscall.Signal) bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == by
}

// see waits for a line of standard output that contains text; hear the same of
// standard error. Lines that came before count.
func (p *process) see(text string) string  { p.t.Helper(); return p.await(p.out, text, 1) }
func (p *process) hear(text string) string { p.t.Helper(); return p.await(p.err, text, 1) }

// await waits for the nth line that contains text.
func (p *process) await(o *output, text string, n int) string {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		line, changed, ended := o.look(text, n)
		if line != "" {
			return line
		}
		if ended {
			p.t.Fatalf("bullpen ended (%v) without saying %q\n%s", p.status(), text, p.transcript())
		}
		select {
		case <-changed:
		case <-deadline:
			p.t.Fatalf("bullpen did not say %q\n%s", text, p.transcript())
		}
	}
}

// pause waits for what is about to change.
func (p *process) pause(changed <-chan struct{}) {
	p.t.Helper()
	select {
	case <-changed:
	case <-time.After(patience):
		p.t.Fatalf("nothing more came\n%s", p.transcript())
	}
}

func (p *process) status() string {
	select {
	case <-p.exited:
		return p.cmd.ProcessState.String()
	default:
		return "status unknown"
	}
}

// transcript is all that it has written, for a failure's message.
func (p *process) transcript() string {
	clip := func(o *output) string {
		var b strings.Builder
		for _, l := range o.all() {
			if len(l) > 300 {
				l = strings.ToValidUTF8(l[:300], "") + "…"
			}
			b.WriteString("  " + l + "\n")
		}
		return b.String()
	}
	return "standard output:\n" + clip(p.out) + "standard error:\n" + clip(p.err)
}

// output is the lines of one stream.
type output struct {
	mu      sync.Mutex
	lines   []string
	ended   bool
	changed chan struct{} // closed at the next line, and at the end
}

func newOutput() *output { return &output{changed: make(chan struct{})} }

func (o *output) read(r io.ReadCloser) {
	defer r.Close()
	b := bufio.NewReader(r)
	for {
		line, err := b.ReadString('\n')
		o.mu.Lock()
		if err == nil { // half a line is what a kill leaves: nobody is told half a sentence
			o.lines = append(o.lines, strings.TrimSuffix(line, "\n"))
		}
		o.ended = err != nil
		close(o.changed)
		o.changed = make(chan struct{})
		o.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// look gives the nth line that contains text, or "" and what to wait for.
func (o *output) look(text string, n int) (line string, changed <-chan struct{}, ended bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.lines {
		if strings.Contains(l, text) {
			if n--; n == 0 {
				return l, nil, o.ended
			}
		}
	}
	return "", o.changed, o.ended
}

// find is the first line so far that contains text.
func (o *output) find(text string) string {
	line, _, _ := o.look(text, 1)
	return line
}

func (o *output) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.lines)
}

func (o *output) count(text string) int {
	n := 0
	for _, l := range o.all() {
		if strings.Contains(l, text) {
			n++
		}
	}
	return n
}

// quickFolder is an empty folder for an office, in memory where the system has
// such a place: what a killed process has written is there in either case.
func quickFolder(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err != nil {
		return filepath.Join(t.TempDir(), "office")
	}
	dir, err := os.MkdirTemp(memory, "bullpen-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "office")
}

// writeOffice makes a folder with an office.yaml.
func writeOffice(t testing.TB, yaml string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "office")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
