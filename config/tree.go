package config

import (
	"fmt"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"
)

// kind says what a node of the file is.
type kind int

const (
	null   kind = iota // nothing was written
	scalar             // one value
	list
	block // keys and values
)

// a names a kind in a sentence.
func (k kind) a() string {
	return [...]string{"nothing", "a single value", "a list", "a block of keys"}[k]
}

// place is a line and a column of office.yaml, both from 1.
type place struct{ line, column int }

// node is one value of office.yaml, with aliases followed and merge keys
// merged. After it was checked, its fields hold what the table says it is.
type node struct {
	kind    kind
	at      place
	path    string // agents.coder.model
	entries []entry
	items   []*node

	// text is a scalar as it is written in the file, so that an id keeps its
	// digits; checking puts the value of its variable in its place.
	text string
	// variable is the one that text came from; such a text is not to be shown.
	variable string
	// bad nodes have a problem, or are ignored, and are not used.
	bad bool

	whole int64 // a count, a flag (0 or 1), a duration in ns, an amount of money
}

// entry is one key of a block with its value.
type entry struct {
	key   string
	at    place // of the key
	value *node
}

// get follows keys down from n; nil if there is nothing of use.
func (n *node) get(keys ...string) *node {
	for _, key := range keys {
		if n = n.find(key); n == nil {
			return nil
		}
	}
	return n
}

func (n *node) find(key string) *node {
	if n == nil || n.bad {
		return nil
	}
	for _, e := range n.entries {
		if e.key == key && e.value.kind != null && !e.value.bad {
			return e.value
		}
	}
	return nil
}

// entry is a key of a block, whatever its value.
func (n *node) entry(key string) (entry, bool) {
	if n != nil && !n.bad {
		for _, e := range n.entries {
			if e.key == key {
				return e, true
			}
		}
	}
	return entry{}, false
}

// lacks reports whether a block does not have a key, or has it without a value.
// A value with a problem is there.
func (n *node) lacks(key string) bool {
	e, ok := n.entry(key)
	return !ok || e.value.kind == null && !e.value.bad
}

// str is the text of a scalar, or "".
func (n *node) str() string {
	if n == nil || n.bad {
		return ""
	}
	return n.text
}

// or is the text of a scalar, or other where there is none.
func (n *node) or(other string) string {
	if s := n.str(); s != "" {
		return s
	}
	return other
}

// num is a whole number, or 0.
func (n *node) num() int64 {
	if n == nil || n.bad {
		return 0
	}
	return n.whole
}

// all are the items of a list that are of use.
func (n *node) all() []*node {
	var good []*node
	if n == nil || n.bad {
		return nil
	}
	for _, item := range n.items {
		if !item.bad && item.kind == scalar {
			good = append(good, item)
		}
	}
	return good
}

// keys are the entries of a block, of use or not.
func (n *node) keys() []entry {
	if n == nil {
		return nil
	}
	return n.entries
}

// The bounds of a file's tree. Aliases make a short file a huge tree.
const (
	maxNodes = 100_000
	maxDepth = 64
)

// planter makes the tree.
type planter struct {
	*checker
	nodes, depth int
	open         map[*yaml.Node]bool // aliases that are being followed
	full         bool
}

// plant makes a node of y. around is the place of what holds it, for a node that
// has none.
func (p *planter) plant(y *yaml.Node, path string, around place) *node {
	n := &node{at: placed(y, around), path: path}
	if p.nodes++; p.nodes > maxNodes || p.depth >= maxDepth {
		return p.overflow(n)
	}
	p.depth++
	defer func() { p.depth-- }()
	switch y.Kind {
	case yaml.AliasNode:
		return p.alias(n, y)
	case yaml.SequenceNode:
		n.kind = list
		for i, item := range y.Content {
			n.items = append(n.items, p.plant(item, path+"["+strconv.Itoa(i)+"]", n.at))
		}
	case yaml.MappingNode:
		n.kind = block
		p.block(n, y)
	default:
		if y.ShortTag() != "!!null" {
			n.kind, n.text = scalar, y.Value
		}
	}
	return n
}

func placed(y *yaml.Node, around place) place {
	if y.Line < 1 || y.Column < 1 {
		return around
	}
	return place{y.Line, y.Column}
}

// overflow refuses, once, a tree that is too large.
func (p *planter) overflow(n *node) *node {
	n.bad = true
	if !p.full {
		p.full = true
		what, mend := "this is nested too deeply", "an office needs a few levels only"
		if p.nodes > maxNodes {
			what, mend = "the file holds too many values once its aliases are followed", "write them out, or use fewer"
		}
		p.problem(n.at, n.path, what, mend)
	}
	return n
}

// alias plants what an alias stands for, in its own place in the file.
func (p *planter) alias(n *node, y *yaml.Node) *node {
	if y.Alias == nil || p.open[y.Alias] || len(p.open) >= maxDepth {
		n.bad = true
		p.problem(n.at, n.path, fmt.Sprintf("the alias *%s stands inside what it stands for", bounded(y.Value)), "write it out")
		return n
	}
	if p.open == nil {
		p.open = make(map[*yaml.Node]bool)
	}
	p.open[y.Alias] = true
	defer delete(p.open, y.Alias)
	return p.plant(y.Alias, n.path, n.at)
}

// block plants keys and values. A key that is there twice is refused; what a
// merge key (<<) brings stands back behind what is written.
func (p *planter) block(n *node, y *yaml.Node) {
	first := make(map[string]place)
	var merges []*yaml.Node
	for i := 0; i+1 < len(y.Content) && !p.full; i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		at := placed(k, n.at)
		if k.Kind == yaml.AliasNode && k.Alias != nil {
			k = k.Alias
		}
		switch before, again := first[k.Value]; {
		case k.Kind != yaml.ScalarNode:
			p.problem(at, n.path, "a key must be one word, not a list or a block", "quote it if it begins with [, {, * or ?")
		case k.ShortTag() == "!!merge":
			merges = append(merges, v)
		case again:
			p.problem(at, join(n.path, k.Value), fmt.Sprintf("this key is there twice, first on line %d", before.line), "keep one of them")
		default:
			first[k.Value] = at
			n.entries = append(n.entries, entry{k.Value, at, p.plant(v, join(n.path, k.Value), at)})
		}
	}
	for _, m := range merges {
		p.merge(n, m)
	}
}

// merge adds the entries of a block, or of each in a list of blocks, that n has
// not yet.
func (p *planter) merge(n *node, y *yaml.Node) {
	sources := []*yaml.Node{y}
	if y.Kind == yaml.SequenceNode {
		sources = y.Content
	}
	for _, source := range sources {
		s := p.plant(source, n.path, n.at)
		if s.bad {
			continue
		}
		if s.kind != block {
			p.problem(s.at, n.path, "<< merges blocks of keys, and this is "+s.kind.a(), "give it an alias of a block")
			continue
		}
		have := make(map[string]bool, len(n.entries))
		for _, e := range n.entries {
			have[e.key] = true
		}
		for _, e := range s.entries {
			if !have[e.key] {
				n.entries = append(n.entries, e)
			}
		}
	}
}

var plainKey = regexp.MustCompile(`^[\p{L}\p{M}\p{N}_-]+$`)

// join adds a key to a path, quoted if it would not be read as one key.
func join(path, key string) string {
	if key = bounded(key); !plainKey.MatchString(key) {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
