package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"bullpen/office"

	"go.uber.org/goleak"
)

// killedDir tells the test binary to be the process that is killed.
const killedDir = "BULLPEN_TEST_KILLED_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedDir); dir != "" {
		fmt.Fprintln(os.Stderr, commitUntilKilled(context.Background(), dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// commitUntilKilled owns the office and says after each batch that it is stored.
func commitUntilKilled(ctx context.Context, dir string) error {
	s, err := Open(ctx, Options{Dir: dir})
	if err != nil {
		return err
	}
	lease, err := s.Acquire(ctx, office.Holder{PID: os.Getpid()})
	if err != nil {
		return err
	}
	head, err := s.Head(ctx)
	if err != nil {
		return err
	}
	for n := head.N + 1; ; n++ {
		if err := s.Commit(ctx, lease, personBatch(n)); err != nil {
			return err
		}
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
}

// What a killed process said it had stored is there, whole, its office is free,
// and its lease is worth nothing.
func TestAKilledProcessLosesNothingAndHoldsNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var said int64
	for round := int64(1); round <= 3; round++ {
		var pid int
		said, pid = killAfter(t, dir, said+20*round)
		s, lease := acquired(t, dir)
		if lease.Fence != 2*round {
			t.Errorf("fence %d, want %d", lease.Fence, 2*round)
		}
		head, err := s.Head(t.Context())
		if err != nil {
			t.Fatalf("Head: %v", err)
		}
		if head.N < said {
			t.Errorf("process %d said that batch %d is stored; the record ends at %d", pid, said, head.N)
		}
		wantBatches(t, s, head.N)
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
}

// killAfter starts a process that commits and kills it once it said n. While it
// lives the office is its own.
func killAfter(t *testing.T, dir string, n int64) (said int64, pid int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if said, err = strconv.ParseInt(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if said == n {
			wantHeldBy(t, dir, cmd.Process.Pid)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process ended by itself")
	}
	if said < n {
		t.Fatalf("the process ended at batch %d of %d", said, n)
	}
	return said, cmd.Process.Pid
}

func wantHeldBy(t *testing.T, dir string, pid int) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Open beside the owner: %v", err)
	}
	defer s.Close()
	var held *office.HeldError
	if _, err := s.Acquire(t.Context(), office.Holder{}); !errors.As(err, &held) || held.Holder.PID != pid {
		t.Errorf("Acquire: %v, want it held by process %d", err, pid)
	}
}
