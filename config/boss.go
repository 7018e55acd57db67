package config

import (
	"bullpen/office"
	"bullpen/office/wake"
)

// readBoss reads who runs the office for whom: for the owner, if nobody is named.
func (r *reader) readBoss() {
	e, ok := r.root.get("office").entry("boss")
	if !ok || e.value.bad {
		return
	}
	e.key = "the boss"
	b := &office.BossSetup{}
	b.Model, b.Fallback = r.models(e)
	named := e.value.get("people")
	for _, item := range named.all() {
		if id := r.bossFor(item); id != "" {
			b.People = append(b.People, id)
		}
	}
	switch {
	case named == nil:
		for _, p := range r.cfg.Setup.People {
			if p.Owner {
				b.People = []office.PersonID{p.ID}
			}
		}
	case len(named.items) == 0:
		r.wrong(named, "the boss works for nobody", "name somebody, or leave people out: then it works for the owner")
	}
	r.cfg.Setup.Boss = b
}

// bossFor is a person whom the boss works for; the owner of an office without
// people is called user.
func (r *reader) bossFor(n *node) office.PersonID {
	if same(n.text, wake.User) {
		for _, p := range r.cfg.Setup.People {
			if p.Owner {
				return p.ID
			}
		}
	}
	return office.PersonID(r.refer(&r.people, n))
}
