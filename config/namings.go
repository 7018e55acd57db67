package config

import (
	"slices"
	"strings"

	"bullpen/config/inplace"
	"bullpen/office/wake"
)

// naming is a place of the file that names something.
type naming struct {
	to   ref
	text string
	node *inplace.Node // the value, or that of the key
	key  bool
	path []string // of the key, or of the list or key that the value is in
	list *inplace.Node
}

// namings finds every place that names something, as the table says.
func namings(n *inplace.Node, f *field, path []string, found func(naming)) {
	switch f.is {
	case aBlock:
		for _, e := range n.Entries {
			sub := fieldOf(f.fields, e.Key)
			if e.Key == "<<" {
				sub = f
			}
			if sub != nil {
				namings(e.Value, sub, below(path, e.Key), found)
			}
		}
	case aMap:
		for _, e := range n.Entries {
			if e.Key != "<<" && f.keys != toNothing {
				found(naming{to: f.keys, text: e.Key, node: e.Value, key: true, path: below(path, e.Key)})
			}
			if e.Key == "<<" {
				namings(e.Value, f, below(path, e.Key), found)
				continue
			}
			namings(e.Value, f.each, below(path, e.Key), found)
		}
	case aList:
		for _, item := range n.Items {
			if f.each.names != toNothing {
				found(naming{to: f.each.names, text: item.Text, node: item, path: path, list: n})
			}
		}
	default:
		if f.names != toNothing && n.Kind == inplace.Scalar {
			found(naming{to: f.names, text: n.Text, node: n, path: path})
		}
	}
}

func below(path []string, key string) []string { return append(slices.Clone(path), key) }

// same reports whether two names are one.
func same(a, b string) bool {
	return wake.Fold(wake.Canonical(a)) == wake.Fold(wake.Canonical(b))
}

// nameIn is the name that a reference holds; of a wake entry, what follows its
// sign, if that is the one for what is asked about.
func (r naming) nameIn(to ref) (name string, ok bool) {
	if r.to == to {
		return r.text, true
	}
	if r.to != toAudience {
		return "", false
	}
	signs := map[ref][]string{toColleague: {"@", "＠"}, toPerson: {"@", "＠"}, toChannel: {"#", "＃"}}
	for _, sign := range signs[to] {
		if rest, found := strings.CutPrefix(strings.TrimSpace(r.text), sign); found {
			return rest, true
		}
	}
	return "", false
}

// named are the references to one thing.
func named(doc *inplace.Document, to ref, name string) []naming {
	var all []naming
	namings(doc.Root(), &schema, nil, func(r naming) {
		if n, ok := r.nameIn(to); ok && same(n, name) {
			all = append(all, r)
		}
	})
	return all
}

// declared is the key of a block that has a name, however it is written.
func declared(n *inplace.Node, name string) (key string, found bool) {
	if n != nil {
		for _, e := range n.Entries {
			if e.Key != "<<" && same(e.Key, name) {
				return e.Key, true
			}
		}
	}
	return name, false
}
