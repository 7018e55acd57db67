package config

import (
	"fmt"
	"strings"

	"bullpen/office/wake"
)

// roll is the names of one kind of thing in the order of the file, found
// whatever their case. It also knows those whose settings have problems, so that
// a reference to one is not a second mistake.
type roll struct {
	what  string // colleague, person, channel
	names []string
	byKey map[string]int
}

// enrol takes the entries of a block into a roll. What has a bad name or the
// name of another is noted and left out; the rest is returned with its name in
// its canonical form.
func (c *checker) enrol(r *roll, n *node, allowed func(string) error) []entry {
	if n == nil {
		return nil
	}
	var good []entry
	first := make(map[string]place)
	for _, e := range n.entries {
		name := wake.Canonical(e.key)
		if looksSecret(name) {
			c.problem(e.at, e.value.path, "this looks like a secret and cannot be a name (what is here is not shown)", "put secrets into the file .env beside this one")
			continue
		}
		if err := allowed(name); err != nil {
			c.problem(e.at, e.value.path, err.Error(), "")
			continue
		}
		key := wake.Fold(name)
		if before, taken := first[key]; taken {
			c.problem(e.at, e.value.path, fmt.Sprintf("the name is that of the %s on line %d, %q",
				r.what, before.line, r.names[r.byKey[key]]), "choose another: capitals make no difference")
			continue
		}
		first[key] = e.at
		r.add(name)
		good = append(good, entry{name, e.at, e.value})
	}
	return good
}

func (r *roll) add(name string) {
	if r.byKey == nil {
		r.byKey = make(map[string]int)
	}
	r.byKey[wake.Fold(name)] = len(r.names)
	r.names = append(r.names, name)
}

// find returns a name as it was declared.
func (r *roll) find(name string) (string, bool) {
	i, ok := r.byKey[wake.Fold(wake.Canonical(name))]
	if !ok {
		return "", false
	}
	return r.names[i], true
}

// refer looks up whom or what a node names; empty, with a problem, if there is
// nobody of that name.
func (c *checker) refer(r *roll, n *node) string {
	if n == nil || n.bad {
		return ""
	}
	if name, ok := r.find(n.text); ok {
		return name
	}
	c.wrong(n, fmt.Sprintf("no %s is called %s", r.what, c.shown(n)), r.advise(n.text))
	return ""
}

// advise says whom one could have meant.
func (r *roll) advise(name string) string {
	if near := wake.Nearest(name, r.names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(r.names) == 0 {
		return "none is declared"
	}
	const most = 10
	if len(r.names) > most {
		return fmt.Sprintf("there are %s and %d more", strings.Join(r.names[:most], ", "), len(r.names)-most)
	}
	return "there is " + strings.Join(r.names, ", ")
}

// references looks up every item of a list, each once.
func (c *checker) references(r *roll, n *node) []string {
	var names []string
	seen := make(map[string]bool)
	for _, item := range n.all() {
		if name := c.refer(r, item); name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
