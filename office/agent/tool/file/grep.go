package file

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
)

const grepDescription = "Search the text of a file, or of all files below a folder of the workspace, for a regular " +
	"expression (RE2), line by line. Shows path:line:text. Passes over binary files, .git, .bullpen and links."

const grepSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{` +
	`"pattern":{"type":"string","description":"Regular expression in RE2 syntax: no look-around, no back-references"},` +
	`"path":{"type":"string","description":"File or folder, relative to the workspace; the workspace itself if left out"},` +
	`"glob":{"type":"string","description":"Only files that match, such as *.go or src/**/*.ts"},` +
	`"ignore_case":{"type":"boolean","description":"Upper and lower case are the same (default false)"},` +
	`"context":{"type":"integer","minimum":0,"description":"Lines to show before and after each match, up to 10; 0 if left out"},` +
	`"limit":{"type":"integer","minimum":1,"description":"Most matching lines to show, 100 if left out, up to 1,000"}}}`

// grep is the tool that searches in files.
func grep(ctx context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("grep", args, "pattern", "path", "glob", "ignore_case", "context", "limit")
	s := &search{ctx: ctx, root: root, pattern: a.required("pattern")}
	given, only, fold := a.text("path"), a.text("glob"), a.flag("ignore_case")
	s.around = a.number("context", 0, 10)
	s.limit = a.number("limit", 100, maxMatches)
	if a.err != nil {
		return "", a.err
	}
	if given == "" {
		given = "."
	}
	p, err := place(root, given)
	if err != nil {
		return "", err
	}
	if err := s.compile(only, fold); err != nil {
		return "", err
	}
	info, err := root.Stat(p)
	if err != nil {
		return "", notThere(root, p, err)
	}
	var notes []string
	if info.IsDir() {
		w := &walk{ctx: ctx, root: root, depth: maxDepth + 1}
		w.visit = func(at string, e fs.DirEntry) error { return s.visit(p, at, e) }
		err = w.from(p)
		notes = w.notes()
	} else {
		err = s.file(p)
		if errors.Is(err, errEnough) {
			err = nil
		}
	}
	if err != nil {
		return "", err
	}
	return noted(s.out.String(), append(notes, s.notes(p)...)...), nil
}

// search is one grep under way.
type search struct {
	ctx     context.Context
	root    *os.Root
	pattern string
	re      *regexp.Regexp
	only    *glob
	around  int
	limit   int

	out     strings.Builder
	matches int
	files   int   // searched
	binary  int   // passed over
	unread  int   // could not be read
	read    int64 // bytes
	stopped string
}

// compile checks and compiles the pattern and the glob.
func (s *search) compile(only string, fold bool) error {
	switch {
	case s.pattern == "":
		return faultf("pattern is empty, which every line matches; write what to look for")
	case len(s.pattern) > maxPattern:
		return faultf("pattern is %s long; the longest is %s", counted(len(s.pattern), "byte"), count(maxPattern))
	}
	expr := s.pattern
	if fold {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return &fault{"pattern " + strconv.Quote(s.pattern) + " is no RE2 expression (" + why +
			`); put \ before a character that is meant as itself, and do without look-around and back-references`, err}
	}
	s.re = re
	if only == "" {
		return nil
	}
	g, err := compileGlob("glob", only)
	s.only = &g
	return err
}

// visit searches one entry of a walk that began in start.
func (s *search) visit(start, p string, e fs.DirEntry) error {
	if e.IsDir() {
		return keepOut(e)
	}
	if !e.Type().IsRegular() || (s.only != nil && !s.only.match(below(start, p))) {
		return nil
	}
	err := s.file(p)
	if err == nil || errors.Is(err, errEnough) || s.ctx.Err() != nil {
		return err
	}
	s.unread++
	return nil
}

// file searches one file. errEnough says that a bound was met.
func (s *search) file(p string) error {
	f, _, err := openRegular(s.root, p)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	head := make([]byte, maxSniff)
	n, err := io.ReadFull(io.NewSectionReader(f, 0, maxSniff), head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return explain(err, p, "read")
	}
	if !isText(head[:n]) {
		s.binary++
		return nil
	}
	s.files++
	lines := newLineReader(s.ctx, io.LimitReader(f, maxGrepped-s.read), maxGrepLine)
	err = s.lines(p, lines)
	s.read += lines.read
	if err == nil && s.read >= maxGrepped {
		s.stopped = strconv.Itoa(maxGrepped>>20) + " MB were searched and there is more; name a folder further down or a glob"
		return errEnough
	}
	return err
}

// lines shows the matching lines of one file with those around them.
func (s *search) lines(p string, lines *lineReader) error {
	var before []string // not yet shown, at most s.around
	shown, after := 0, 0
	for {
		l, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return explain(err, p, "read")
		}
		at := s.re.FindIndex(l.text)
		switch {
		case at != nil:
			if s.full() {
				return errEnough
			}
			if s.around > 0 && s.out.Len() > 0 && shown < lines.n-len(before)-1 {
				s.out.WriteString("--\n")
			}
			s.out.WriteString(strings.Join(before, ""))
			s.out.WriteString(shownLine(p, ":", lines.n, l, at[0]))
			before, shown, after = before[:0], lines.n, s.around
			s.matches++
		case after > 0:
			s.out.WriteString(shownLine(p, "-", lines.n, l, 0))
			shown, after = lines.n, after-1
		case s.around > 0:
			if len(before) == s.around {
				before = before[1:]
			}
			before = append(before, shownLine(p, "-", lines.n, l, 0))
		}
	}
}

// full tells whether one more match would be too much, and keeps why.
func (s *search) full() bool {
	if s.matches < s.limit && s.out.Len() < maxOutput {
		return false
	}
	s.stopped = "the first " + count(s.matches) + " matching lines are shown and there are more; " +
		"use a narrower pattern, path or glob"
	return true
}

// shownLine is a line of output. Of a long line it shows the part at from.
func shownLine(p, mark string, n int, l line, from int) string {
	text := l.text
	ahead, behind := "", ""
	if from > maxGrepShown/2 {
		text, ahead = text[from-maxGrepShown/4:], "…"
	}
	if len(text) > maxGrepShown || l.cut > 0 {
		text, behind = text[:min(len(text), maxGrepShown)], "…"
	}
	shown := strings.ToValidUTF8(string(text), "\uFFFD")
	return oneLine(p) + mark + strconv.Itoa(n) + mark + ahead + shown + behind + "\n"
}

func (s *search) notes(p string) []string {
	var out []string
	if s.matches == 0 && s.stopped == "" {
		out = append(out, "no line of "+counted(s.files, "file")+" in "+p+" matches "+s.pattern)
	}
	if s.stopped != "" {
		out = append(out, s.stopped)
	}
	if s.binary > 0 {
		out = append(out, counted(s.binary, "binary file")+" passed over")
	}
	if s.unread > 0 {
		out = append(out, counted(s.unread, "file")+" could not be read")
	}
	return out
}
