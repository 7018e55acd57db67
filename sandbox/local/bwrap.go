package local

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// inside is the workspace as confined commands see it.
const inside = "/workspace"

// bwrap runs processes under bubblewrap.
type bwrap struct {
	path   string
	opts   Options
	kernel []string // see kernelSettings
	newer  bool     // 0.8 or later: sizes of tmpfs, no user namespaces within
}

// run runs p confined. What confines it travels over a pipe, so that the
// values of the environment are not seen in the list of processes.
func (b *bwrap) run(ctx context.Context, p process) (ending, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return ending{exit: -1}, fmt.Errorf("no pipe to bubblewrap; too many files may be open: %w", err)
	}
	wrote := make(chan error, 1)
	args := strings.Join(b.args(p), "\x00") + "\x00"
	go func() {
		_, err := w.WriteString(args)
		if closeErr := w.Close(); err == nil {
			err = closeErr
		}
		wrote <- err
	}()
	p.argv = append([]string{b.path, "--args", "3", "--"}, p.argv...)
	p.env = []string{"PATH=/usr/bin:/bin", "LANG=C"} // bubblewrap's own
	p.dir = "/"
	p.extra = []*os.File{r}
	end, err := p.run(ctx)
	// With the last reader gone the writer ends, whatever became of bubblewrap.
	_ = r.Close()
	if writeErr := <-wrote; err == nil && writeErr != nil && !end.timedOut {
		err = fmt.Errorf("bubblewrap did not take its instructions; see whether it still works: %w", writeErr)
	}
	return end, err
}

// args are bubblewrap's options for p. They build a file system from nothing.
func (b *bwrap) args(p process) []string {
	a := []string{
		"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		"--uid", "1000", "--gid", "1000", "--hostname", "bullpen",
		"--die-with-parent", "--new-session", "--cap-drop", "ALL",
	}
	if b.newer {
		a = append(a, "--disable-userns")
	}
	if !b.opts.Network {
		a = append(a, "--unshare-net")
	}
	a = append(a, system()...)
	a = append(a, settings(b.opts.Network)...)
	a = append(a, "--proc", "/proc")
	a = append(a, b.kernel...)
	a = append(a, "--dev", "/dev")
	a = append(a, b.tmpfs("/dev/shm")...)
	a = append(a, b.tmpfs("/tmp")...)
	a = append(a, "--bind", b.opts.Workspace, inside)
	a = append(a, "--remount-ro", "/dev", "--remount-ro", "/")
	a = append(a, "--chdir", path.Join(inside, p.dir), "--clearenv")
	for _, kv := range p.env {
		name, value, _ := strings.Cut(kv, "=")
		a = append(a, "--setenv", name, value)
	}
	return a
}

func (b *bwrap) tmpfs(at string) []string {
	if b.newer {
		return []string{"--size", strconv.FormatInt(b.opts.Temp, 10), "--tmpfs", at}
	}
	return []string{"--tmpfs", at}
}

// system shows the machine's programs, read-only. Where /bin and the like are
// links into /usr they are so inside as well.
func system() []string {
	a := []string{"--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		if target, err := os.Readlink(dir); err == nil {
			a = append(a, "--symlink", target, dir)
			continue
		}
		a = append(a, "--ro-bind-try", dir, dir)
	}
	return a
}

// kernelSettings makes read-only all of /proc that is about the kernel and not
// about a process. bubblewrap leaves most of it as it is; the kernel lets
// root's user number write to it even without capabilities, and through
// core_pattern that is a way out for an office that runs as root.
func kernelSettings() ([]string, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("the kernel's settings in /proc cannot be listed; mount /proc: %w", err)
	}
	var a []string
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err == nil || e.Type()&fs.ModeSymlink != 0 {
			continue
		}
		info, err := e.Info()
		if err == nil && (e.IsDir() || info.Mode().Perm()&0o222 != 0) {
			p := path.Join("/proc", e.Name())
			a = append(a, "--ro-bind-try", p, p)
		}
	}
	return a, nil
}

// settings shows the few files of /etc without which programs do not start or
// cannot check a certificate. No passwd, no keys.
func settings(network bool) []string {
	files := []string{
		"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
		"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
		"/etc/ca-certificates/extracted", "/etc/localtime", "/etc/mime.types", "/etc/magic", "/etc/nsswitch.conf",
	}
	if network {
		files = append(files, "/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/etc/services", "/etc/protocols")
	}
	var a []string
	for _, f := range files {
		a = append(a, "--ro-bind-try", f, f)
	}
	return a
}
