package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

const readDescription = "Read a text file of the workspace, up to 2,000 lines or 50 KB at a time; " +
	"a note at the end says where to read on. The text is exactly the file's, so that edit can use it."

const readSchema = `{"type":"object","additionalProperties":false,"required":["path"],"properties":{` +
	`"path":{"type":"string","description":"File, relative to the workspace"},` +
	`"offset":{"type":"integer","minimum":1,"description":"First line to read, from 1"},` +
	`"limit":{"type":"integer","minimum":1,"description":"Most lines to read, up to 2,000 (default)"}}}`

// read is the tool that shows a file.
func read(ctx context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("read", args, "path", "offset", "limit")
	given := a.required("path")
	offset := a.number("offset", 1, math.MaxInt)
	limit := a.number("limit", maxLines, maxLines)
	if a.err != nil {
		return "", a.err
	}
	p, err := place(root, given)
	if err != nil {
		return "", err
	}
	f, info, err := openRegular(root, p)
	if err != nil {
		return "", err
	}
	defer f.Close() // only read
	head := make([]byte, maxSniff)
	n, err := io.ReadFull(io.NewSectionReader(f, 0, maxSniff), head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", explain(err, p, "read")
	}
	if n == 0 {
		return "[" + p + " is empty]", nil
	}
	if !isText(head[:n]) {
		return "[" + describeBinary(f, p, info, head[:n]) + "]", nil
	}
	page := &page{path: p, offset: offset, limit: limit}
	page.lines = newLineReader(ctx, io.LimitReader(f, maxScan), maxLine)
	if err := page.fill(); err != nil {
		return "", explain(err, p, "read")
	}
	return page.text(), nil
}

// page is the part of a file that one call shows.
type page struct {
	path          string
	offset, limit int
	lines         *lineReader

	out     strings.Builder
	shown   int
	full    bool // by size, before limit lines
	cut     int  // lines of which the end is left out
	crlf    bool
	invalid int // bytes that are no UTF-8
	more    int // lines known to follow
	atLeast bool
	scanned bool // read goes no further
}

// fill reads the lines of the page and counts those that follow, as far as
// that is cheap.
func (g *page) fill() error {
	for g.lines.n < g.offset-1 {
		_, err := g.lines.next()
		if errors.Is(err, io.EOF) {
			return g.beyond()
		}
		if err != nil {
			return err
		}
	}
	for g.shown < g.limit && !g.full {
		l, err := g.lines.next()
		if errors.Is(err, io.EOF) {
			if g.shown == 0 && g.offset > 1 {
				return g.beyond()
			}
			g.scanned = g.lines.read >= maxScan
			return nil
		}
		if err != nil {
			return err
		}
		g.add(l)
	}
	return g.countRest()
}

func (g *page) beyond() error {
	if g.lines.read >= maxScan {
		return faultf("line %s of %s lies beyond the first %d MB, which is as far as read goes; use grep",
			count(g.offset), g.path, maxScan>>20)
	}
	return faultf("%s has %s, so there is no line %s; use a smaller offset",
		g.path, counted(g.lines.n, "line"), count(g.offset))
}

// add shows one line, unless the page would grow over its size.
func (g *page) add(l line) {
	g.crlf = g.crlf || l.crlf
	text := l.text
	if l.cut > 0 {
		whole := wholeRunes(text)
		l.cut += int64(len(text) - len(whole))
		text = whole
	}
	shown, bad := valid(text)
	if g.shown > 0 && g.out.Len()+len(shown) > maxOutput {
		g.full, g.more = true, 1
		return
	}
	g.out.WriteString(shown)
	if l.cut > 0 {
		g.cut++
		g.out.WriteString("… [" + counted(l.cut, "more byte") + " in this line]")
	}
	g.out.WriteByte('\n')
	g.shown++
	g.invalid += bad
}

func (g *page) countRest() error {
	end := g.lines.read + maxCount
	for {
		_, err := g.lines.next()
		if errors.Is(err, io.EOF) {
			g.atLeast = g.lines.read >= maxScan
			return nil
		}
		if err != nil {
			return err
		}
		g.more++
		if g.lines.read > end {
			g.atLeast = true
			return nil
		}
	}
}

// text is the page with its notes.
func (g *page) text() string {
	var notes []string
	last := g.offset + g.shown - 1
	if g.more > 0 {
		total := count(last + g.more)
		if g.atLeast {
			total = "more than " + total
		}
		notes = append(notes, "lines "+strconv.Itoa(g.offset)+" to "+strconv.Itoa(last)+" of "+total+
			" are shown; read on with offset "+strconv.Itoa(last+1))
	}
	if g.scanned {
		notes = append(notes, "the file goes on, but read goes no further than "+strconv.Itoa(maxScan>>20)+" MB; use grep")
	}
	if g.cut > 0 {
		notes = append(notes, counted(g.cut, "long line")+" cut at "+count(maxLine)+" bytes; use grep to look further into it")
	}
	if g.crlf {
		notes = append(notes, "lines end in CRLF; edit keeps that")
	}
	if g.invalid > 0 {
		notes = append(notes, counted(g.invalid, "byte")+" not valid UTF-8, shown as \uFFFD")
	}
	return noted(g.out.String(), notes...)
}

// valid returns text with each byte that is no UTF-8 replaced, and how many
// those were.
func valid(text []byte) (string, int) {
	if utf8.Valid(text) {
		return string(text), 0
	}
	bad := 0
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String(), bad
}
