package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// console is where lines come from and go to. Writes may come from several goroutines.
type console struct {
	io.Writer
	lines  <-chan string // closed at the end of the input
	prompt func(string)
	done   func()
}

// speaker is one of a platform's people, somewhere on it.
type speaker interface {
	String() string // who and where, as the prompt shows it
	setup() string  // what to paste where, so that an office talks to the platform
	news() source   // what there is to see on the platform
	// do carries out one line without space around it, and returns what to print besides what the feed
	// shows anyway.
	do(line string) (string, error)
}

// converse reads lines and hands them to p until the input ends, /quit or ctx; meanwhile it prints
// what happens on the platform.
func converse(ctx context.Context, p speaker, keep bool, in io.Reader, out io.Writer) error {
	c, err := open(in, out)
	if err != nil {
		return err
	}
	defer c.done()
	fmt.Fprint(c, p.setup())
	feed := newFeed(p.news(), c)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { feed.run(stop) })
	defer func() {
		close(stop)
		watching.Wait()
	}()
	for {
		c.prompt(p.String() + "> ")
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-c.lines:
			if !more {
				if keep {
					<-ctx.Done()
				}
				return nil
			}
			reply, err := p.do(strings.TrimSpace(line))
			feed.print() // before the answer, so that a script's output is in order
			switch {
			case errors.Is(err, errQuit):
				return nil
			case err != nil:
				fmt.Fprintln(c, "!", err)
			case reply != "":
				fmt.Fprintln(c, strings.TrimRight(reply, "\n"))
			}
		}
	}
}

// open makes a line editor of a terminal, and reads anything else line by line.
func open(in io.Reader, out io.Writer) (*console, error) {
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		s := bufio.NewScanner(in)
		s.Buffer(nil, 1<<20)
		read := func() (string, error) {
			if !s.Scan() {
				return "", io.EOF
			}
			return s.Text(), nil
		}
		return &console{Writer: &lockedWriter{w: out}, lines: lines(read), prompt: func(string) {}, done: func() {}}, nil
	}
	before, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, fmt.Errorf("set up the terminal: %w", err)
	}
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")
	t.AutoCompleteCallback = complete
	if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
		_ = t.SetSize(w, h) // a wrong width only wraps lines badly
	}
	return &console{
		Writer: t, lines: lines(t.ReadLine), prompt: t.SetPrompt,
		done: func() { _ = term.Restore(int(f.Fd()), before) },
	}, nil
}

// lines pumps what read returns. Its goroutine ends with the input, or stays blocked in a read that
// nothing can interrupt, as long as the process lives.
func lines(read func() (string, error)) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for {
			line, err := read()
			if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
				return
			}
			out <- line
		}
	}()
	return out
}

// complete offers the command that begins with what was typed.
func complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' || pos != len(line) || !strings.HasPrefix(line, "/") || strings.Contains(line, " ") {
		return "", 0, false
	}
	for _, c := range commands() {
		if full := "/" + c.name; strings.HasPrefix(full, line) {
			return full + " ", len(full) + 1, true
		}
	}
	return "", 0, false
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
