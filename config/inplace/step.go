package inplace

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// toward is the next step from the tree that there is to the one that is meant:
// the first difference, in the order of the text.
func (d *Document) toward(have, meant *Node) ([]cut, error) {
	return d.between(place{node: have, block: true}, meant)
}

// place is a value in the text: the entry it is the value of, if it is one, and
// whether only blocks are around it.
type place struct {
	node  *Node
	entry *Entry
	block bool
}

// inside is a place below another.
func (d *Document) inside(p place, n *Node, e *Entry) place {
	content, _, err := d.begin(p.node.y)
	return place{n, e, p.block && err == nil && !d.isFlow(content)}
}

// between is the next step from the value at p to want.
func (d *Document) between(p place, want *Node) ([]cut, error) {
	have := p.node
	if have.aliased || have.y != nil && have.y.Kind == yaml.AliasNode {
		return nil, oddAt(have.y, "what is to be changed stands here by an alias (*); change it by hand")
	}
	switch {
	case have.Kind == Block && want.Kind == Block && len(have.Entries) > 0:
		return d.blocks(p, want)
	case have.Kind == List && want.Kind == List && len(have.Items) > 0 && len(want.Items) > 0:
		return d.lists(p, want)
	case have.Kind == Block && want.Kind == Block, have.Kind == List && want.Kind == List && len(have.Items) == 0:
		return d.fill(p, want)
	}
	return d.replace(p, want)
}

// blocks is the next step of a block that has keys.
func (d *Document) blocks(p place, want *Node) ([]cut, error) {
	have := p.node
	for i, e := range have.Entries {
		if want.index(e.Key) < 0 {
			return d.remove(have.y, i, p.entry)
		}
	}
	for i := range have.Entries {
		e := &have.Entries[i]
		if other := want.child(e.Key); !equal(e.Value, other) {
			return d.between(d.inside(p, e.Value, e), other)
		}
	}
	for _, e := range want.Entries {
		if have.index(e.Key) < 0 {
			return d.insert(have.y, d.entryText(p, e))
		}
	}
	return nil, errors.New("the keys of a block cannot be put in another order in place; change it by hand")
}

// entryText writes a new entry for the block at p.
func (d *Document) entryText(p place, e Entry) string {
	inner := d.inside(p, e.Value, nil)
	if !inner.block {
		return keyText(e.Key, 0) + ": " + flow(e.Value)
	}
	indent := strings.Repeat(" ", p.node.y.Content[0].Column-1)
	return keyText(e.Key, 0) + ":" + d.under(e.Value, indent)
}

// lists is the next step of a list that has items and shall have some.
func (d *Document) lists(p place, want *Node) ([]cut, error) {
	have := p.node
	kept, gone := 0, -1
	for i, item := range have.Items {
		switch {
		case kept < len(want.Items) && equal(item, want.Items[kept]):
			kept++
		case gone < 0:
			gone = i
		}
	}
	other := othersAt(have.Items, want.Items)
	switch {
	case len(have.Items) == len(want.Items) && len(other) == 1:
		return d.between(d.inside(p, have.Items[other[0]], nil), want.Items[other[0]])
	case gone >= 0 && kept == 0:
		return d.between(d.inside(p, have.Items[0], nil), want.Items[0])
	case gone >= 0:
		return d.remove(have.y, gone, p.entry)
	}
	text := flow(want.Items[kept])
	if d.inside(p, have, nil).block {
		text = "- " + text
	}
	return d.insert(have.y, text)
}

// othersAt are the indices at which two lists differ, as far as both go.
func othersAt(a, b []*Node) []int {
	var all []int
	for i := range min(len(a), len(b)) {
		if !equal(a[i], b[i]) {
			all = append(all, i)
		}
	}
	return all
}

// fill puts something into an empty collection, which stands in brackets.
func (d *Document) fill(p place, want *Node) ([]cut, error) {
	content, _, err := d.begin(p.node.y)
	if err != nil {
		return nil, err
	}
	text := flow(want)
	return []cut{{content + 1, content + 1, text[1 : len(text)-1]}}, nil
}

// replace writes another value in the place of one.
func (d *Document) replace(p place, want *Node) ([]cut, error) {
	have := p.node
	if nothing(have.y) && have.y.Anchor == "" && have.y.Style&yaml.TaggedStyle == 0 {
		return d.first(p, want)
	}
	content, properties, err := d.begin(have.y)
	if err != nil {
		return nil, err
	}
	if have.y.Kind == yaml.ScalarNode || d.isFlow(content) {
		return d.inline(p, content, want)
	}
	if p.entry == nil {
		return nil, oddAt(have.y, "this cannot be replaced in place; change it by hand")
	}
	all, err := d.children(have.y, false)
	if err != nil {
		return nil, err
	}
	lines, ok := d.wholeLines(all[0].from, all[len(all)-1].to)
	if !ok {
		return nil, oddAt(have.y, "what is to be replaced does not stand on lines of its own")
	}
	w, err := d.entry(p.entry.y, have.y)
	if err != nil {
		return nil, err
	}
	at := w.colon + 1
	if properties > w.value && content > properties {
		at = properties
	}
	return []cut{{at, at, " " + flow(want)}, lines}, nil
}

// first writes a value where there is none yet.
func (d *Document) first(p place, want *Node) ([]cut, error) {
	if p.entry == nil {
		at, err := d.offset(p.node.y)
		return []cut{{at, at, " " + flow(want)}}, err
	}
	w, err := d.entry(p.entry.y, p.node.y)
	if err != nil {
		return nil, err
	}
	text := " " + flow(want)
	if p.block && want.Kind == Block && len(want.Entries) > 0 && d.restOf(w.end) {
		at := d.lineEnd(w.end)
		return []cut{{at, at, d.under(want, strings.Repeat(" ", p.entry.y.Column-1))}}, nil
	}
	if w.colon < 0 {
		text = ":" + text
	}
	return []cut{{w.end, w.end, text}}, nil
}

// inline replaces a single value, or a collection in brackets, by another.
func (d *Document) inline(p place, content int, want *Node) ([]cut, error) {
	y := p.node.y
	indent := -1
	if p.entry != nil {
		indent = p.entry.y.Column - 1
	}
	end, err := d.end(y, indent)
	if err != nil {
		return nil, err
	}
	if nothing(y) { // an anchor or a tag alone
		return []cut{{end, end, " " + flow(want)}}, nil
	}
	text := flow(want)
	if want.Kind == Scalar {
		text = scalarText(want, y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle))
		lit, ok := literal(want.Text, strings.Repeat(" ", indent+len(d.step)), d.literalEOL())
		if ok && p.block && p.entry != nil && !want.plain && y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 && d.restOf(end) {
			text = lit
			if rest := d.text[end:d.lineEnd(end)]; y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && len(rest) > 0 {
				text = strings.Replace(lit, d.eol, string(rest)+d.eol, 1) // the comment stays behind the key
				end = d.lineEnd(end)
			}
		}
	}
	return []cut{{content, end, text}}, nil
}

// rewrites are the cuts that give values and keys another text.
func (d *Document) rewrites(values, keys map[*Node]string) ([]cut, error) {
	var cuts []cut
	var walk func(p place) error
	walk = func(p place) error {
		if p.node.aliased || p.node.y.Kind == yaml.AliasNode {
			return nil
		}
		if text, ok := values[p.node]; ok && text != p.node.Text {
			if p.node.Kind != Scalar {
				return fmt.Errorf("line %d: this is not a single value", p.node.y.Line)
			}
			c, err := d.replace(p, &Node{Kind: Scalar, Text: text})
			if err != nil {
				return err
			}
			cuts = append(cuts, c...)
		}
		for _, item := range p.node.Items {
			if err := walk(d.inside(p, item, nil)); err != nil {
				return err
			}
		}
		for i := range p.node.Entries {
			e := &p.node.Entries[i]
			if text, ok := keys[e.Value]; ok && text != e.Key {
				w, err := d.entry(e.y, e.Value.y)
				if err != nil {
					return err
				}
				if e.y.Kind != yaml.ScalarNode || e.y.Anchor != "" {
					return oddAt(e.y, "this key cannot be renamed in place; change it by hand")
				}
				cuts = append(cuts, cut{w.key, w.keyEnd, keyText(text, e.y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle))})
			}
			if err := walk(d.inside(p, e.Value, e)); err != nil {
				return err
			}
		}
		return nil
	}
	return cuts, walk(place{node: d.root, block: true})
}
