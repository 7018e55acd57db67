package file

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
)

const editDescription = "Replace text in a file of the workspace. old must be exactly the file's text, white space too, " +
	"and occur once; give lines around it to make it so, or set all to replace every occurrence."

const editSchema = `{"type":"object","additionalProperties":false,"required":["path","old","new"],"properties":{` +
	`"path":{"type":"string","description":"File, relative to the workspace"},` +
	`"old":{"type":"string","description":"Exact text to replace"},` +
	`"new":{"type":"string","description":"Text to put in its place; empty removes it"},` +
	`"all":{"type":"boolean","description":"Replace every occurrence (default false)"}}}`

// edit is the tool that replaces a part of a file.
func edit(_ context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("edit", args, "path", "old", "new", "all")
	given := a.required("path")
	c := change{old: a.required("old"), new: a.required("new"), all: a.flag("all")}
	if a.err != nil {
		return "", a.err
	}
	p, err := place(root, given)
	if err != nil {
		return "", err
	}
	c.path = p
	if err := c.check(); err != nil {
		return "", err
	}
	text, err := editable(root, p)
	if err != nil {
		return "", err
	}
	mode, keep, err := target(root, p)
	if err != nil {
		return "", err
	}
	after, lines, err := c.apply(text)
	if err != nil {
		return "", err
	}
	if len(after) > maxEdit {
		return "", faultf("%s would grow to %s; the most that edit makes is %d MB: split the file",
			p, counted(len(after), "byte"), maxEdit>>20)
	}
	if err := replace(root, p, []byte(after), mode, keep); err != nil {
		return "", explain(err, p, "written")
	}
	return "replaced " + counted(len(lines), "occurrence") + " in " + p + ", at " + lineNumbers(lines), nil
}

// editable reads a text file whole.
func editable(root *os.Root, p string) (string, error) {
	f, info, err := openRegular(root, p)
	if err != nil {
		return "", err
	}
	defer f.Close() // only read
	tooBig := faultf("%s is %s; the most that edit takes is %d MB: use bash, or split it",
		p, counted(info.Size(), "byte"), maxEdit>>20)
	if info.Size() > maxEdit {
		return "", tooBig
	}
	data, err := io.ReadAll(io.LimitReader(f, maxEdit+1)) // it may be growing
	if err != nil {
		return "", explain(err, p, "read")
	}
	if len(data) > maxEdit {
		return "", tooBig
	}
	if head := data[:min(len(data), maxSniff)]; !isText(head) {
		return "", faultf("%s; edit changes text only", describeBinary(f, p, info, head))
	}
	return string(data), nil
}

// change is what one edit asks for.
type change struct {
	path     string
	old, new string
	all      bool
}

func (c change) check() error {
	switch {
	case c.old == "":
		return faultf("old is empty, so it names no place in %s; give the text to replace, or use write for a new file", c.path)
	case c.old == c.new:
		return faultf("old and new are the same, so nothing in %s would change; send the text that is to stand there", c.path)
	}
	return nil
}

// apply returns text with the change made and the lines where it was made.
//
// Models write LF. A text with CRLF is therefore searched as if it had LF, and
// what is put in gets the line ends of what it replaces. An old that holds a
// carriage return itself is taken at its word first.
func (c change) apply(text string) (after string, lines []int, err error) {
	if strings.Contains(c.old, "\r") || !strings.Contains(text, "\r\n") {
		if spans := c.occurrences(text); len(spans) > 0 {
			return c.splice(text, text, spans)
		}
	}
	c.old, c.new = unix(c.old), unix(c.new)
	flat := unix(text)
	spans := c.occurrences(flat)
	if len(spans) == 0 {
		return "", nil, c.missing(flat)
	}
	return c.splice(text, flat, spans)
}

// splice puts new in the place of each span. The spans are those of flat,
// which is text or text with LF for CRLF.
func (c change) splice(text, flat string, spans []int) (string, []int, error) {
	if !c.all && len(spans) > 1 {
		times := count(len(spans))
		if len(spans) == manyOccurrences {
			times += " or more"
		}
		return "", nil, faultf("old occurs %s times in %s, at %s; add the lines around it until it is the only one, or set all",
			times, c.path, lineNumbers(linesAt(flat, spans)))
	}
	var out strings.Builder
	m := mapper{text: text, flat: flat}
	done := 0
	for _, at := range spans {
		start, end := m.to(at), m.to(at+len(c.old))
		if out.Len()+len(c.new) > maxEdit {
			return "", nil, faultf("%s would grow over %d MB, the most that edit makes; split the file", c.path, maxEdit>>20)
		}
		out.WriteString(text[done:start])
		out.WriteString(c.ended(text, flat, text[start:end]))
		done = end
	}
	out.WriteString(text[done:])
	return out.String(), linesAt(flat, spans), nil
}

// ended returns new with the line ends of what it replaces, or of the text if
// that has none.
func (c change) ended(text, flat, replaced string) string {
	if len(text) == len(flat) || !strings.Contains(c.new, "\n") {
		return c.new
	}
	sample := replaced
	if !strings.Contains(sample, "\n") {
		sample = text
	}
	if crlf := strings.Count(sample, "\r\n"); 2*crlf < strings.Count(sample, "\n") {
		return c.new
	}
	return strings.ReplaceAll(c.new, "\n", "\r\n")
}

// unix returns text with LF for CRLF.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
