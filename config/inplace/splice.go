package inplace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// cut replaces the bytes from one offset to another.
type cut struct {
	from, to int
	text     string
}

// apply makes cuts, which do not overlap, and parses the text again.
func (d *Document) apply(cuts []cut) error {
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	at := 0
	for _, c := range cuts {
		if c.from < at || c.to < c.from || c.to > len(d.text) {
			return errors.New("the changes overlap; change the text by hand")
		}
		out = append(append(out, d.text[at:c.from]...), c.text...)
		at = c.to
	}
	out = append(out, d.text[at:]...)
	if err := d.parse(out); err != nil {
		return fmt.Errorf("the text cannot be changed in place here; change it by hand: %w", err)
	}
	return nil
}

// space reports whether there are only spaces and tabs in a part of the text.
func (d *Document) space(from, to int) bool {
	return len(bytes.Trim(d.text[from:to], " \t")) == 0
}

// restOf reports whether nothing but a comment follows on the line.
func (d *Document) restOf(at int) bool {
	next := d.spaces(at)
	return next == d.lineEnd(at) || next > at && d.is(next, "#")
}

// wholeLines are the lines from one offset to another, if nothing else stands on
// them.
func (d *Document) wholeLines(from, to int) (cut, bool) {
	start := d.lineStart(from)
	if !d.space(start, from) || !d.restOf(to) {
		return cut{}, false
	}
	c := cut{from: start, to: d.nextLine(to)}
	if c.to == len(d.text) && c.to == d.lineEnd(to) && c.from > 0 && !d.literals {
		c.from-- // the text has no line break at its end, and gets none if it needs none
		if c.from > 0 && d.text[c.from-1] == '\r' {
			c.from--
		}
	}
	return c, true
}

// child is one entry or item of a collection as it stands in the text.
type child struct{ from, to int }

// children finds where the entries or items of a collection stand. Those of a
// block list begin at their dash.
func (d *Document) children(y *yaml.Node, isFlow bool) ([]child, error) {
	var all []child
	if y.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(y.Content); i += 2 {
			w, err := d.entry(y.Content[i], y.Content[i+1])
			if err != nil {
				return nil, err
			}
			all = append(all, child{w.key, w.end})
		}
		return all, nil
	}
	for _, item := range y.Content {
		from, err := d.offset(item)
		if err != nil {
			return nil, err
		}
		to := from
		if !nothing(item) || item.Anchor != "" {
			if to, err = d.end(item, y.Column-1); err != nil {
				return nil, err
			}
		}
		if !isFlow {
			dash := bytes.LastIndexByte(d.text[:from], '-')
			if dash < 0 || !d.space(dash+1, from) {
				return nil, oddAt(item, "the dash of this item cannot be found on its line")
			}
			from = dash
		}
		all = append(all, child{from, to})
	}
	return all, nil
}

// insert adds an entry or item, written as text, behind the last one of a
// collection that has some. text is what a line of its own would hold.
func (d *Document) insert(y *yaml.Node, text string) ([]cut, error) {
	content, _, err := d.begin(y)
	if err != nil {
		return nil, err
	}
	isFlow := d.isFlow(content)
	all, err := d.children(y, isFlow)
	if err != nil {
		return nil, err
	}
	if isFlow {
		return d.insertFlow(y, content, all, text)
	}
	last := all[len(all)-1]
	if !d.restOf(last.to) {
		return nil, oddAt(y, "something follows the end of this block")
	}
	in := all[0].from - d.lineStart(all[0].from)
	at := d.deeper(last.to, in)
	indent := string(bytes.Repeat([]byte(" "), in))
	return []cut{{at, at, d.eol + indent + text}}, nil
}

// deeper goes over comments that are indented more than a block: they belong to
// what stands above them.
func (d *Document) deeper(at, indent int) int {
	at = d.lineEnd(at)
	for next := d.nextLine(at); next > at && next < len(d.text); next = d.nextLine(next) {
		first := d.spaces(next)
		switch {
		case first == d.lineEnd(next):
			continue
		case d.text[first] != '#' || first-next <= indent:
			return at
		}
		at = d.lineEnd(next)
	}
	return at
}

func (d *Document) insertFlow(y *yaml.Node, content int, all []child, text string) ([]cut, error) {
	if len(all) == 0 {
		return []cut{{content + 1, content + 1, text}}, nil
	}
	end, err := d.flowEnd(y, content)
	if err != nil {
		return nil, err
	}
	last := all[len(all)-1]
	comma := -1
	if at := d.skip(last.to, ""); d.is(at, ",") {
		comma = at
	}
	behind := max(last.to, comma+1)
	start := d.lineStart(last.from)
	if !d.space(start, last.from) || !d.restOf(behind) || d.nextLine(behind) > end {
		if comma >= 0 {
			return []cut{{behind, behind, " " + text + ","}}, nil
		}
		return []cut{{behind, behind, ", " + text}}, nil
	}
	// Each stands on a line of its own.
	line := d.eol + string(d.text[start:last.from]) + text
	at := d.lineEnd(behind)
	if comma >= 0 {
		return []cut{{at, at, line + ","}}, nil
	}
	if at == last.to {
		return []cut{{at, at, "," + line}}, nil
	}
	return []cut{{last.to, last.to, ","}, {at, at, line}}, nil
}

// remove takes the i-th entry or item of a collection out. holder is the entry
// whose value the collection is; a block that is emptied is written in braces
// behind its key.
func (d *Document) remove(y *yaml.Node, i int, holder *Entry) ([]cut, error) {
	content, properties, err := d.begin(y)
	if err != nil {
		return nil, err
	}
	isFlow := d.isFlow(content)
	all, err := d.children(y, isFlow)
	if err != nil {
		return nil, err
	}
	if isFlow {
		return d.removeFlow(all, i), nil
	}
	lines, ok := d.wholeLines(all[i].from, all[i].to)
	if !ok {
		return nil, oddAt(y, "what is to be removed does not stand on lines of its own")
	}
	if len(all) > 1 {
		return []cut{lines}, nil
	}
	if holder == nil || holder.y == nil {
		return nil, oddAt(y, "nothing would be left here")
	}
	w, err := d.entry(holder.y, y)
	if err != nil {
		return nil, err
	}
	at := w.colon + 1
	if properties > w.value && content > properties {
		at = properties
	}
	empty := " {}"
	if y.Kind == yaml.SequenceNode {
		empty = " []"
	}
	return []cut{{at, at, empty}, lines}, nil
}

func (d *Document) removeFlow(all []child, i int) []cut {
	c := all[i]
	behind := c.to
	if at := d.skip(c.to, ""); d.is(at, ",") {
		behind = at + 1
	}
	if lines, ok := d.wholeLines(c.from, behind); ok {
		return []cut{lines}
	}
	switch {
	case i+1 < len(all):
		return []cut{{from: c.from, to: all[i+1].from}}
	case i == 0:
		return []cut{{from: c.from, to: behind}}
	case behind > c.to:
		return []cut{{from: d.afterComma(all[i-1].to), to: behind}}
	}
	return []cut{{from: all[i-1].to, to: c.to}}
}

// afterComma is the offset behind the comma that follows.
func (d *Document) afterComma(at int) int {
	if next := d.skip(at, ""); d.is(next, ",") {
		return next + 1
	}
	return at
}
