package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// runtimeDir is where the sockets of offices lie; those of killed ones go with it.
var runtimeDir string

// The tests of this package run the program itself, as a person would start it.
var (
	ordinary string // the path of the program as it is built for people
	faulty   string // the path of the same with the tag faults, see internal/fault
	// raced is faulty with the race detector, where the tests have it: some of the
	// stories are told to it. Killing it at every point would take minutes more.
	raced string
)

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	bin, err := os.MkdirTemp("", "bullpen-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	runtimeDir = filepath.Join(bin, "run")
	if err := os.Mkdir(runtimeDir, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ordinary, faulty, raced = filepath.Join(bin, "bullpen"), filepath.Join(bin, "bullpen-faults"), filepath.Join(bin, "bullpen-raced")
	builds := map[string][]string{ordinary: nil, faulty: {"-tags", "faults"}, raced: {"-tags", "faults"}}
	builds[raced] = append(builds[raced], raceFlags...)
	for path, flags := range builds {
		args := append([]string{"build", "-buildvcs=false", "-o", path}, flags...)
		if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "the program cannot be built: %v\n%s", err, out)
			return 1
		}
	}
	return m.Run()
}
