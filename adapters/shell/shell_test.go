package shell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type quiet struct{}

func (quiet) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	_, _ = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "NO_REPLY"})
}

// run opens an office in dir and serves its command line; stop ends both.
func run(t *testing.T, dir string) (b *bridge.Bridge, stop func()) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	b = bridge.New("test", command.NewSet())
	o, err := office.Open(t.Context(), office.Options{Store: store, Runner: quiet{}, Sender: b, Setup: office.Setup{
		ID: "test", Name: "Test",
		People:     []office.Person{{ID: "olga", Name: "Olga", Owner: true}},
		Colleagues: []office.ColleagueSetup{{Name: "alice", Role: office.Member, Model: "none"}, {Name: "Ann Lee", Role: office.Member, Model: "none"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	b.Attach(o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	s := New(dir, nil)
	l, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	go func() { done <- s.accept(ctx, b, l) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := errors.Join(<-done, o.Close(context.Background()), store.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return b, stop
}

func ask(t *testing.T, dir string, words ...string) Answer {
	t.Helper()
	a, err := Ask(t.Context(), dir, Request{Words: words})
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return a
}

func TestAShellIsTheOwner(t *testing.T) {
	dir := runtimeFolder(t)
	run(t, dir)
	if a := ask(t, dir, "status"); !strings.Contains(a.Text, "Office Test") || len(a.Data) == 0 {
		t.Errorf("status: %+v", a)
	}
	if a := ask(t, dir, "who"); !strings.Contains(a.Text, "You are Olga, the owner") {
		t.Errorf("who: %+v", a)
	}
	// A shell has cut the words, so that nothing in them is a quotation mark or a flag.
	text := `it's "fine"  --yes`
	ask(t, dir, "office", "post", "general", text)
	if a := ask(t, dir, "read", "#general"); !strings.Contains(a.Text, text) {
		t.Errorf("read: %+v", a)
	}
	for words, kind := range map[string]Kind{"interrupt": Usage, "interrupt|bob": Usage, "nonsense": Usage, "quit": Usage, "approve|ABC": Failed} {
		if a := ask(t, dir, strings.Split(words, "|")...); a.Kind != kind || a.Error == "" {
			t.Errorf("%s: %+v, want %s", words, a, kind)
		}
	}
	for _, words := range [][]string{{"interrupt", "Ann Lee"}, {"interrupt", "ann", "lee"}} {
		if a := ask(t, dir, words...); !strings.Contains(a.Text, "Ann Lee is not running") {
			t.Errorf("%q: %+v", words, a)
		}
	}
}

func TestNamesOfTheRunningOfficeAreCompleted(t *testing.T) {
	dir := runtimeFolder(t)
	run(t, dir)
	a, err := Ask(t.Context(), dir, Request{Complete: &Complete{Root: command.OfficeRoot, Name: "interrupt", Arg: "colleague", Prefix: "A"}})
	if err != nil || strings.Join(a.Choices, "|") != "alice|Ann Lee" {
		t.Errorf("%+v %v", a, err)
	}
}

func TestTheSocketIsForItsAccountAlone(t *testing.T) {
	dir := runtimeFolder(t)
	_, stop := run(t, dir)
	path, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	stop()
	if _, err := Ask(t.Context(), dir, Request{Words: []string{"status"}}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a closed office says %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestAFolderThatOthersCanEnterIsRefused(t *testing.T) {
	dir := runtimeFolder(t)
	path, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(path), 0o770); err != nil {
		t.Fatal(err)
	}
	if l, err := New(dir, nil).listen(); err == nil {
		t.Error("it is served there", l.Close())
	}
}

// What a killed process left is replaced; what a living one has is not.
func TestASocketThatIsThere(t *testing.T) {
	dir := runtimeFolder(t)
	path, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Ask(t.Context(), dir, Request{}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a socket that a killed process left says %v", err)
	}
	run(t, dir)
	if a := ask(t, dir, "status"); a.Error != "" {
		t.Errorf("%+v", a)
	}
	if l, err := New(dir, nil).listen(); err == nil {
		t.Error("a living one was replaced", l.Close())
	}
	if a := ask(t, dir, "status"); a.Error != "" {
		t.Errorf("%+v", a)
	}
}

func TestPathsAreShort(t *testing.T) {
	long := "/" + strings.Repeat("long/", 60)
	t.Setenv("XDG_RUNTIME_DIR", long)
	seen := map[string]bool{}
	for _, dir := range []string{"/a", "/b", long, long + "x", "relative"} {
		path, err := Path(dir)
		if err != nil || len(path) > pathMost || seen[path] {
			t.Errorf("%.20s: %q %v", dir, path, err)
		}
		seen[path] = true
	}
}

func TestNonsenseOnTheSocket(t *testing.T) {
	dir := runtimeFolder(t)
	run(t, dir)
	path, err := Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hello\n", "[]\n", `{"words":5}` + "\n", `{"words":["status"` + strings.Repeat(" ", requestMost+10)} {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = c.Write([]byte(text)) }()
		var a Answer
		if err := json.NewDecoder(bufio.NewReader(c)).Decode(&a); err != nil || a.Kind != Usage {
			t.Errorf("%.20q: %+v %v", text, a, err)
		}
		_ = c.Close()
	}
	if a := ask(t, dir, "status"); a.Error != "" {
		t.Errorf("afterwards: %+v", a)
	}
}

// runtimeFolder is an office's folder, with a runtime folder of the test's own.
func runtimeFolder(t *testing.T) string {
	t.Helper()
	run, err := os.MkdirTemp("", "run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	t.Setenv("XDG_RUNTIME_DIR", run)
	return t.TempDir()
}
