package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// redisd is a Redis of a test's own.
type redisd struct {
	t      testing.TB
	dir    string
	socket string
	cmd    *exec.Cmd
}

// redisServer starts a Redis and gives its address.
func redisServer(t testing.TB) string {
	t.Helper()
	return startRedis(t).address()
}

// startRedis starts a Redis that forgets nothing.
func startRedis(t testing.TB) *redisd {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis") // short: a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	r := &redisd{t: t, dir: dir, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		r.kill()
		_ = os.RemoveAll(dir)
	})
	r.start()
	return r
}

func (r *redisd) address() string { return "unix://" + r.socket }

// start starts the process, and waits until it accepts connections.
func (r *redisd) start() {
	r.t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		r.t.Fatalf("redis-server is not installed (Debian: apt-get install redis-server): %v", err)
	}
	r.cmd = exec.Command(path, "--port", "0", "--unixsocket", r.socket, "--dir", r.dir, "--save", "",
		"--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--daemonize", "no")
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	log := newOutput()
	go log.read(out)
	for {
		line, changed, ended := log.look("connections at", 1)
		if line != "" {
			return
		}
		if ended {
			r.t.Fatalf("redis-server ended: %q", log.all())
		}
		<-changed
	}
}

// kill ends the process as kill -9 does.
func (r *redisd) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// forget removes all that the Redis wrote to its disk.
func (r *redisd) forget() {
	r.t.Helper()
	if err := os.RemoveAll(filepath.Join(r.dir, "appendonlydir")); err != nil {
		r.t.Fatal(err)
	}
}
