package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// terminal makes a pseudo-terminal: a person sits at the first file, the program
// at the second.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := person.SyscallConn() // Fd would make reading hold up closing
	if err != nil {
		t.Fatal(err)
	}
	var unlock, n int32
	if ctl := c.Control(func(fd uintptr) {
		for request, at := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &n} {
			if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(at))); e != 0 {
				err = e
			}
		}
	}); ctl != nil || err != nil {
		t.Fatal(ctl, err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}

// A person who closes the terminal window has ended the office; a signal of the
// same name while it is open has not.
func TestTheTerminalIsClosed(t *testing.T) {
	t.Parallel()
	dir := writeOffice(t, "agents:\n  alice: {model: demo}\n")
	person, program := terminal(t)
	cmd := exec.Command(ordinary, "up", "--dir", dir)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "TERM=xterm"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	program.Close()
	said := make(chan []byte)
	go func() {
		defer close(said)
		for {
			buf := make([]byte, 4096)
			n, err := person.Read(buf)
			if err != nil {
				return
			}
			said <- buf[:n]
		}
	}()
	late := time.After(patience)
	see := func(text string) {
		t.Helper()
		for all := ""; !strings.Contains(all, text); {
			select {
			case more := <-said:
				all += string(more)
			case <-late:
				t.Fatalf("no %q in %q", text, all)
			}
		}
	}
	if _, err := person.WriteString("@alice are you there\r"); err != nil {
		t.Fatal(err)
	}
	see("You wrote")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	see("office.yaml was read again. Nothing has changed.")
	go func() { // what it says at its end
		for range said {
		}
	}()
	if err := person.Close(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-late:
		t.Fatal("it goes on without its terminal")
	}
	if r := readRecord(t, dir); r.snap.Head.Nonce != "" {
		t.Error("the office is still leased")
	}
}
