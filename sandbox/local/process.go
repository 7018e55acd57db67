package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// shell runs scripts, and sets the limits of every command.
const shell = "/bin/bash"

// process is one command on its way: what to start and how to end it.
type process struct {
	argv    []string
	dir     string
	env     []string
	stdin   string
	out     io.Writer
	timeout time.Duration
	extra   []*os.File // descriptors 3 and up
}

// ending is how a process ended.
type ending struct {
	exit     int
	timedOut bool
}

// errTime is the cause of a context that ends a process whose time is up.
var errTime = errors.New("the command's time is up")

// run starts the process in a group of its own and waits for its end. On the
// end of ctx or of its time the whole group is killed.
func (p process) run(ctx context.Context) (ending, error) {
	if ctx.Err() != nil {
		return ending{exit: -1}, stopped(ctx)
	}
	limit, cancel := context.WithTimeoutCause(ctx, p.timeout, errTime)
	defer cancel()
	cmd := exec.CommandContext(limit, p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.ExtraFiles = p.dir, p.env, p.extra
	cmd.Stdout, cmd.Stderr = p.out, p.out // the same, so one pipe keeps the order
	if p.stdin != "" {
		cmd.Stdin = strings.NewReader(p.stdin)
	}
	// A session of its own has no terminal to write to, and its leader leads a
	// process group of the same number.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = killGrace
	// bubblewrap dies with the thread that started it, so keep that thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return ending{exit: -1}, fmt.Errorf("%s could not be started; install it or name another: %w", p.argv[0], err)
	}
	awaitExit(cmd.Process.Pid)
	// What it left behind in its group ends with it. Until Wait the number
	// cannot become another group's.
	_ = killGroup(cmd.Process.Pid) // there may be nobody left
	err := cmd.Wait()
	end := ending{exit: exitStatus(cmd.ProcessState)}
	var status *exec.ExitError
	switch {
	case err == nil, errors.As(err, &status) && limit.Err() == nil, errors.Is(err, exec.ErrWaitDelay) && limit.Err() == nil:
		return end, nil
	case ctx.Err() != nil:
		return end, stopped(ctx)
	case limit.Err() != nil:
		end.timedOut = true
		return end, nil
	}
	return end, fmt.Errorf("the command could not be watched to its end; try it once more: %w", err)
}

func stopped(ctx context.Context) error {
	return fmt.Errorf("the command was stopped before its end; what it has done stays done: %w", context.Cause(ctx))
}

// killGroup kills the process group that pid leads.
func killGroup(pid int) error {
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// keepInherited keeps from commands the descriptors that this process itself
// was started with, a listening socket for instance. Those that Go opens are
// not inherited anyhow.
func keepInherited() {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // no such list on this system
	}
	for _, e := range open {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

// awaitExit waits for the end of a child without collecting its status.
func awaitExit(pid int) {
	const byPID = 1 // P_PID of waitid(2)
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), 0, syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return // on any other error Wait says what is wrong
		}
	}
}

// exitStatus is a shell's view of how a process ended.
func exitStatus(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
