package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"bullpen/sandbox"
)

// Bounds of a command.
const (
	maxScript = 96 << 10 // the kernel takes 128 KiB per argument
	maxArgv   = 1 << 20
	maxEnv    = 256 << 10
	maxStdin  = 16 << 20
)

// killGrace is how long after a kill the output pipe may stay open.
const killGrace = time.Second

// Local is a sandbox on this machine.
type Local struct {
	opts     Options
	bwrap    *bwrap // nil where commands run unconfined or not at all
	confined bool
	reason   string
}

var _ sandbox.Sandbox = (*Local)(nil)

// New makes a sandbox and, unless it is to be unconfined, tries whether
// bubblewrap confines. That it does not is no error: Confined says so, and Run
// refuses. The error is about the workspace, or says that ctx ended.
func New(ctx context.Context, o Options) (*Local, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	keepInherited()
	l := &Local{opts: o}
	if o.Unconfined {
		l.reason = "commands run with all the rights of the office, since the owner wrote sandbox.confine: off"
		return l, nil
	}
	l.bwrap, err = probe(ctx, o)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("bubblewrap could not be tried in time; try again: %w", context.Cause(ctx))
	}
	if err != nil {
		l.reason = err.Error()
		return l, nil
	}
	l.confined = true
	l.reason = "bubblewrap (" + l.bwrap.path + ") confines commands to the workspace, " +
		map[bool]string{true: "with the network", false: "without a network"}[o.Network]
	if os.Geteuid() == 0 {
		l.reason += "; since the office runs as root, the number of their processes is not limited"
	}
	return l, nil
}

// Confined implements sandbox.Sandbox.
func (l *Local) Confined() (bool, string) { return l.confined, l.reason }

// Run implements sandbox.Sandbox. A command that is ended by its time or by
// ctx is gone within two seconds, with all its children; unconfined, with all
// that have not left its process group.
func (l *Local) Run(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	if !l.confined && !l.opts.Unconfined {
		return sandbox.Result{}, fmt.Errorf("no command is run here: %s", l.reason)
	}
	if err := check(c); err != nil {
		return sandbox.Result{}, err
	}
	root, err := os.OpenRoot(l.opts.Workspace)
	if err != nil {
		return sandbox.Result{}, noWorkspace(l.opts.Workspace, err)
	}
	defer root.Close() // nothing is written through it itself
	dir, err := startIn(root, c.Dir)
	if err != nil {
		return sandbox.Result{}, err
	}
	out := newOutput(root, orDefault(c.OutputLimit, l.opts.Output), l.opts.Kept, c.Watch)
	p := process{
		dir: dir, env: environment(l.home(), c.Env), stdin: c.Stdin, out: out,
		timeout: min(orDefault(c.Timeout, l.opts.Timeout), l.opts.LongestTimeout),
	}
	p.argv = l.limited(c)
	var end ending
	if l.bwrap != nil {
		end, err = l.bwrap.run(ctx, p)
	} else {
		p.dir = filepath.Join(l.opts.Workspace, dir)
		end, err = p.run(ctx)
	}
	text, truncated, file := out.close()
	r := sandbox.Result{
		Output: text, Exit: end.exit, TimedOut: end.timedOut, Truncated: truncated, FullOutput: file,
	}
	return r, err
}

// home is the workspace as commands see it.
func (l *Local) home() string {
	if l.bwrap != nil {
		return inside
	}
	return l.opts.Workspace
}

// limited is the command behind the few lines of shell that set its limits.
// A limit that cannot be set is one that is stricter already.
func (l *Local) limited(c sandbox.Command) []string {
	argv := c.Argv
	if c.Shell != "" {
		argv = []string{shell, "--norc", "--noprofile", "-c", c.Shell}
	}
	limits := fmt.Sprintf("ulimit -c 0; ulimit -f %d; ", max(l.opts.FileSize/1024, 1))
	if l.bwrap != nil { // elsewhere all processes of the user would count
		limits += fmt.Sprintf("ulimit -u %d; ", l.opts.Processes)
	}
	prologue := "{ " + limits + `} 2>/dev/null; exec -- "$@"`
	return append([]string{shell, "--norc", "--noprofile", "-c", prologue, "bash"}, argv...)
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// check refuses a command that cannot be run as it is meant.
func check(c sandbox.Command) error {
	argv := 0
	for _, a := range c.Argv {
		argv += len(a) + 1
		if len(a) > maxScript {
			argv = maxArgv + 1
		}
	}
	env := 0
	for name, value := range c.Env {
		env += len(name) + len(value) + 2
		if !envName.MatchString(name) {
			return fmt.Errorf("%q is no name for an environment variable; use letters, digits and _", name)
		}
		if strings.ContainsRune(value, 0) || len(value) > maxScript {
			return fmt.Errorf("the environment variable %s holds a NUL or more than %d bytes; shorten it", name, maxScript)
		}
	}
	switch {
	case (strings.TrimSpace(c.Shell) == "") == (len(c.Argv) == 0):
		return errors.New("the command is empty, or both a script and a program; give one of the two")
	case len(c.Argv) > 0 && c.Argv[0] == "":
		return errors.New("the program has no name; name one")
	case strings.ContainsRune(c.Shell+strings.Join(c.Argv, ""), 0):
		return errors.New("the command holds a NUL, which no program can be given; take it out")
	case len(c.Shell) > maxScript:
		return fmt.Errorf("the command is %d bytes long, the longest is %d; write it to a file and run that", len(c.Shell), maxScript)
	case argv > maxArgv:
		return errors.New("the program's arguments are too long; write them to a file and have it read that")
	case env > maxEnv:
		return fmt.Errorf("the environment is %d bytes long, the longest is %d; shorten it", env, maxEnv)
	case len(c.Stdin) > maxStdin:
		return fmt.Errorf("the input is %d bytes long, the longest is %d; write it to a file and have the command read that", len(c.Stdin), maxStdin)
	}
	return nil
}

// startIn checks that dir is a folder of the workspace.
func startIn(root *os.Root, dir string) (string, error) {
	if dir == "" {
		return ".", nil
	}
	info, err := root.Stat(dir)
	if err != nil {
		return "", &workspaceError{fmt.Sprintf("the command cannot start in %s: no such folder in the workspace; name one relative to it", dir), err}
	}
	if !info.IsDir() {
		return "", fmt.Errorf("the command cannot start in %s: it is no folder; name one relative to the workspace", dir)
	}
	return dir, nil
}

// environment is all that a command gets, sorted: by allow-list, nothing of
// the office's own but its language and terminal.
func environment(home string, added map[string]string) []string {
	env := map[string]string{
		"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME": home, "USER": "colleague", "LANG": "C.UTF-8", "TERM": "dumb",
	}
	for _, name := range []string{"LANG", "TERM"} {
		if v := os.Getenv(name); v != "" {
			env[name] = v
		}
	}
	maps.Copy(env, added)
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// workspaceError is a sentence about the workspace that keeps its cause.
type workspaceError struct {
	text  string
	cause error
}

func (e *workspaceError) Error() string { return e.text }
func (e *workspaceError) Unwrap() error { return e.cause }

func noWorkspace(dir string, err error) error {
	return fmt.Errorf("the workspace %s cannot be used; make the folder, or name another: %w", dir, err)
}
