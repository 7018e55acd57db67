package inplace

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Kind says what a Node is.
type Kind int

// The kinds of nodes.
const (
	Null Kind = iota
	Scalar
	List
	Block // keys and values, in whichever style
)

// Node is one value of a document. Aliases are followed: what an alias stands
// for is there once more. A merge key is an entry like any other, with the key
// "<<".
type Node struct {
	Kind    Kind
	Text    string // of a Scalar, without its quotes
	Entries []Entry
	Items   []*Node

	y *yaml.Node // nil in a value that is to be written
	// plain says that a value to be written is a number or a flag.
	plain bool
	// aliased nodes stand somewhere else in the text.
	aliased bool
}

// Entry is one key of a Block.
type Entry struct {
	Key   string
	Value *Node

	y *yaml.Node // the key
}

// Map is a Block to be written, its keys in order.
type Map []Pair

// Pair is one key of a Map with its value, of the types that [Document.Set]
// takes.
type Pair struct {
	Key   string
	Value any
}

// Get follows keys down from n; nil if there is nothing.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		if n = n.child(key); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) child(key string) *Node {
	if i := n.index(key); i >= 0 {
		return n.Entries[i].Value
	}
	return nil
}

func (n *Node) index(key string) int {
	if n == nil {
		return -1
	}
	return slices.IndexFunc(n.Entries, func(e Entry) bool { return e.Key == key })
}

// merges are what merge keys bring into a block.
func (n *Node) merges() []*Node {
	var all []*Node
	for _, e := range n.Entries {
		if e.Key != "<<" {
			continue
		}
		if all = append(all, e.Value); e.Value.Kind == List {
			all = append(all[:len(all)-1], e.Value.Items...)
		}
	}
	return all
}

// merged reports whether a block has a key through a merge key.
func (n *Node) merged(key string) bool {
	for _, m := range n.merges() {
		if m.index(key) >= 0 || m.merged(key) {
			return true
		}
	}
	return false
}

// clone copies a tree, so that the copy can be changed. to, if it is not nil,
// learns the copy of each node.
func (n *Node) clone(to map[*Node]*Node) *Node {
	c := *n
	c.Entries, c.Items = slices.Clone(n.Entries), slices.Clone(n.Items)
	for i := range c.Entries {
		c.Entries[i].Value = c.Entries[i].Value.clone(to)
	}
	for i := range c.Items {
		c.Items[i] = c.Items[i].clone(to)
	}
	if to != nil {
		to[n] = &c
	}
	return &c
}

// equal compares what two trees say, in their order.
func equal(a, b *Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text &&
		slices.EqualFunc(a.Items, b.Items, equal) &&
		slices.EqualFunc(a.Entries, b.Entries, func(x, y Entry) bool { return x.Key == y.Key && equal(x.Value, y.Value) })
}

// The bounds of a tree; aliases make a short text a large one.
const (
	maxNodes = 200_000
	maxDepth = 100
)

var errTooLarge = errors.New("the text is too large or too deep once its aliases are followed")

// planter makes Nodes of what was parsed.
type planter struct {
	nodes    int
	literals bool // there was a text behind | or >
}

func (p *planter) plant(y *yaml.Node, aliased bool, depth int) (*Node, error) {
	if p.nodes++; p.nodes > maxNodes || depth > maxDepth {
		return nil, errTooLarge
	}
	if y.Kind == yaml.AliasNode {
		n, err := p.plant(y.Alias, true, depth+1)
		if n != nil && !aliased {
			n.y = y // where the alias stands
		}
		return n, err
	}
	p.literals = p.literals || y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	n := &Node{y: y, aliased: aliased}
	switch y.Kind {
	case yaml.SequenceNode:
		n.Kind = List
		for _, item := range y.Content {
			v, err := p.plant(item, aliased, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, v)
		}
	case yaml.MappingNode:
		n.Kind = Block
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := y.Content[i]
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: a key is not one word", key.Line)
			}
			v, err := p.plant(y.Content[i+1], aliased, depth+1)
			if err != nil {
				return nil, err
			}
			if n.index(key.Value) >= 0 {
				return nil, fmt.Errorf("line %d: the key %q is there twice", key.Line, key.Value)
			}
			n.Entries = append(n.Entries, Entry{key.Value, v, key})
		}
	default:
		if y.ShortTag() != "!!null" {
			n.Kind, n.Text = Scalar, y.Value
		}
	}
	return n, nil
}

// value makes a Node of a Go value.
func value(v any) (*Node, error) {
	switch v := v.(type) {
	case nil:
		return &Node{}, nil
	case string:
		return &Node{Kind: Scalar, Text: v}, nil
	case bool:
		return plain(strconv.FormatBool(v)), nil
	case int:
		return plain(strconv.Itoa(v)), nil
	case int64:
		return plain(strconv.FormatInt(v, 10)), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is no number that can be written", v)
		}
		return plain(strconv.FormatFloat(v, 'f', -1, 64)), nil
	case time.Duration:
		return &Node{Kind: Scalar, Text: short(v)}, nil
	case []string:
		return listOf(v)
	case []any:
		return listOf(v)
	case Map:
		return blockOf(v)
	case map[string]any:
		var m Map
		for _, key := range slices.Sorted(maps.Keys(v)) {
			m = append(m, Pair{key, v[key]})
		}
		return blockOf(m)
	}
	return nil, fmt.Errorf("a value of type %T cannot be written", v)
}

func plain(text string) *Node { return &Node{Kind: Scalar, Text: text, plain: true} }

// short writes a duration as a person would: 1h, not 1h0m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func listOf[T any](items []T) (*Node, error) {
	n := &Node{Kind: List}
	for _, item := range items {
		v, err := value(item)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, v)
	}
	return n, nil
}

func blockOf(m Map) (*Node, error) {
	n := &Node{Kind: Block}
	for _, p := range m {
		v, err := value(p.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Key, err)
		}
		n.Entries = append(n.Entries, Entry{Key: p.Key, Value: v})
	}
	return n, nil
}
