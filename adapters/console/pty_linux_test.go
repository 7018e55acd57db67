package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"bullpen/bridge"

	"golang.org/x/sys/unix"
)

// openPTY makes a pseudo-terminal: what a person sees and types is at the first
// file, the program at the second.
func openPTY(t *testing.T, width uint16) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close() })
	c, err := person.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var n uint32
	if ctl := c.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetUint32(int(fd), unix.TIOCGPTN)
		}
		if err == nil {
			err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width})
		}
	}); ctl != nil || err != nil {
		t.Fatal(ctl, err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return person, program
}

func modes(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	m, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *m
}

// sitAt runs a console on a real terminal; what it shows is in s.out.
func sitAt(t *testing.T, b *bridge.Bridge, person, program *os.File) *started {
	t.Helper()
	if !IsTerminal(program, program) {
		t.Fatal("a terminal is not seen as one")
	}
	s := &started{in: person, done: make(chan error, 1)}
	go func() { _, _ = io.Copy(&s.out, person) }()
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(t.Context())
	served := make(chan struct{})
	t.Cleanup(func() { s.cancel(); <-served })
	go func() {
		defer close(served)
		s.done <- New(Options{In: program, Out: program, Err: program, Terminal: true}).Run(ctx, b)
	}()
	return s
}

func TestTerminalIsGivenBackAsItWas(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for name, leave := range map[string]func(*started){
		"by /quit":              func(s *started) { _, _ = io.WriteString(s.in, "/quit\r") },
		"by Ctrl-C":             func(s *started) { _, _ = io.WriteString(s.in, "\x03") },
		"by the end of the run": func(s *started) { s.cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			person, program := openPTY(t, 80)
			before := modes(t, program)
			s := sitAt(t, openOffice(t, t.TempDir(), greets), person, program)
			s.out.until(t, "prompt", func(raw string) bool { return strings.HasSuffix(raw, "> ") })
			if modes(t, program) == before {
				t.Error("the terminal still edits lines itself")
			}
			leave(s)
			s.ended(t)
			if modes(t, program) != before {
				t.Error("the terminal was not restored")
			}
			s.out.expect(t, "\x1b[?2004l")
		})
	}
}

func TestConversationOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	person, program := openPTY(t, 40)
	b := openOffice(t, t.TempDir(), greets)
	s := sitAt(t, b, person, program)
	s.out.until(t, "prompt", func(raw string) bool { return strings.HasSuffix(raw, "> ") })
	half := "@alice " + strings.Repeat("word ", 8) + "end"
	s.typed(t, half)
	shows := func(want string) {
		t.Helper()
		s.out.until(t, want, func(raw string) bool {
			return strings.HasSuffix(strings.Join(rows(t, raw, 40), "\n"), want)
		})
	}
	whole := "#general> " + half
	shows(whole[:40] + "\n" + whole[40:])
	post(t, b, "meanwhile")
	shows("general-1 user: meanwhile\n" + whole[:40] + "\n" + whole[40:])
	s.typed(t, "\r")
	shows("general-2: alice delivered\ngeneral-3 alice: Hello, I am alice.\n#general>")
}

func TestResizedWindowWrapsWhereItEnds(t *testing.T) {
	t.Setenv("TERM", "xterm")
	person, program := openPTY(t, 80)
	s := sitAt(t, openOffice(t, t.TempDir(), greets), person, program)
	s.out.until(t, "prompt", func(raw string) bool { return strings.HasSuffix(raw, "> ") })
	before := len(s.out.String())
	if err := unix.IoctlSetWinsize(int(program.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 20}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(os.Getpid(), unix.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	s.out.until(t, "new prompt", func(raw string) bool { return strings.HasSuffix(raw[before:], "> ") })
	s.typed(t, "0123456789abcdefghij")
	s.out.until(t, "wrapped line", func(raw string) bool {
		return strings.HasSuffix(strings.Join(rows(t, raw[before:], 20), "\n"), "#general> 0123456789\nabcdefghij")
	})
}
