// Package local is the sandbox that needs nothing but this machine: commands
// run under bubblewrap, which shows them the colleague's workspace, the
// system's programs, and nothing else.
//
// Whether bubblewrap really confines is tried when a sandbox is made, not
// believed: many machines have it but forbid it user namespaces. Where it does
// not work nothing is run, unless the owner wrote that commands may run
// unconfined.
//
// What it does not do: a command may use all of the machine's memory and
// processor time until its time is up; with Network on it reaches whatever the
// machine reaches, services on localhost too; and the kernel does not count
// processes of an office that runs as root, so that Processes holds only for
// any other user.
package local

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Options say where and how commands run. The zero value of a field other than
// Workspace means its default.
type Options struct {
	// Workspace is the colleague's folder, the only one commands may write to.
	Workspace string
	// Bwrap is bubblewrap's program. By default it is looked for in PATH.
	Bwrap string
	// Unconfined runs commands without bubblewrap, with all the rights of the
	// office: the owner's `confine: off`.
	Unconfined bool
	// Network lets commands reach the network.
	Network bool
	// Timeout is for commands that name none. Default 2 min.
	Timeout time.Duration
	// LongestTimeout is the most that a command may name. Default 1 h.
	LongestTimeout time.Duration
	// Output is how much output a Result has, in bytes. Default 50,000.
	Output int
	// Kept is how much of a longer output is kept in a file of the workspace,
	// in bytes. Default 16 MiB.
	Kept int64
	// Processes is how many processes a command may have at once, under
	// bubblewrap. Default 512.
	Processes int
	// FileSize is the largest file that a command may write, in bytes.
	// Default 1 GiB.
	FileSize int64
	// Temp is the size of the private /tmp, in bytes, where bubblewrap is 0.8
	// or later. Default 1 GiB.
	Temp int64
}

// withDefaults checks the options and fills in what is zero.
func (o Options) withDefaults() (Options, error) {
	if o.Workspace == "" {
		return o, errors.New("the sandbox has no workspace; name the colleague's folder")
	}
	dir, err := filepath.Abs(o.Workspace)
	if err != nil {
		return o, noWorkspace(o.Workspace, err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return o, noWorkspace(o.Workspace, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return o, noWorkspace(o.Workspace, err)
	}
	if !info.IsDir() || dir == string(filepath.Separator) {
		return o, noWorkspace(o.Workspace, errors.New("it must be a folder of its own"))
	}
	o.Workspace = dir
	o.Timeout = orDefault(o.Timeout, 2*time.Minute)
	o.LongestTimeout = orDefault(o.LongestTimeout, time.Hour)
	o.Output = orDefault(o.Output, 50_000)
	o.Kept = orDefault(o.Kept, 16<<20)
	o.Processes = orDefault(o.Processes, 512)
	o.FileSize = orDefault(o.FileSize, 1<<30)
	o.Temp = orDefault(o.Temp, 1<<30)
	return o, nil
}

func orDefault[T int | int64 | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
