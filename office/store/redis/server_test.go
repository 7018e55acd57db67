package redis

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// errNoServer fails every test here: a store that was not tried on a server was
// not tried.
var errNoServer = errors.New("these tests need a redis-server of their own: install one, as with: apt-get install redis-server")

// server is a redis-server of the tests.
type server struct {
	dir  string
	addr string // a socket's path, or host:port
	args []string
	cmd  *exec.Cmd
}

// durable is what promise 1 asks for.
var durable = []string{"--appendonly", "yes", "--appendfsync", "always", "--save", ""}

// newServer starts a server on a socket in a folder of its own.
func newServer(args ...string) (*server, error) {
	dir, err := os.MkdirTemp("", "redis") // a test's own folder may be too long for a socket
	if err != nil {
		return nil, err
	}
	sock := filepath.Join(dir, "s")
	s := &server{dir: dir, addr: sock, args: append([]string{"--port", "0", "--unixsocket", sock}, args...)}
	return s, s.start()
}

// start starts the process and returns when it takes connections.
func (s *server) start() error {
	return s.run("eady to accept connections", append([]string{"--dir", s.dir, "--maxmemory-policy", "noeviction"}, s.args...)...)
}

// run starts the process and returns when it says that it is ready.
func (s *server) run(ready string, args ...string) error {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return errNoServer
	}
	s.cmd = exec.Command(path, args...)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	running.Store(s, nil)
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if strings.Contains(lines.Text(), ready) {
			go func() {
				for lines.Scan() { // or the server would wait for a reader
					continue
				}
			}()
			return nil
		}
	}
	return fmt.Errorf("redis-server did not start: %w\n%s", s.cmd.Wait(), said.String())
}

// kill ends the process as kill -9 does.
func (s *server) kill() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // that it was killed is no news
	}
}

func (s *server) remove() {
	s.kill()
	running.Delete(s)
	_ = os.RemoveAll(s.dir)
}

// client is a connection past the store.
func (s *server) client(t testing.TB) *driver.Client {
	network := "tcp"
	if strings.HasPrefix(s.addr, "/") {
		network = "unix"
	}
	c := driver.NewClient(&driver.Options{Network: network, Addr: s.addr, DisableIdentity: true})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ownServer is a server that no other test uses.
func ownServer(t testing.TB, args ...string) *server {
	t.Helper()
	s, err := newServer(args...)
	if s != nil {
		t.Cleanup(s.remove)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shared is the server of all tests that only need one; they differ by office.
var shared = sync.OnceValues(func() (*server, error) { return newServer(durable...) })

func sharedServer(t testing.TB) *server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// running are the servers that nobody has removed yet.
var running sync.Map

func TestMain(m *testing.M) {
	quiet()
	code := m.Run()
	running.Range(func(s, _ any) bool {
		s.(*server).remove()
		return true
	})
	os.Exit(code)
}

// officeOf is an office's id for a test's folder.
func officeOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return fmt.Sprintf("%x", sum[:8])
}

// openAt opens an office on a server.
func openAt(t testing.TB, addr, id string, change ...func(*Options)) *Store {
	t.Helper()
	o := Options{Client: &driver.UniversalOptions{Addrs: []string{addr}}, Office: id}
	for _, c := range change {
		c(&o)
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func acquire(t testing.TB, s *Store) office.Lease {
	t.Helper()
	lease, err := s.Acquire(t.Context(), office.Holder{Host: "here", PID: 1, Program: "test"})
	if err != nil {
		t.Fatalf("Acquire: %v", err)
	}
	return lease
}

func mustCommit(t testing.TB, s *Store, lease office.Lease, n int64, changes ...office.Change) {
	t.Helper()
	if err := s.Commit(t.Context(), lease, numbered(n, changes...)); err != nil {
		t.Fatalf("Commit of batch %d: %v", n, err)
	}
}

func numbered(n int64, changes ...office.Change) office.Batch {
	return office.Batch{N: n, ID: fmt.Sprintf("batch-%d", n), Changes: changes}
}

func mustHead(t testing.TB, s *Store) office.Head {
	t.Helper()
	h, err := s.Head(t.Context())
	if err != nil {
		t.Fatalf("Head: %v", err)
	}
	return h
}
