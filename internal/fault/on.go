//go:build faults

package fault

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// The environment of a faults build.
const (
	// killAt is the number of the point, counted from 1 over all goroutines in
	// the order in which they get there, at which the process kills itself; or a
	// point's name, for the first time that it is passed.
	killAt = "BULLPEN_KILL_AT"
	// traceTo is a file that gets the name of every point passed.
	traceTo = "BULLPEN_FAULT_TRACE"
)

var state struct {
	sync.Mutex
	once  sync.Once
	count int
	kill  int
	name  string
	trace *os.File
}

// Point is one place where the process may die. It counts itself and, if it
// is the one that the environment names, sends the process SIGKILL.
func Point(name string) {
	state.once.Do(func() {
		var err error
		if state.kill, err = strconv.Atoi(os.Getenv(killAt)); err != nil {
			state.name = os.Getenv(killAt)
		}
		if path := os.Getenv(traceTo); path != "" {
			state.trace, _ = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		}
	})
	state.Lock()
	defer state.Unlock()
	state.count++
	if state.trace != nil {
		fmt.Fprintf(state.trace, "%d %s\n", state.count, name)
	}
	if state.count == state.kill || name == state.name {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until the signal arrives
	}
}
