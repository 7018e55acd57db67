package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// read makes a tree of the text of office.yaml. It is nil, and a problem is
// noted, where the text is no YAML mapping at all.
func (c *checker) read(text []byte) *node {
	if !c.plainText(text) {
		return nil
	}
	if rest, found := bytes.CutPrefix(text, []byte("\uFEFF")); found {
		text = rest
		c.notice(place{1, 1}, "", "the file begins with a byte order mark; it is skipped", "save the file as UTF-8 without one")
	}
	doc, err := parseYAML(bytes.NewReader(text))
	if err != nil {
		c.syntax(err, text)
		return nil
	}
	if doc == nil || len(doc.Content) == 0 || blank(doc.Content[0]) {
		c.problem(place{1, 1}, "", "the file is empty", "run bullpen init in an empty folder for an example")
		return nil
	}
	p := &planter{checker: c}
	root := p.plant(doc.Content[0], "", place{1, 1})
	if p.full {
		return nil
	}
	if root.kind != block {
		c.problem(root.at, "", "the file must be made of keys and values, not "+root.kind.a(), "begin with `office:` and `agents:`")
		return nil
	}
	return root
}

// blank reports whether a document holds nothing but comments or a null.
func blank(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// plainText refuses what is too long or not UTF-8.
func (c *checker) plainText(text []byte) bool {
	if len(text) > maxFile {
		c.problem(place{1, 1}, "", "the file is larger than 1 MiB", "move long prompts elsewhere")
		return false
	}
	if utf8.Valid(text) {
		return true
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	c.problem(placeOf(text, at), "", "the file is not UTF-8", "save it as UTF-8")
	return false
}

// placeOf is where byte offset at of text stands.
func placeOf(text []byte, at int) place {
	before := text[:at]
	start := bytes.LastIndexByte(before, '\n') + 1
	return place{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1}
}

// errDocuments refuses a second document, of which nothing would be read.
var errDocuments = errors.New("the file holds more than one document")

// parseYAML returns the one document of a text, or nil if it holds none. It reads
// no further than it has to.
func parseYAML(text io.Reader) (doc *yaml.Node, err error) {
	defer func() {
		// The parser is outside code that is fed a file anybody may have written.
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("yaml: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(text)
	doc = new(yaml.Node)
	if err := decoder.Decode(doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return doc, nil
	case err != nil:
		return nil, err
	case blank(&second) || len(second.Content) > 0 && blank(second.Content[0]):
		return doc, nil
	}
	return nil, fmt.Errorf("line %d: %w", second.Line, errDocuments)
}

var lineOfError = regexp.MustCompile(`line (\d+): `)

// syntax notes what the YAML parser refused. The parser gives a line at most, so
// the column is where that line's text begins. Its sentence quotes nothing of
// the file but the names of anchors.
func (c *checker) syntax(err error, text []byte) {
	at, what := place{1, 1}, strings.TrimPrefix(err.Error(), "yaml: ")
	lines := strings.Split(string(text), "\n")
	if m := lineOfError.FindStringSubmatchIndex(what); m != nil {
		n, _ := strconv.Atoi(what[m[2]:m[3]])
		at.line = min(max(n, 1), len(lines))
		what = what[:m[0]] + what[m[1]:]
	}
	if n := firstBadLine(text); n > 0 && !errors.Is(err, errDocuments) {
		at.line = n
	}
	if tab, found := tabNear(lines, at.line); found {
		c.problem(tab, "", "a tab is used to indent", "YAML is indented with spaces")
		return
	}
	line := lines[at.line-1]
	at.column = utf8.RuneCountInString(line[:len(line)-len(strings.TrimLeft(line, " "))]) + 1
	if errors.Is(err, errDocuments) {
		c.problem(at, "", errDocuments.Error(), "remove the `---` and what follows it, or merge the two")
		return
	}
	c.problem(at, "", "this is not YAML: "+what, "look at the colons, quotes and indentation of this line and the one before")
}

// maxSearch bounds how much is parsed to find the line of a syntax error, in bytes.
const maxSearch = 2 << 20

// firstBadLine is the line after the longest beginning of text that is YAML; 0 if
// that would take too long to find. The parser itself names the line where the
// block around the mistake begins, or the end of the file for a quote that is
// not closed.
func firstBadLine(text []byte) int {
	ends := []int{0}
	for i, b := range text {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	left := maxSearch
	for n := len(ends) - 1; n >= 0 && left > 0; n-- {
		beginning := bytes.NewReader(text[:ends[n]])
		if _, err := parseYAML(beginning); err == nil {
			return n + 1
		}
		left -= ends[n] - beginning.Len()
	}
	return 0
}

// tabNear finds a tab in the indentation of a line or its neighbours, on which
// the parser may stumble first.
func tabNear(lines []string, line int) (place, bool) {
	for _, n := range []int{line, line + 1, line - 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		text := lines[n-1]
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if i := strings.IndexByte(indent, '\t'); i >= 0 && strings.TrimSpace(text) != "" {
			return place{n, i + 1}, true
		}
	}
	return place{}, false
}
