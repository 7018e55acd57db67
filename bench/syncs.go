//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// syncs counts how often a program waits for the disk for each message. It is the
// program as it is released: a tracer stops it at each of its system calls, which
// slows it down and changes nothing of what it does.
func (b *bench) syncs(ctx context.Context, on platform) error {
	name := on.letter + "  " + on.name + ": fsyncs a message, at leisure"
	c, err := b.contend(ctx, on, scene{traced: true})
	if errors.Is(err, errNoTrace) {
		b.add(row{name: name, value: "not counted", target: fmt.Sprintf("<= %.0f", mostSyncs), beside: err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	defer c.close()
	n := b.times(steadyMessages)
	before := c.syncs.Load()
	if _, err := c.steady(ctx, n); err != nil {
		return err
	}
	alone := float64(c.syncs.Load()-before) / float64(n)
	before = c.syncs.Load()
	if _, err := c.burst(ctx, burstEach); err != nil {
		return err
	}
	b.add(row{
		name: name, value: fmt.Sprintf("%.2f", alone), target: fmt.Sprintf("<= %.0f", mostSyncs), met: judged(alone <= mostSyncs),
		beside: fmt.Sprintf("%.2f in the burst of 200; fsync and fdatasync of the whole process, checkpoints with them", float64(c.syncs.Load()-before)/(burstEach*chats)),
	})
	return nil
}

// errNoTrace says that this machine lets nobody be traced.
var errNoTrace = errors.New("programs cannot be traced here")

// startTraced is start, with the waits for the disk counted in syncs.
func (b *bench) startTraced(program string, args ...string) (*process, error) {
	p, err := b.prepare(program, args...)
	if err != nil {
		return nil, err
	}
	p.syncs = &atomic.Int64{}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	started := make(chan error)
	go func() {
		// A tracer is a thread, not a process. This one ends with the goroutine.
		runtime.LockOSThread()
		err := p.trace()
		started <- err
		if err == nil {
			p.follow()
			p.finish()
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%w: %w", errNoTrace, err)
	}
	return p, nil
}

// trace starts the program and takes hold of it.
func (p *process) trace() error {
	if err := p.cmd.Start(); err != nil {
		return err
	}
	pid := p.cmd.Process.Pid
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, 0, nil); err != nil {
		return err
	}
	if !status.Stopped() {
		return fmt.Errorf("%s ended before it began", p.cmd.Path)
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return errors.Join(err, p.cmd.Process.Kill())
	}
	return unix.PtraceSyscall(pid, 0)
}

// follow lets the program go on from each stop, until it has ended.
func (p *process) follow() {
	for {
		var status unix.WaitStatus
		tid, err := unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return
		case status.Exited() || status.Signaled():
			if tid == p.cmd.Process.Pid {
				return
			}
			continue
		}
		signal := 0
		switch stop := status.StopSignal(); stop {
		case unix.SIGTRAP | 0x80: // PTRACE_O_TRACESYSGOOD's mark of a system call
			if syncing(tid) {
				p.syncs.Add(1)
			}
		case unix.SIGTRAP, unix.SIGSTOP: // a new thread, at its maker and in itself
		default:
			signal = int(stop)
		}
		_ = unix.PtraceSyscall(tid, signal) // one that is gone is heard of by Wait4
	}
}

// callInfo is struct ptrace_syscall_info as far as it is looked at (ptrace(2)).
type callInfo struct {
	op     uint8
	_      [7]uint8
	_, _   uint64
	number uint64
	_      [6]uint64
}

// enters is PTRACE_SYSCALL_INFO_ENTRY.
const enters = 1

// syncing says whether a thread is about to wait for the disk.
func syncing(tid int) bool {
	var info callInfo
	size := unsafe.Sizeof(info)
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), size, uintptr(unsafe.Pointer(&info)), 0, 0)
	return errno == 0 && info.op == enters && (info.number == unix.SYS_FSYNC || info.number == unix.SYS_FDATASYNC)
}

// finish notes that the program has ended; whom a tracer waited for, nobody else can
// wait for, but what it wrote is read to its end.
func (p *process) finish() {
	var exit *exec.ExitError
	if err := p.cmd.Wait(); errors.As(err, &exit) {
		p.reason = err
	}
	close(p.ended)
	p.out.wake()
}
