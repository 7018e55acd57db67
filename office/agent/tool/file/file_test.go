package file

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// workspace is a root with files in it, as a tool sees one.
type workspace struct {
	t    *testing.T
	dir  string
	root *os.Root
}

func newWorkspace(t *testing.T, files map[string]string) *workspace {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ws")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &workspace{t, dir, root}
	for name, text := range files {
		w.put(name, text)
	}
	return w
}

func (w *workspace) put(name, text string) {
	w.t.Helper()
	p := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) link(target, name string) {
	w.t.Helper()
	if err := os.Symlink(target, filepath.Join(w.dir, name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) has(name, want string) {
	w.t.Helper()
	got, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil || string(got) != want {
		w.t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

// call runs a tool with a JSON object or a map as arguments.
func (w *workspace) call(tool string, args any) (string, error) {
	w.t.Helper()
	raw, ok := args.(string)
	if !ok {
		b, err := json.Marshal(args)
		if err != nil {
			w.t.Fatal(err)
		}
		raw = string(b)
	}
	for _, t := range Tools() {
		if t.Name == tool {
			return t.Run(w.t.Context(), w.root, json.RawMessage(raw))
		}
	}
	w.t.Fatalf("no tool %s", tool)
	return "", nil
}

// says runs a tool that must succeed and say all of what is wanted.
func (w *workspace) says(tool string, args any, wants ...string) string {
	w.t.Helper()
	got, err := w.call(tool, args)
	if err != nil {
		w.t.Fatalf("%s %v: %v", tool, args, err)
	}
	for _, want := range wants {
		if !strings.Contains(got, want) {
			w.t.Errorf("%s %v says\n%s\nwhich lacks %q", tool, args, clip(got, 2000), want)
		}
	}
	return got
}

// refuses runs a tool that must fail and say all of what is wanted in one line.
func (w *workspace) refuses(tool string, args any, wants ...string) {
	w.t.Helper()
	got, err := w.call(tool, args)
	if err == nil {
		w.t.Fatalf("%s %v was not refused but said %q", tool, args, clip(got, 500))
	}
	if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), w.dir+"/") && !strings.Contains(err.Error(), "absolute") {
		w.t.Errorf("%s %v: not one sentence about the workspace: %q", tool, args, err)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			w.t.Errorf("%s %v is refused with\n%s\nwhich lacks %q", tool, args, err, want)
		}
	}
}

type obj = map[string]any

func TestSchemasAreWellFormed(t *testing.T) {
	t.Parallel()
	pure := map[string]bool{"read": true, "ls": true, "find": true, "grep": true}
	for _, tool := range Tools() {
		var s struct {
			Type       string
			Additional *bool `json:"additionalProperties"`
			Required   []string
			Properties map[string]struct{ Type, Description string }
		}
		if err := json.Unmarshal(tool.Schema, &s); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if s.Type != "object" || s.Additional == nil || *s.Additional || tool.Description == "" {
			t.Errorf("%s: not a closed object with a description: %s", tool.Name, tool.Schema)
		}
		if tool.Pure != pure[tool.Name] {
			t.Errorf("%s: pure is %v", tool.Name, tool.Pure)
		}
		for _, r := range s.Required {
			if s.Properties[r].Description == "" {
				t.Errorf("%s requires %s, which is not described", tool.Name, r)
			}
		}
		// Each property of the schema is one that the code takes.
		w := newWorkspace(t, nil)
		for name := range s.Properties {
			if _, err := w.call(tool.Name, obj{name: nil}); err != nil && strings.Contains(err.Error(), "takes no") {
				t.Errorf("%s does not take %s", tool.Name, name)
			}
		}
	}
}

func TestArgumentsAreRefusedByName(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	w.refuses("read", `{"file_path":"a.txt"}`, `read takes no "file_path"`, "path, offset and limit")
	w.refuses("read", `{}`, "read needs path")
	w.refuses("read", `{"path":null}`, "read needs path")
	w.refuses("read", `[1]`, "not a JSON object")
	w.refuses("read", `{"path":`, "not a JSON object")
	w.refuses("read", `{"path":5}`, "path of read is the number 5")
	w.refuses("write", `{"path":"b","content":{"a":1}}`, "content of write is an object")
	w.refuses("read", `{"path":"a.txt","limit":"many"}`, `limit of read is the string "many"`)
	w.refuses("read", `{"path":"a.txt","offset":1.5}`, "offset of read", "whole number")
	w.refuses("read", `{"path":"a.txt","offset":-3}`, "offset of read is -3", "1 or more")
	w.refuses("edit", `{"path":"a.txt","old":"one","new":"1","all":"perhaps"}`, "all of edit", "true or false")
	w.says("read", `{"path":"a.txt","offset":"2","limit":1.0}`, "two\n[lines 2 to 2 of 3 are shown; read on with offset 3]")
	w.says("edit", `{"path":"a.txt","old":"one","new":"1","all":"true"}`, "replaced 1 occurrence")
	w.says("ls", ``, "a.txt")
}

func TestNothingLeadsOutOfTheWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"in/real.txt": "inside"})
	outside := filepath.Join(filepath.Dir(w.dir), "outside")
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(outside, "secret.txt")
	if err := os.WriteFile(secret, []byte("SECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.link(secret, "absolute")
	w.link("../outside/secret.txt", "relative")
	w.link(outside, "folder")
	w.link("../outside", "relfolder")
	w.link("/proc/self", "proc")
	w.link("../outside/new.txt", "dangling")
	w.link("loop", "loop")
	w.link("in/real.txt", "good")
	for _, p := range []string{
		"absolute", "relative", "folder/secret.txt", "relfolder/secret.txt", "in/../relfolder/secret.txt",
		"proc/environ", "proc/root/etc/passwd", "../outside/secret.txt", "in/../../outside/secret.txt", secret,
		"..", "/etc/passwd", "~/secret", "loop", "in/real.txt/x", "a\x00b", "dangling",
	} {
		w.refuses("read", obj{"path": p})
		w.refuses("write", obj{"path": p, "content": "pwned"})
		w.refuses("edit", obj{"path": p, "old": "SECRET", "new": "pwned"})
		w.refuses("ls", obj{"path": p})
		w.refuses("find", obj{"path": p, "pattern": "*"})
		w.refuses("grep", obj{"path": p, "pattern": "SECRET"})
	}
	w.refuses("write", obj{"path": "relfolder/new.txt", "content": "x"}, "out of the workspace")
	w.refuses("write", obj{"path": "folder/deep/er/new.txt", "content": "x"})
	w.refuses("read", obj{"path": "absolute"}, "absolute leads out of the workspace through a link")
	w.refuses("read", obj{"path": w.dir + "/in/real.txt"}, "write in/real.txt")
	w.refuses("read", obj{"path": "/workspace/in/real.txt"}, "write in/real.txt")
	w.refuses("read", obj{"path": "~/in/real.txt"}, "write in/real.txt")
	w.says("read", obj{"path": "good"}, "inside")
	for _, tool := range []string{"find", "grep"} {
		if got := w.says(tool, obj{"pattern": "SECRET|secret*"}); strings.Contains(got, "outside") || strings.Contains(got, ":SECRET") {
			t.Errorf("%s went outside: %s", tool, got)
		}
	}
	left, err := os.ReadDir(outside)
	if err != nil || len(left) != 1 {
		t.Errorf("outside holds %v, %v", left, err)
	}
	if got, _ := os.ReadFile(secret); string(got) != "SECRET" {
		t.Errorf("the secret became %q", got)
	}
}

func TestWhatIsNoFileNeverBlocks(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"a.txt": "needle\n"})
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.link("pipe", "topipe")
	for _, p := range []string{"pipe", "topipe"} {
		w.refuses("read", obj{"path": p}, "FIFO")
		w.refuses("edit", obj{"path": p, "old": "a", "new": "b"}, "FIFO")
		w.refuses("grep", obj{"path": p, "pattern": "a"}, "FIFO")
		w.refuses("ls", obj{"path": p}, "FIFO")
	}
	w.refuses("write", obj{"path": "pipe", "content": "x"}, "FIFO")
	w.says("ls", obj{}, "pipe (FIFO)", "topipe -> pipe (link)")
	w.says("grep", obj{"pattern": "needle"}, "a.txt:1:needle")
	w.refuses("read", obj{"path": "."}, "folder", "ls")
}

func TestMissingFilesAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"docs/README.md": "x"})
	w.refuses("read", obj{"path": "docs/readme.md"}, "did you mean docs/README.md?")
	w.refuses("read", obj{"path": "docs/other.md"}, "there is no docs/other.md", "ls")
	_, err := w.call("read", obj{"path": "nowhere"})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap fs.ErrNotExist", err)
	}
}

func TestSearchesStopWithTheirContext(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"a/b.txt": "x\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range Tools() {
		if tool.Name != "find" && tool.Name != "grep" && tool.Name != "read" {
			continue
		}
		args := json.RawMessage(`{"pattern":"x"}`)
		if tool.Name == "read" {
			args = json.RawMessage(`{"path":"a/b.txt"}`)
		}
		if _, err := tool.Run(ctx, w.root, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
}
