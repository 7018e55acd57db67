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

// seat is a person at a terminal in which bullpen runs.
type seat struct {
	t      *testing.T
	cmd    *exec.Cmd
	person *os.File
	said   chan []byte
	all    strings.Builder // what was shown
	seen   int
	late   <-chan time.Time
}

// sit starts bullpen in a terminal of its own.
func sit(t *testing.T, args ...string) *seat {
	t.Helper()
	person, program := terminal(t)
	s := &seat{t: t, cmd: exec.Command(ordinary, args...), person: person, said: make(chan []byte), late: time.After(patience)}
	s.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "TERM=xterm"}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = program, program, program
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = person.Close() })
	program.Close()
	go func() {
		defer close(s.said)
		for {
			buf := make([]byte, 4096)
			n, err := person.Read(buf)
			if err != nil {
				return
			}
			s.said <- buf[:n]
		}
	}()
	return s
}

// see waits for a text behind the one that was seen last.
func (s *seat) see(text string) {
	s.t.Helper()
	for {
		if at := strings.Index(s.all.String()[s.seen:], text); at >= 0 {
			s.seen += at + len(text)
			return
		}
		select {
		case more, open := <-s.said:
			if !open {
				s.t.Fatalf("it ended without %q\n%s", text, s.all.String())
			}
			s.all.Write(more)
		case <-s.late:
			s.t.Fatalf("no %q in\n%s", text, s.all.String())
		}
	}
}

// write types a line.
func (s *seat) write(line string) {
	s.t.Helper()
	if _, err := s.person.WriteString(line + "\r"); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for the end of the program, with a status, or -1 for any.
func (s *seat) end(status int) {
	s.t.Helper()
	go func() { // what it says at its end
		for range s.said {
		}
	}()
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.cmd.Wait() }()
	select {
	case <-ended:
		if got := s.cmd.ProcessState.ExitCode(); status >= 0 && got != status {
			s.t.Errorf("it ended with %v", s.cmd.ProcessState)
		}
	case <-s.late:
		s.t.Fatalf("it goes on\n%s", s.all.String())
	}
}

// A person who closes the terminal window has ended the office; a signal of the
// same name while it is open has not.
func TestTheTerminalIsClosed(t *testing.T) {
	t.Parallel()
	dir := writeOffice(t, "agents:\n  alice: {model: demo}\n")
	s := sit(t, "up", "--dir", dir)
	s.write("@alice are you there")
	s.see("You wrote")
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.see("office.yaml was read again. Nothing has changed.")
	if err := s.person.Close(); err != nil {
		t.Fatal(err)
	}
	s.end(-1) // what it wanted to say then could not be shown
	if r := readRecord(t, dir); r.snap.Head.Nonce != "" {
		t.Error("the office is still leased")
	}
}
