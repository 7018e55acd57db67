//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a program under measurement.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *lines // of its standard output and error together
	ended  chan struct{}
	traced bool // writes a profile until it is told to stop
	reason error
	syncs  *atomic.Int64 // waits for the disk so far; nil: they are not counted
}

// start runs a program with its input open.
func (b *bench) start(program string, args ...string) (*process, error) {
	p, err := b.prepare(program, args...)
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	go func() {
		p.reason = p.cmd.Wait()
		close(p.ended)
		p.out.wake()
	}()
	return p, nil
}

// prepare is start up to the start itself.
func (b *bench) prepare(program string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), out: newLines(), ended: make(chan struct{})}
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir}
	if b.gogc != "" && program == b.bullpen {
		p.cmd.Env = append(p.cmd.Env, "GOGC="+b.gogc)
	}
	if b.profile != "" && program == b.bullpen {
		b.profiles++
		p.cmd.Env = append(p.cmd.Env, fmt.Sprintf("BULLPEN_CPUPROFILE=%s/%s%d.pprof", b.profile, b.now, b.profiles))
		p.traced = true
	}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	var err error
	p.in, err = p.cmd.StdinPipe()
	return p, err
}

// up opens the office in a folder, fed over a pipe.
func (b *bench) up(dir string) (*process, error) { return b.start(b.bullpen, "up", "--dir", dir) }

// feed writes lines to its input.
func (p *process) feed(text ...string) error {
	_, err := io.WriteString(p.in, strings.Join(text, "\n")+"\n")
	return err
}

// saw waits until n lines that contain text have been written.
func (p *process) saw(ctx context.Context, text string, n int) error {
	for {
		changed := p.out.changed()
		if p.out.count(text) >= n {
			return nil
		}
		select {
		case <-changed:
		case <-p.ended:
			return fmt.Errorf("%s ended (%w) before it said %q:\n%s", filepath.Base(p.cmd.Path), errOr(p.reason), text, p.out.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s said %q %d times, not %d: %w\n%s", filepath.Base(p.cmd.Path), text, p.out.count(text), n, ctx.Err(), p.out.tail())
		}
	}
}

var errEnded = errors.New("without an error")

func errOr(err error) error {
	if err == nil {
		return errEnded
	}
	return err
}

// profileTime is what writing a profile may take; nobody tells when it is done.
const profileTime = time.Second

// endTime is how long a program may take to end in order.
const endTime = 10 * time.Second

// close ends it.
func (p *process) close() {
	if p.traced {
		_ = p.cmd.Process.Signal(syscall.SIGUSR1)
		<-time.After(profileTime)
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(endTime):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// cpu is the processor time that it has used, by its process clock: to the
// nanosecond, where /proc tells ticks.
func (p *process) cpu() (time.Duration, error) {
	// CPUCLOCK_SCHED of a process, as clock_getcpuclockid(3) makes it.
	clock := int32(^uint32(p.cmd.Process.Pid)<<3 | 2)
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, fmt.Errorf("the processor time of process %d: %w", p.cmd.Process.Pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// quiet waits until it uses next to no processor time any more.
func (p *process) quiet(ctx context.Context) error {
	const look, little = 200 * time.Millisecond, 2 * time.Millisecond
	last, err := p.cpu()
	for err == nil {
		if err := pause(ctx, look); err != nil {
			return err
		}
		var now time.Duration
		if now, err = p.cpu(); err == nil && now-last < little {
			return nil
		}
		last = now
	}
	return err
}

// ticks is the processor time in clock ticks, as /proc tells it.
func (p *process) ticks() (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The program's name, in brackets, may hold anything; user and system time are
	// the 12th and 13th fields behind it (proc_pid_stat(5)).
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return user + system, errors.Join(err1, err2)
}

// memory is a figure of /proc/<pid>/status in megabytes: VmRSS, VmHWM.
func (p *process) memory(field string) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(text), field+":")
	if !ok {
		return 0, fmt.Errorf("there is no %s of process %d", field, p.cmd.Process.Pid)
	}
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kb / 1024, err
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lines gathers what a program writes, in whole lines.
type lines struct {
	mu   sync.Mutex
	part []byte
	all  []string
	next chan struct{}
}

func newLines() *lines { return &lines{next: make(chan struct{})} }

// Write takes output in.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	l.part = append(l.part, b...)
	for {
		n, line, err := bufio.ScanLines(l.part, false)
		if err != nil || n == 0 {
			break
		}
		l.all = append(l.all, string(line))
		l.part = l.part[n:]
	}
	l.mu.Unlock()
	l.wake()
	return len(b), nil
}

func (l *lines) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.next)
	l.next = make(chan struct{})
}

func (l *lines) changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, line := range l.all {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// tail is the end of what it wrote.
func (l *lines) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all[max(0, len(l.all)-10):], "\n")
}
