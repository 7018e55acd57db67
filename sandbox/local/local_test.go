package local

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullpen/sandbox"
)

// box makes a sandbox with a workspace of its own. Where commands are to be
// confined but bubblewrap does not work, the test fails and says why.
func box(t *testing.T, o Options) (*Local, string) {
	t.Helper()
	dir := t.TempDir()
	o.Workspace = dir
	l, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if ok, why := l.Confined(); !ok && !o.Unconfined {
		t.Fatalf("these tests need a bubblewrap that works (apt-get install bubblewrap): %s", why)
	}
	return l, dir
}

// sh runs a script that must be run, whatever its exit status.
func sh(t *testing.T, l *Local, script string) sandbox.Result {
	t.Helper()
	r, err := l.Run(t.Context(), sandbox.Command{Shell: script})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return r
}

// both runs a test confined and unconfined.
func both(t *testing.T, f func(t *testing.T, unconfined bool)) {
	for name, unconfined := range map[string]bool{"confined": false, "unconfined": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, unconfined)
		})
	}
}

func TestCommandsRunInTheWorkspace(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		l, dir := box(t, Options{Unconfined: unconfined})
		if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		var watched strings.Builder
		r, err := l.Run(t.Context(), sandbox.Command{
			Shell: `cat; echo err >&2; echo "$GREETING" > out.txt; pwd; exit 7`, Dir: "sub", Stdin: "in\n",
			Env:   map[string]string{"GREETING": "hello\nworld = 'x'"},
			Watch: func(p []byte) { watched.Write(p) },
		})
		if err != nil || r.Exit != 7 || r.TimedOut || r.Truncated {
			t.Errorf("%+v, %v", r, err)
		}
		if want := "in\nerr\n" + l.home() + "/sub\n"; r.Output != want || watched.String() != want {
			t.Errorf("output %q, watched %q, want %q", r.Output, watched.String(), want)
		}
		got, err := os.ReadFile(filepath.Join(dir, "sub/out.txt"))
		if err != nil || string(got) != "hello\nworld = 'x'\n" {
			t.Errorf("file %q, %v", got, err)
		}
		r, err = l.Run(t.Context(), sandbox.Command{Argv: []string{"printf", "%s|", "a b", "$HOME", "-n"}})
		if err != nil || r.Output != "a b|$HOME|-n|" {
			t.Errorf("%+v, %v", r, err)
		}
		if r := sh(t, l, "kill -TERM $$"); r.Exit != 128+15 {
			t.Errorf("killed by a signal: %+v", r)
		}
		if r := sh(t, l, "no-such-program"); r.Exit != 127 || !strings.Contains(r.Output, "no-such-program") {
			t.Errorf("missing program: %+v", r)
		}
	})
}

func TestImpossibleCommandsAreRefused(t *testing.T) {
	t.Parallel()
	l, dir := box(t, Options{})
	if err := os.Symlink("/", filepath.Join(dir, "up")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]sandbox.Command{
		"is empty":                   {Shell: " \n"},
		"give one of the two":        {Shell: "a", Argv: []string{"b"}},
		"no name":                    {Argv: []string{""}},
		"NUL":                        {Shell: "a\x00b"},
		"write it to a file and run": {Shell: strings.Repeat("#", maxScript+1)},
		"arguments are too long":     {Argv: []string{"x", strings.Repeat("#", maxScript+1)}},
		"no name for an environment": {Shell: "a", Env: map[string]string{"A B": ""}},
		"variable A holds":           {Shell: "a", Env: map[string]string{"A": "\x00"}},
		"cannot start in ../x":       {Shell: "a", Dir: "../x"},
		"cannot start in /etc":       {Shell: "a", Dir: "/etc"},
		"cannot start in up":         {Shell: "a", Dir: "up"},
		"it is no folder":            {Shell: "a", Dir: "file"},
		"input is":                   {Shell: "a", Stdin: strings.Repeat("x", maxStdin+1)},
	} {
		if _, err := l.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Run(t.Context(), sandbox.Command{Shell: "true"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a workspace: %v", err)
	}
}

func TestConfinedCommandsReachOnlyTheWorkspace(t *testing.T) {
	t.Parallel()
	l, dir := box(t, Options{})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("SECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(os.Getpid())
	for _, script := range []string{
		"cat " + secret, "cat link", "ls " + dir, "ls /root", "ls /home", "ls /opt", "cat /etc/shadow", "cat /etc/passwd", "ls /var", "ls /run",
		"ls /etc/ssl/private", "ls /proc/1/root/root", "echo > /usr/x", "echo > /etc/x", "echo > /x", "echo > /dev/x",
		// Opened, not written to: should it work, it must do no harm.
		"exec 9>>/proc/sys/kernel/core_pattern", "exec 9>>/proc/sysrq-trigger", "exec 9</proc/kcore",
		"find /proc -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -type f -writable -print | grep .", "mount -t tmpfs x /mnt", "mknod n b 8 0",
		"unshare -Ur true", "kill -0 " + pid, "cat /proc/" + pid + "/environ",
		"exec 9<>/dev/tcp/127.0.0.1/" + listen(t), "exec 9<>/dev/tcp/192.0.2.1/80",
	} {
		if r := sh(t, l, "("+script+") 2>&1"); r.Exit == 0 || strings.Contains(r.Output, "SECRET") {
			t.Errorf("%s was not kept from it: %+v", script, r)
		}
	}
	for _, script := range []string{
		"touch here", "touch /tmp/x /dev/shm/x", "echo > /dev/null", "head -c 8 /dev/urandom", "ls -l /proc/self", "cd /tmp && pwd",
	} {
		if r := sh(t, l, script); r.Exit != 0 {
			t.Errorf("%s does not work: %+v", script, r)
		}
	}
	if r := sh(t, l, "ls /tmp; id -u; echo /proc/self/fd/*"); r.Output != "1000\n/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n" {
		// The third is the folder that bash itself reads.
		t.Errorf("something is left over or comes along: %q", r.Output)
	}
	info, err := os.Stat(filepath.Join(dir, "here"))
	if err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v", err)
	}
}

// listen opens a port on localhost that a command must not reach.
func listen(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestTheNetworkCanBeLetIn(t *testing.T) {
	t.Parallel()
	l, _ := box(t, Options{Network: true})
	if r := sh(t, l, "exec 9<>/dev/tcp/127.0.0.1/"+listen(t)); r.Exit != 0 {
		t.Errorf("%+v", r)
	}
}

func TestTheEnvironmentIsByAllowList(t *testing.T) {
	t.Setenv("BULLPEN_TEST_SECRET", "hunter2")
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	for _, unconfined := range []bool{false, true} {
		l, _ := box(t, Options{Unconfined: unconfined})
		r, err := l.Run(t.Context(), sandbox.Command{Shell: "env | sort", Env: map[string]string{"MINE": "1", "TERM": "dumb"}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for line := range strings.Lines(r.Output) {
			name, _, _ := strings.Cut(line, "=")
			names = append(names, name)
		}
		if got, want := strings.Join(names, " "), "HOME LANG MINE PATH PWD SHLVL TERM USER _"; got != want {
			t.Errorf("unconfined %v: %s, want %s", unconfined, got, want)
		}
		if strings.Contains(r.Output, "hunter2") || !strings.Contains(r.Output, "TERM=dumb") {
			t.Errorf("unconfined %v: %s", unconfined, r.Output)
		}
	}
	confined, _ := box(t, Options{})
	if r := sh(t, confined, "cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'"); strings.Contains(r.Output, "hunter2") {
		t.Errorf("the secret is seen through /proc: %s", r.Output)
	}
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, unconfined bool) {
		l, dir := box(t, Options{Unconfined: unconfined, FileSize: 64 << 10})
		if r := sh(t, l, "head -c 1000000 /dev/zero > big"); r.Exit == 0 {
			t.Errorf("%+v", r)
		}
		if info, err := os.Stat(filepath.Join(dir, "big")); err != nil || info.Size() > 64<<10 {
			t.Errorf("%d bytes, %v", info.Size(), err)
		}
		if r := sh(t, l, "ulimit -f unlimited 2>/dev/null; ulimit -f; ulimit -c"); os.Getuid() != 0 && r.Output != "64\n0\n" {
			t.Errorf("the limits can be lifted: %s", r.Output)
		}
	})
	l, _ := box(t, Options{Processes: 20, Temp: 1 << 20})
	if r := sh(t, l, "ulimit -u; ulimit -u 100; head -c 3000000 /dev/zero > /tmp/x; stat -c %s /tmp/x"); !strings.HasPrefix(r.Output, "20\n") ||
		!strings.Contains(r.Output, "Operation not permitted") || !strings.HasSuffix(r.Output, "\n1048576\n") {
		t.Errorf("%s", r.Output)
	}
}

func TestNewRefusesAWorkspaceThatIsNone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "/", file, file + "-not"} {
		if _, err := New(t.Context(), Options{Workspace: dir}); err == nil {
			t.Errorf("%q is taken", dir)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	if _, err := New(ctx, Options{Workspace: t.TempDir()}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
