package wake

import (
	"cmp"
	"slices"
	"sort"
)

// maxKey bounds the folded names that a text is searched for, in bytes. It
// keeps the cost of one sign in a text constant whatever people call
// themselves; a colleague's name is far below it.
const maxKey = 512

// class is what an id is the id of. The order is the order of precedence of
// names: the owner's `user` before a colleague, a colleague before a person.
type class int

const (
	colleague class = iota
	person
	channel
	level
)

// Entry is one thing that can be addressed: its id and its name.
type Entry struct {
	ID   string
	Name string
}

// Entries is what a [Directory] is built from.
type Entries struct {
	Colleagues []Entry
	People     []Entry
	// Owner is the id of the person who also answers to the name `user`, whether
	// or not People lists them. Empty: the name `user` means nobody.
	Owner string
	// Channels are the channels that can be addressed: group channels. #general is
	// added with the id [General] if no entry has that name.
	Channels []Entry
}

// Directory knows every name that can be addressed in one office. It is
// immutable and safe for concurrent use. A nil Directory knows no names but the
// levels and #general.
type Directory struct {
	at, channels index
	names        map[target]string
}

// levelIndex finds the levels; they are the same in every office.
var levelIndex = newIndex(levelEntries())

func levelEntries() []named {
	var all []named
	for _, l := range levels {
		all = append(all, named{target{level, l}, l, 0})
	}
	return all
}

// empty stands in for a nil Directory.
var empty = NewDirectory(Entries{})

// NewDirectory builds a directory in O(n log n). Entries without an id or a name
// are left out. Where two entries have one name, `user` belongs to the owner and
// a colleague goes before a person; two colleagues or two people of one name are
// kept, and addressing them by it is refused with [Ambiguous].
func NewDirectory(e Entries) *Directory {
	d := &Directory{names: make(map[target]string)}
	var at, channels []named
	if e.Owner != "" {
		at = append(at, named{target{person, e.Owner}, User, 0})
	}
	at = d.add(at, colleague, 1, e.Colleagues)
	at = d.add(at, person, 2, e.People)
	channels = d.add(channels, channel, 0, e.Channels)
	channels = append(channels, named{target{channel, General}, General, 1})
	d.at, d.channels = newIndex(at), newIndex(channels)
	if owner := (target{person, e.Owner}); e.Owner != "" && d.names[owner] == "" {
		d.names[owner] = User
	}
	return d
}

// add notes the names of entries and appends them to all.
func (d *Directory) add(all []named, c class, precedence int, entries []Entry) []named {
	for _, e := range entries {
		name := Canonical(e.Name)
		if e.ID == "" || name == "" {
			continue
		}
		t := target{c, e.ID}
		d.names[t] = name
		all = append(all, named{t, name, precedence})
	}
	return all
}

// index returns the names that may follow a sign.
func (d *Directory) index(sign byte) index {
	if d == nil {
		d = empty
	}
	switch sign {
	case '@':
		return d.at
	case '$':
		return levelIndex
	default:
		return d.channels
	}
}

// token writes the address of one target; see [Wake.Address].
func (d *Directory) token(c class, id string) string {
	name := id
	if d != nil {
		name = cmp.Or(d.names[target{c, id}], id)
	}
	if checkCharacters(name) != nil {
		name = quote(name)
	}
	return string(c.sign()) + name
}

func (c class) sign() byte {
	switch c {
	case channel:
		return '#'
	case level:
		return '$'
	default:
		return '@'
	}
}

// named is a target under one of its names.
type named struct {
	target     target
	name       string
	precedence int // where names clash, the lowest wins
}

// index finds names by their folded keys. Its keys are sorted and unique;
// targets[i] are those that share keys[i] and its precedence, one as a rule.
type index struct {
	keys    []string
	targets [][]target
}

func newIndex(all []named) index {
	type keyed struct {
		named
		key string
	}
	sorted := make([]keyed, 0, len(all))
	for _, n := range all {
		if key := Fold(n.name); len(key) <= maxKey {
			sorted = append(sorted, keyed{n, key})
		}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.precedence, b.precedence))
	})
	var x index
	winner := 0 // the precedence that holds the newest key
	for _, n := range sorted {
		last := len(x.keys) - 1
		switch {
		case last < 0 || x.keys[last] != n.key:
			x.keys = append(x.keys, n.key)
			x.targets = append(x.targets, []target{n.target})
			winner = n.precedence
		case n.precedence == winner && !slices.Contains(x.targets[last], n.target):
			x.targets[last] = append(x.targets[last], n.target)
		}
	}
	return x
}

// find returns the targets whose name folds to key.
func (x index) find(key string) []target {
	i, ok := slices.BinarySearch(x.keys, key)
	if !ok {
		return nil
	}
	return x.targets[i]
}

// longest returns the targets with the longest name that text starts with and
// that ends where ends allows it, and the length of that name in text. It
// narrows the sorted keys segment by segment, and so looks at no more of the
// text than the names have in common with it.
func (x index) longest(text string, ends func(n int) bool) (found []target, length int) {
	var buf [maxKey]byte
	prefix := buf[:0]
	lo, hi := 0, len(x.keys)
	for pos := 0; pos < len(text); {
		var n int
		depth := len(prefix)
		prefix, n = appendFolded(prefix, text[pos:])
		pos += n
		lo, hi = x.narrow(lo, hi, depth, prefix)
		if lo == hi {
			break
		}
		if len(x.keys[lo]) == len(prefix) && ends(pos) {
			found, length = x.targets[lo], pos
		}
	}
	return found, length
}

// narrow returns the part of keys[lo:hi], all of which share prefix[:depth],
// that shares the whole of prefix.
func (x index) narrow(lo, hi, depth int, prefix []byte) (int, int) {
	rest := prefix[depth:]
	from := lo + sort.Search(hi-lo, func(i int) bool {
		return x.keys[lo+i][depth:] >= string(rest)
	})
	to := from + sort.Search(hi-from, func(i int) bool {
		tail := x.keys[from+i][depth:]
		return len(tail) < len(rest) || tail[:len(rest)] != string(rest)
	})
	return from, to
}
