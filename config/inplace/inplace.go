// Package inplace changes a YAML text without writing it anew: only the lines
// that say something else afterwards are touched, and comments, order, quotes,
// indentation and line ends stay as somebody wrote them.
//
// The parser (yaml.v3) tells where each value begins; where it ends is found
// here (extent.go). A change is made step by step (step.go), each a few splices
// of bytes (splice.go). After each step the text is parsed again, and at the end
// its tree is compared with the one that was meant: a text that is written in a
// way this package does not understand is refused with an error, never spoilt.
//
// The package knows nothing of what the text is about.
package inplace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// bom may stand at the beginning of a file; it is kept.
var bom = []byte("\uFEFF")

// Document is a text with its tree. Its methods change it; it is not for several
// goroutines.
type Document struct {
	mark  []byte // the byte order mark, if there is one
	text  []byte
	lines []int // where each line begins
	root  *Node
	eol   string
	step  string // one level of indentation
	// literals says that there are texts behind | or >, whose line ends count.
	literals bool
}

// Parse reads one document whose top is a block of keys.
func Parse(text []byte) (*Document, error) {
	d := &Document{}
	if rest, found := bytes.CutPrefix(text, bom); found {
		d.mark, text = bom, rest
	}
	return d, d.parse(text)
}

// Text is the text as it is now. The caller must not change it.
func (d *Document) Text() []byte { return slices.Concat(d.mark, d.text) }

// Root is the top of the tree. After a change it is another one.
func (d *Document) Root() *Node { return d.root }

// parse takes a text in, or leaves the document as it is.
func (d *Document) parse(text []byte) (err error) {
	defer func() {
		// The parser is outside code that is fed a file anybody may have written.
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	if err := ordinary(text); err != nil {
		return err
	}
	var y, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&y); err != nil {
		return err
	}
	if err := decoder.Decode(&second); err == nil {
		return errors.New("the text holds more than one document")
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	var p planter
	root, err := p.plant(y.Content[0], false, 0)
	if err != nil {
		return err
	}
	if root.Kind != Block {
		return errors.New("the text is not made of keys and values")
	}
	d.text, d.root, d.lines = text, root, []int{0}
	for i, b := range text {
		if b == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.literals = p.literals
	d.eol, d.step = "\n", strings.Repeat(" ", indentation(y.Content[0]))
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.eol = "\r\n"
	}
	return nil
}

// ordinary refuses what ends a line for some readers only.
func ordinary(text []byte) error {
	if !utf8.Valid(text) {
		return errors.New("the text is not UTF-8")
	}
	line := 1
	for i, r := range string(text) {
		switch {
		case r == '\n':
			line++
		case r == '\r' && (i+1 >= len(text) || text[i+1] != '\n'), r == '\u0085', r == '\u2028', r == '\u2029':
			return fmt.Errorf("line %d: the character U+%04X ends a line for some readers only; remove it", line, r)
		}
	}
	return nil
}

// indentation is how many spaces deeper a block stands than the one around it.
func indentation(y *yaml.Node) int {
	if y.Style&yaml.FlowStyle != 0 || y.Kind != yaml.MappingNode {
		return 2
	}
	for i := 1; i < len(y.Content); i += 2 {
		key, v := y.Content[i-1], y.Content[i]
		if v.Kind == yaml.MappingNode && v.Style&yaml.FlowStyle == 0 && len(v.Content) > 0 && v.Content[0].Line > key.Line {
			if in := v.Content[0].Column - key.Column; in > 0 {
				return in
			}
		}
	}
	return 2
}

// Set makes the value at path be v, which may be a string, a number, a bool, a
// time.Duration, a list ([]string, []any), a Map or a map[string]any. Blocks and
// lists are brought there item by item, so that what is said of the others stays.
// Blocks on the way that are not there are made. What is there already is not
// written again.
//
// Where the text cannot be changed so, it stays as it is and the error names the
// line: what stands there only by an alias, for example.
func (d *Document) Set(path []string, v any) error {
	want, err := value(v)
	if err != nil {
		return err
	}
	meant := d.root.clone(nil)
	at := meant
	for i, key := range path {
		if at.Kind == Null {
			at.Kind = Block
		}
		if at.Kind != Block {
			return fmt.Errorf("%s is no block of keys", strings.Join(path[:i], "."))
		}
		next := at.index(key)
		if next < 0 {
			if i < len(path)-1 && at.merged(key) {
				return mergedError(path[:i+1])
			}
			at.Entries = append(at.Entries, Entry{Key: key, Value: &Node{}})
			next = len(at.Entries) - 1
		}
		if i == len(path)-1 {
			at.Entries[next].Value = alike(at.Entries[next].Value, want)
			break
		}
		at = at.Entries[next].Value
	}
	return d.become(meant)
}

// alike is want with the keys that have has already in the order of have.
func alike(have, want *Node) *Node {
	switch {
	case have.Kind == Block && want.Kind == Block:
		w := *want
		w.Entries = nil
		for _, e := range have.Entries {
			if i := want.index(e.Key); i >= 0 {
				w.Entries = append(w.Entries, Entry{e.Key, alike(e.Value, want.Entries[i].Value), e.y})
			}
		}
		for _, e := range want.Entries {
			if have.index(e.Key) < 0 {
				w.Entries = append(w.Entries, e)
			}
		}
		return &w
	case equal(have, want):
		return have
	}
	return want
}

func mergedError(path []string) error {
	return fmt.Errorf("%s comes from a merged block (<<); change it by hand", strings.Join(path, "."))
}

// Remove takes the key at path out, with its value and what is said inside it.
// Comments above it stay. A key that is not there is none to remove.
func (d *Document) Remove(path ...string) error {
	meant := d.root.clone(nil)
	at := meant.Get(path[:len(path)-1]...)
	key := path[len(path)-1]
	i := at.index(key)
	if at == nil || i < 0 && !at.merged(key) {
		return nil
	}
	if at.merged(key) {
		return mergedError(path)
	}
	at.Entries = slices.Delete(at.Entries, i, i+1)
	return d.become(meant)
}

// Rewrite gives single values, and the keys of blocks, another text. A node
// that is named in values or keys is one of the tree's; a node of keys stands
// for the key of which it is the value. What stands there by an alias changes
// with what the alias stands for, so both have to be named.
func (d *Document) Rewrite(values, keys map[*Node]string) error {
	copies := make(map[*Node]*Node)
	meant := d.root.clone(copies)
	for n, text := range values {
		copies[n].Text = text
	}
	for n := range copies {
		for i, e := range n.Entries {
			if text, ok := keys[e.Value]; ok {
				copies[n].Entries[i].Key = text
			}
		}
	}
	if equal(meant, d.root) {
		return nil
	}
	cuts, err := d.rewrites(values, keys)
	if err != nil {
		return err
	}
	return d.to(meant, func() ([]cut, error) { c := cuts; cuts = nil; return c, nil })
}

// become changes the text until its tree is meant.
func (d *Document) become(meant *Node) error {
	return d.to(meant, func() ([]cut, error) { return d.toward(d.root, meant) })
}

// manySteps bounds the steps of one change.
const manySteps = 1000

// to takes steps until the tree is meant; else the text is as it was.
func (d *Document) to(meant *Node, step func() ([]cut, error)) error {
	before := *d
	for range manySteps {
		if equal(d.root, meant) {
			return nil
		}
		cuts, err := step()
		last := d.root
		if err == nil {
			err = d.apply(cuts)
		}
		if err == nil && equal(last, d.root) {
			err = errors.New("the text is written in a way that cannot be changed in place; change it by hand")
		}
		if err != nil {
			*d = before
			return err
		}
	}
	*d = before
	return errors.New("this takes too many steps; change the text by hand")
}
