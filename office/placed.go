package office

import (
	"cmp"
	"slices"
	"sync"
)

// placedMost is how many messages' places are remembered.
const placedMost = 1024

// placed remembers what platforms call the newest messages, which is asked for once
// more when they are answered. Of a message that is in it, it knows all that the record
// does. The zero value is empty; it may be used from any goroutine.
type placed struct {
	mu   sync.Mutex
	of   map[Anchor][]Native
	by   map[string]Anchor // of what is in it, by nativeKey
	ring [placedMost]Anchor
	next int
}

// find lists a message's places, as the record would.
func (p *placed) find(a Anchor) ([]Native, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all, ok := p.of[a]
	return slices.Clone(all), ok
}

// clear forgets everything: the record is somebody else's, or read afresh.
func (p *placed) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of, p.by = nil, nil
}

// follow takes in what was committed, with the messages that were new in it.
func (p *placed) follow(posted []*Message, changes []Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range posted {
		p.begin(m.Anchor())
	}
	for _, c := range changes {
		switch c := c.(type) {
		case PutNative:
			p.put(c.Native)
		case DropNative:
			p.drop(p.by[nativeKey(c.Native.Portal, c.Native.ID)])
		case DropMessage:
			p.drop(Anchor{Channel: c.Channel, Seq: c.Seq})
		}
	}
}

func (p *placed) begin(a Anchor) {
	if p.of == nil {
		p.of, p.by = map[Anchor][]Native{}, map[string]Anchor{}
	}
	p.drop(p.ring[p.next])
	p.ring[p.next] = a
	p.next = (p.next + 1) % placedMost
	p.of[a] = []Native{}
}

// put notes a place. A name can move from one message to another.
func (p *placed) put(n Native) {
	key := nativeKey(n.Portal, n.ID)
	if before, ok := p.by[key]; ok && before != n.Anchor {
		p.drop(before)
	}
	all, ok := p.of[n.Anchor]
	if !ok {
		return
	}
	all = slices.DeleteFunc(all, func(x Native) bool { return x.Portal == n.Portal && x.ID == n.ID })
	all = append(all, n)
	slices.SortFunc(all, func(a, b Native) int {
		return cmp.Or(cmp.Compare(a.Portal, b.Portal), cmp.Compare(a.Part, b.Part), cmp.Compare(a.ID, b.ID))
	})
	p.of[n.Anchor], p.by[key] = all, n.Anchor
}

// drop forgets a message; the record is asked for it from then on.
func (p *placed) drop(a Anchor) {
	for _, n := range p.of[a] {
		delete(p.by, nativeKey(n.Portal, n.ID))
	}
	delete(p.of, a)
}
