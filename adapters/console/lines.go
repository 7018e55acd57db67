package console

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines are an input's lines. What was read of it and not handled stays for the next
// Run: an office may be lost and opened again while somebody types, and what was read
// ahead must not go with the first of the two.
type lines struct {
	from io.Reader // the input as this Run has it
	buf  *bufio.Reader
	back *line // was read and not handled
}

func newLines() *lines {
	ls := &lines{}
	ls.buf = bufio.NewReaderSize(current{ls}, chunk)
	return ls
}

// current reads from the input as it is now.
type current struct{ *lines }

func (c current) Read(p []byte) (int, error) { return c.from.Read(p) }

// putBack makes a line, if there is one, the next.
func (ls *lines) putBack(l *line) {
	if l != nil {
		ls.back = l
	}
}

// next reads up to a line end, which is no part of the line. Of a line that is too
// long nothing is kept. The last line need not have an end; then the error comes
// with it.
func (ls *lines) next() (line, error) {
	l := line{open: true}
	if ls.back != nil {
		l, ls.back = *ls.back, nil
	}
	if !l.open {
		return l, nil
	}
	text := []byte(l.text)
	for {
		part, err := ls.buf.ReadSlice('\n')
		if !l.tooLong {
			text = append(text, part...)
		}
		if len(text) > maxLine+1 {
			l.tooLong, text = true, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.open = err != nil
		text = bytes.TrimSuffix(text, []byte{'\n'})
		l.text = string(bytes.TrimSuffix(text, []byte{'\r'}))
		return l, err
	}
}
