package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

func TestOnlyTheUserCanReadTheRecord(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "office")
	s, lease := acquired(t, dir)
	if err := s.Commit(t.Context(), lease, office.Batch{N: 1, ID: "1"}); err != nil {
		t.Fatalf("Commit: %v", err)
	}
	wantMode(t, dir, 0o700)
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 5 { // file, log, its index, lock, holder
		t.Errorf("the folder holds %v", names)
	}
	for _, name := range names {
		wantMode(t, filepath.Join(dir, name.Name()), 0o600)
	}
}

func TestAFileThatOthersCanReadIsClosedToThem(t *testing.T) {
	t.Parallel()
	dir, path := written(t)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	acquired(t, dir)
	wantMode(t, path, 0o600)
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s has permissions %v, want %v", path, got, want)
	}
}

func TestFoldersOfAnyName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with space", "a?b#c%20d&e=f", "ünï'\"", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		s, _ := acquired(t, dir)
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
			t.Error(err)
		}
	}
}

func TestAKillWhileTheFileWasMadeIsNoHarm(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName+".new"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	acquired(t, dir)
}

func TestHeldErrorSaysWho(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer first.Close()
	holder := office.Holder{Host: "box", PID: 99, Since: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Program: "bullpen up"}
	lease, err := first.Acquire(t.Context(), holder)
	if err != nil {
		t.Fatalf("Acquire: %v", err)
	}
	second, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Open beside it: %v", err)
	}
	defer second.Close()

	var held *office.HeldError
	if _, err := second.Acquire(t.Context(), office.Holder{}); !errors.As(err, &held) || held.Holder != holder {
		t.Fatalf("Acquire: %v, want it held by %+v", err, holder)
	}
	// A holder whose word is not readable still holds.
	if err := os.WriteFile(filepath.Join(dir, holderName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Acquire(t.Context(), office.Holder{}); !errors.As(err, &held) || held.Holder != (office.Holder{}) {
		t.Fatalf("Acquire: %v, want it held by somebody", err)
	}
	if err := first.Release(t.Context(), lease); err != nil {
		t.Fatalf("Release: %v", err)
	}
	next, err := second.Acquire(t.Context(), office.Holder{})
	if err != nil || next.Fence != lease.Fence+1 {
		t.Fatalf("Acquire after the release: %+v, %v", next, err)
	}
}

func TestACloseWithoutReleaseFreesTheOffice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, lease := acquired(t, dir)
	if err := first.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	second, next := acquired(t, dir)
	if next.Fence != lease.Fence+1 {
		t.Errorf("fence %d after %d", next.Fence, lease.Fence)
	}
	if err := second.Commit(t.Context(), lease, office.Batch{N: 1, ID: "1"}); !errors.Is(err, office.ErrFenced) {
		t.Errorf("a commit under the old lease: %v, want ErrFenced", err)
	}
	if _, err := first.Acquire(t.Context(), office.Holder{}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("Acquire on a closed store: %v", err)
	}
	if err := first.Commit(t.Context(), lease, office.Batch{N: 1, ID: "1"}); err == nil {
		t.Error("a closed store took a batch")
	}
}

func TestHolderOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := func(when string, want bool) {
		t.Helper()
		who, held, err := HolderOf(dir)
		if err != nil || held != want || held && who.PID != 7 {
			t.Errorf("%s: held %t by %+v (%v)", when, held, who, err)
		}
	}
	want("before there is a record", false)
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want("before anybody runs it", false)
	lease, err := s.Acquire(t.Context(), office.Holder{PID: 7})
	if err != nil {
		t.Fatal(err)
	}
	want("while it runs", true)
	if err := s.Release(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	want("afterwards", false)
	// A killed process leaves its word and no lock.
	if err := os.WriteFile(filepath.Join(dir, holderName), []byte(`{"pid":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want("after a kill", false)
	if _, err = s.Acquire(t.Context(), office.Holder{PID: 7}); err != nil {
		t.Errorf("looking kept the lock: %v", err)
	}
}
