//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// typedOffice is an office whose colleagues ask the model at url: alice, and one
// with a number for each of chats.
func typedOffice(dir, url string) error {
	yaml := fmt.Appendf(nil, `office: {name: Bench}
providers:
  bench: {kind: openai, base_url: %s}
agents:
  alice: {model: "bench:model"}
`, url)
	for i := range chats {
		yaml = fmt.Appendf(yaml, "  a%02d: {model: \"bench:model\"}\n", i)
	}
	return os.WriteFile(filepath.Join(dir, "office.yaml"), yaml, 0o600)
}

// talking starts the office and waits until it has answered once.
func (b *bench) talking(ctx context.Context, m *modelServer) (*process, error) {
	dir, err := b.folder()
	if err != nil {
		return nil, err
	}
	if err := typedOffice(dir, m.url); err != nil {
		return nil, err
	}
	p, err := b.up(dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.feed("@alice m-0-0."), p.saw(ctx, "alice: This is the answer to m-0-0.", 1)); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// typedLine is the way from a line on the pipe to the model's request, with the
// message and the turn on the disk before it leaves.
func typedLine(ctx context.Context, b *bench) error {
	m, err := startModel()
	if err != nil {
		return err
	}
	defer m.close()
	p, err := b.talking(ctx, m)
	if err != nil {
		return err
	}
	defer p.close()
	n := b.times(300)
	took, err := p.typing(ctx, m, 1, n, func(i int) string { return fmt.Sprintf("a%02d", i%chats) })
	if err != nil {
		return err
	}
	growing, inside, err := fdatasync(b.dir, 200)
	if err != nil {
		return err
	}
	mid := median(took)
	b.add(row{
		name: "a  typed line to model request, median", value: ms(mid), target: "< 3 ms", met: judged(mid < 3*time.Millisecond),
		beside: fmt.Sprintf("p99 %s; fdatasync here %s while a file grows, %s within it", ms(quantile(took, 0.99)), ms(growing), ms(inside)),
	})
	// All the model is told of the past is read and sent again with each request.
	long, err := p.typing(ctx, m, 2, n, func(int) string { return "alice" })
	if err != nil {
		return err
	}
	last := median(long[len(long)*4/5:])
	b.add(row{
		name: "a  the same with a long past", value: ms(last),
		beside: fmt.Sprintf("the colleague was talked to %d times before", n*9/10),
	})
	return nil
}

// typing types n lines, each when the one before is answered, and gives how long
// each took to become a request.
func (p *process) typing(ctx context.Context, m *modelServer, talk, n int, to func(int) string) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	for i := range n {
		before := m.count()
		began := time.Now()
		if err := p.feed(fmt.Sprintf("@%s m-%d-%d.", to(i), talk, i)); err != nil {
			return nil, err
		}
		at, err := m.request(ctx, before+1)
		if err != nil {
			return nil, err
		}
		took = append(took, at.Sub(began))
		if err := p.saw(ctx, fmt.Sprintf("%s: This is the answer to m-%d-%d.", to(i), talk, i), 1); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// idle is an office that nobody talks to, after one answer.
func idle(ctx context.Context, b *bench) error {
	m, err := startModel()
	if err != nil {
		return err
	}
	defer m.close()
	p, err := b.talking(ctx, m)
	if err != nil {
		return err
	}
	defer p.close()
	if err := pause(ctx, settled); err != nil {
		return err
	}
	before, err := p.ticks()
	if err != nil {
		return err
	}
	while := 10 * time.Second
	if b.quick {
		while = 3 * time.Second
	}
	if err := pause(ctx, while); err != nil {
		return err
	}
	after, err := p.ticks()
	if err != nil {
		return err
	}
	rss, err := p.memory("VmRSS")
	if err != nil {
		return err
	}
	peak, err := p.memory("VmHWM")
	if err != nil {
		return err
	}
	b.add(row{
		name: "b  idle: clock ticks", value: fmt.Sprintf("%d in %s", after-before, while), target: "0", met: judged(after == before),
		beside: "a tick is 10 ms of a processor",
	})
	b.add(row{
		name: "b  idle: resident memory", value: fmt.Sprintf("%.1f MB", rss), target: "< 20 MB", met: judged(rss < 20),
		beside: fmt.Sprintf("at its highest, while it started, %.1f MB", peak),
	})
	return nil
}

// opening is the way from the start of the program to its prompt on a terminal.
func opening(ctx context.Context, b *bench) error {
	var fresh, again []time.Duration
	for range b.times(15) {
		dir, err := b.folder()
		if err != nil {
			return err
		}
		for _, took := range []*[]time.Duration{&fresh, &again} {
			d, err := b.prompt(ctx, dir)
			if err != nil {
				return err
			}
			*took = append(*took, d)
		}
	}
	bare, err := b.bare(ctx, b.times(15))
	if err != nil {
		return err
	}
	for _, x := range []struct {
		folder string
		took   []time.Duration
	}{{"new", fresh}, {"existing", again}} {
		mid := median(x.took)
		b.add(row{
			name: "c  to the first prompt, " + x.folder + " folder", value: ms(mid), target: "< 100 ms", met: judged(mid < 100*time.Millisecond),
			beside: fmt.Sprintf("slowest %s; `bullpen version` alone %s", ms(quantile(x.took, 1)), ms(bare)),
		})
	}
	return nil
}

// bare is how long the program takes to say its version: being loaded and ending.
func (b *bench) bare(ctx context.Context, n int) (time.Duration, error) {
	var took []time.Duration
	for range n {
		began := time.Now()
		if out, err := exec.CommandContext(ctx, b.bullpen, "version").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("bullpen version: %w: %s", err, out)
		}
		took = append(took, time.Since(began))
	}
	return median(took), nil
}

// prompt opens the office on a terminal and ends it at its prompt.
func (b *bench) prompt(ctx context.Context, dir string) (time.Duration, error) {
	person, program, err := terminal()
	if err != nil {
		return 0, err
	}
	defer func() { _ = person.Close() }()
	cmd := exec.CommandContext(ctx, b.bullpen, "up", "--dir", dir)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "TERM=dumb-colour"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	began := time.Now()
	err = cmd.Start()
	_ = program.Close()
	if err != nil {
		return 0, err
	}
	took, seen := time.Duration(0), []byte{}
	buf := make([]byte, 4096)
	for took == 0 {
		n, err := person.Read(buf)
		if seen = append(seen, buf[:n]...); strings.HasSuffix(string(bytes.TrimRight(seen, " ")), ">") {
			took = time.Since(began)
		}
		if err != nil {
			return 0, errors.Join(fmt.Errorf("no prompt came: %w: %q", err, seen), cmd.Wait())
		}
	}
	_, _ = person.WriteString("/quit\r")
	go func() { // until it has ended, it may write
		for {
			if _, err := person.Read(buf); err != nil {
				return
			}
		}
	}()
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("it did not end in order: %w", err)
	}
	return took, nil
}

// terminal makes a pseudo-terminal: what the person has and what the program has.
func terminal() (person, program *os.File, err error) {
	if person, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, fmt.Errorf("no terminal can be made: %w", err)
	}
	fd := int(person.Fd())
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		_ = person.Close()
		return nil, nil, fmt.Errorf("no terminal can be made: %w", err)
	}
	return person, program, nil
}
