package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/sandbox"
)

func TestWithoutConfinementNothingIsRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"forbidden": {
			"#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
			"No permissions to create new namespace; allow unprivileged user namespaces",
		},
		"silent":         {"#!/bin/sh\nexit 3\n", "it ended with status 3 and said nothing"},
		"missing":        {"", "could not be started"},
		"does nothing":   {"#!/bin/sh\nexit 0\n", "it ended with status 0 and said nothing"},
		"lets all pass":  {"#!/bin/sh\nshift 3\nCANARY=/bin/sh exec \"$@\"\n", "does not confine on this machine"},
		"says it itself": {"#!/bin/sh\necho confined; exit 1\n", "does not confine"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := filepath.Join(t.TempDir(), "bwrap")
			if c.script != "" {
				if err := os.WriteFile(fake, []byte(c.script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			dir := t.TempDir()
			l, err := New(t.Context(), Options{Workspace: dir, Bwrap: fake})
			if err != nil {
				t.Fatal(err)
			}
			ok, why := l.Confined()
			if ok || !strings.Contains(why, c.want) || !strings.Contains(why, "sandbox.confine: off") || strings.Contains(why, "\n") {
				t.Errorf("confined %v: %s", ok, why)
			}
			_, err = l.Run(t.Context(), sandbox.Command{Shell: "touch ran"})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("not refused: %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("it ran")
			}
		})
	}
}

func TestANotInstalledBubblewrapIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	l, err := New(t.Context(), Options{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if ok, why := l.Confined(); ok || !strings.Contains(why, "install the package bubblewrap") {
		t.Errorf("confined %v: %s", ok, why)
	}
}

func TestAnOlderBubblewrapConfinesToo(t *testing.T) {
	t.Parallel()
	l, _ := box(t, Options{})
	l.bwrap.newer = false
	if err := l.bwrap.try(t.Context(), "/bin/sh-that-is-not-there"); err != nil {
		t.Error(err)
	}
	if err := l.bwrap.try(t.Context(), "/bin/sh"); err == nil || err.Error() != "files outside the workspace can be read" {
		t.Errorf("a file that is seen inside is not noticed: %v", err)
	}
}

func TestUnconfinedIsSaid(t *testing.T) {
	t.Parallel()
	l, _ := box(t, Options{Unconfined: true})
	if ok, why := l.Confined(); ok || !strings.Contains(why, "all the rights of the office") {
		t.Errorf("confined %v: %s", ok, why)
	}
}
