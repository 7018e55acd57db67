package config

// linkWords are how problems speak of the places that a platform links.
type linkWords struct {
	what    string // a place of the platform's
	example string // what to write where one is missing
	once    string // what to do where one is linked twice
}

// links reads which channel of the office is which place of a platform's: each is
// linked once.
func (r *reader) links(n *node, say linkWords) map[string]string {
	links, taken := make(map[string]string), make(map[string]string)
	if n == nil {
		return links
	}
	for _, e := range n.entries {
		name, ok := r.channels.find(e.key)
		if !ok {
			r.problem(e.at, e.value.path, "no channel of the office has this name", r.channels.advise(e.key))
			continue
		}
		place := e.value.str()
		switch other := taken[place]; {
		case e.value.kind == null:
			r.problem(e.at, e.value.path, "the "+say.what+" is missing", say.example)
		case e.value.bad:
		case other != "":
			r.wrong(e.value, "this "+say.what+" is linked to "+other+" already", say.once)
		case links[name] != "":
			r.problem(e.at, e.value.path, "the channel "+name+" is linked above", "link each channel once")
		default:
			links[name], taken[place] = place, name
		}
	}
	return links
}
