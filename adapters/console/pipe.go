package console

import (
	"errors"
	"io"
	"os"
	"strings"
)

// chunk is about how much output is gathered before it is written.
const chunk = 64 << 10

// pipe is the console without a terminal: plain lines.
type pipe struct {
	in       *lines
	out, err io.Writer
	buf      []byte // of the output, reused
}

func newPipe(opt Options, in *lines) *pipe {
	return &pipe{in: in, out: opt.Out, err: opt.Err}
}

func (p *pipe) read(accept func(line) bool) error {
	for {
		l, err := p.in.next()
		if err == nil || l.text != "" || l.tooLong {
			if !accept(l) {
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (p *pipe) burst(entries []entry) error {
	p.buf = p.buf[:0]
	for _, e := range entries {
		if e.room.sight == noticed {
			if err := p.flush(); err != nil {
				return err
			}
			if err := writeLine(p.err, mailNotice(e)); err != nil {
				return err
			}
			continue
		}
		p.buf = appendEscaped(p.buf, e.anchor)
		p.buf = append(p.buf, ' ')
		p.buf = appendEscaped(p.buf, e.author)
		p.buf = append(p.buf, ": "...)
		p.buf = append(appendEscaped(p.buf, e.text), '\n')
		if len(p.buf) >= chunk {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	return p.flush()
}

// flush writes whole lines.
func (p *pipe) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	_, err := p.out.Write(p.buf)
	p.buf = p.buf[:0]
	if cap(p.buf) > 16*chunk {
		p.buf = nil // one huge message must not be paid for ever
	}
	return err
}

// mailNotice says that mail came, not what is in it.
func mailNotice(e entry) string {
	return escaped("mail: " + e.anchor + " from " + e.author + "; /mail shows it")
}

func (p *pipe) receipt(r receipt) error { return writeLine(p.err, r.String()) }

func (p *pipe) notice(text string) error { return writeLine(p.err, "notice: "+escaped(text)) }

func (p *pipe) refuse(sentence string) error { return writeLine(p.err, "refused: "+escaped(sentence)) }

// answer writes what was asked for to the output, and what only confirms aside.
func (p *pipe) answer(command, text string) error {
	w := p.err
	if command == "mail" || command == "read" {
		w = p.out
	}
	var buf []byte
	for part := range strings.SplitSeq(text, "\n") {
		buf = append(appendEscaped(buf, part), '\n')
	}
	_, err := w.Write(buf)
	return err
}

// writeLine writes a line in one piece.
func writeLine(w io.Writer, text string) error {
	_, err := io.WriteString(w, text+"\n")
	return err
}

func (*pipe) welcome(view) error        { return nil }
func (*pipe) stand(string)              {}
func (*pipe) resized() <-chan os.Signal { return nil }
func (*pipe) resize()                   {}
func (*pipe) echoes() bool              { return false }
