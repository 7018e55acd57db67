package file

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteMakesFoldersAndKeepsModes(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"run.sh": "old"})
	script := filepath.Join(w.dir, "run.sh")
	if err := os.Chmod(script, 0o750); err != nil {
		t.Fatal(err)
	}
	w.says("write", obj{"path": "a/b/c.txt", "content": "one\ntwo"}, "made a/b/c.txt: 7 bytes, 2 lines")
	w.has("a/b/c.txt", "one\ntwo")
	w.says("write", obj{"path": "./run.sh", "content": ""}, "replaced run.sh: 0 bytes, 0 lines")
	w.has("run.sh", "")
	if info, err := os.Stat(script); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	w.refuses("write", obj{"path": "run.sh/x", "content": ""}, "file as if it were a folder")
	w.refuses("write", obj{"path": "a", "content": ""}, "a is a folder")
	w.refuses("write", obj{"path": "new/", "content": ""}, "is a folder")
	w.refuses("write", obj{"path": "big", "content": strings.Repeat("x", maxWrite+1)}, "most that write takes is 4 MB")
	w.refuses("write", obj{"path": "x"}, "write needs content")
	w.refuses("write", obj{"path": strings.Repeat("n", 300), "content": ""}, "too long")
	if err := os.Chmod(script, 0o444); err != nil {
		t.Fatal(err)
	}
	w.refuses("write", obj{"path": "run.sh", "content": "x"}, "read-only (mode 0444)")
}

func TestWriteDoesNotGoThroughLinks(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"real/a.txt": "text"})
	w.link("real/a.txt", "link")
	w.link("real", "folder")
	w.refuses("write", obj{"path": "link", "content": "x"}, "link is a link to real/a.txt; name that file itself")
	w.refuses("edit", obj{"path": "link", "old": "text", "new": "x"}, "link is a link to real/a.txt")
	w.says("write", obj{"path": "folder/b.txt", "content": "b"}, "made folder/b.txt")
	w.has("real/b.txt", "b")
}

func TestLeftoversAreHidden(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"a.txt": "needle", tempPrefix + "X": "needle"})
	for tool, args := range map[string]obj{"ls": {}, "find": {"pattern": "*"}, "grep": {"pattern": "needle"}} {
		if got := w.says(tool, args, "a.txt"); strings.Contains(got, tempPrefix) {
			t.Errorf("%s shows a leftover: %s", tool, got)
		}
	}
}

// writerEnv makes the test binary a process that writes until it is killed.
const writerEnv = "FILE_TEST_WRITES_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		fmt.Fprintln(os.Stderr, writeForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writeForEver(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		content := strings.Repeat(string(rune('A'+i%26)), 1<<20)
		if err := replace(root, "big.txt", []byte(content), defaultMode, false); err != nil {
			return err
		}
		fmt.Println("written")
	}
}

func TestAKilledWriteLeavesTheFileWhole(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	for round := range 4 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), writerEnv+"="+w.dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 2 + round {
			if !lines.Scan() {
				t.Fatal("the writer ended")
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		got, err := os.ReadFile(filepath.Join(w.dir, "big.txt"))
		if err != nil || len(got) != 1<<20 || strings.Trim(string(got), string(got[:1])) != "" {
			t.Fatalf("the file is torn: %d bytes, %v", len(got), err)
		}
		if got := w.says("ls", obj{}); got != "big.txt  1,048,576 bytes\n" {
			t.Errorf("ls shows %q", got)
		}
	}
}
