package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Asker asks a person questions before there is an office to talk to.
type Asker struct {
	in    *os.File
	lines *bufio.Reader
	out   io.Writer
}

// NewAsker asks on out and reads answers from in.
func NewAsker(in *os.File, out io.Writer) *Asker {
	return &Asker{in: in, lines: bufio.NewReader(in), out: out}
}

// Ask asks for a line; an empty answer is def. The error is io.EOF where the input
// has ended.
func (a *Asker) Ask(question, def string) (string, error) {
	if def != "" {
		question += " [" + def + "]"
	}
	fmt.Fprintf(a.out, "%s: ", question)
	line, err := a.lines.ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		line = def
	}
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return line, err
}

// Secret asks for a secret. On a terminal it is not shown while it is typed.
func (a *Asker) Secret(question string) (string, error) {
	if !OnTerminal(a.in) {
		return a.Ask(question, "")
	}
	defer hush(int(a.in.Fd()))()
	fmt.Fprintf(a.out, "%s (not shown): ", question)
	secret, err := term.ReadPassword(int(a.in.Fd()))
	fmt.Fprintln(a.out)
	return strings.TrimSpace(string(secret)), err
}
