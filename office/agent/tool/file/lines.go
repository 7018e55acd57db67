package file

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// line is one line of a file without its line end.
type line struct {
	text []byte // at most as much as the reader keeps; valid until the next line
	cut  int64  // bytes left out at its end
	crlf bool
}

// lineReader reads a text line by line, without ever holding more of a line
// than keep bytes.
type lineReader struct {
	ctx  context.Context
	in   *bufio.Reader
	keep int
	buf  []byte
	read int64 // bytes passed so far
	n    int   // lines passed so far
}

func newLineReader(ctx context.Context, r io.Reader, keep int) *lineReader {
	return &lineReader{ctx: ctx, in: bufio.NewReaderSize(r, 64<<10), keep: keep}
}

// next returns the next line, or io.EOF after the last one. It looks at the
// context now and then.
func (r *lineReader) next() (line, error) {
	r.buf = r.buf[:0]
	var l line
	var last byte // the one before the chunk
	for chunks := 0; ; chunks++ {
		if (r.n%1024 == 0 && chunks == 0) || chunks%256 == 255 {
			if r.ctx.Err() != nil {
				return line{}, &fault{"reading was stopped before it ended; ask for less", context.Cause(r.ctx)}
			}
		}
		chunk, err := r.in.ReadSlice('\n')
		r.read += int64(len(chunk))
		ended := err == nil
		if ended {
			chunk = chunk[:len(chunk)-1]
			l.crlf = bytes.HasSuffix(chunk, []byte("\r")) || (len(chunk) == 0 && last == '\r')
		}
		if len(chunk) > 0 {
			last = chunk[len(chunk)-1]
		}
		taken := min(len(chunk), r.keep-len(r.buf))
		r.buf = append(r.buf, chunk[:taken]...)
		l.cut += int64(len(chunk) - taken)
		switch {
		case ended:
			r.n++
			return r.finish(l), nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(r.buf) == 0:
			return line{}, io.EOF
		case errors.Is(err, io.EOF):
			r.n++
			return r.finish(l), nil
		default:
			return line{}, err
		}
	}
}

// finish takes the carriage return off a line's end.
func (r *lineReader) finish(l line) line {
	l.text = r.buf
	if l.crlf && l.cut > 0 {
		l.cut--
	} else if l.crlf {
		l.text = r.buf[:len(r.buf)-1]
	}
	return l
}
