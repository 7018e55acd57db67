package bridge

import (
	"maps"
	"slices"
	"sync"
)

// Problems are what a person should mend about a platform: a sentence each, by a
// key of its own. The zero value is ready; it may be used by several goroutines.
type Problems struct {
	mu   sync.Mutex
	said map[string]string
}

// Tell remembers a sentence and tells whoever sits at the console; an empty one
// forgets it. It says whether the connection's state reads differently now. Without
// a bridge the sentence is only remembered.
func (p *Problems) Tell(b *Bridge, platform, key, sentence string) (changed bool) {
	p.mu.Lock()
	old := p.said[key]
	switch {
	case sentence == "":
		delete(p.said, key)
	case p.said == nil:
		p.said = map[string]string{key: sentence}
	default:
		p.said[key] = sentence
	}
	p.mu.Unlock()
	if sentence == old || b == nil {
		return false
	}
	if sentence != "" {
		b.Notice(platform + ": " + sentence)
	}
	return true
}

// All lists the sentences, by key.
func (p *Problems) All() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, key := range slices.Sorted(maps.Keys(p.said)) {
		all = append(all, p.said[key])
	}
	return all
}
