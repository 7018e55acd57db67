package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bullpen/office"
)

// A real disk without room: a file system of a few pages.
func TestAnEditOnAFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		t.Logf("no file system can be mounted (%v); TestAWriteThatFails has to do", err)
		return
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", dir, err)
		}
	})
	path, filler := filepath.Join(dir, FileName), filepath.Join(dir, "filler")
	if err := os.WriteFile(path, []byte(team), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk does not fill: %v", err)
	}
	f := OpenFile(dir, known, plainSetup)
	_, err := f.Edit(t.Context(), office.RemoveColleague{Name: "coder"})
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("it said %v", err)
	}
	if textOf(t, path) != team {
		t.Error("the file changed")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.new-*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Edit(t.Context(), office.RemoveColleague{Name: "coder"}); err != nil {
		t.Errorf("with room again it said %v", err)
	}
}
