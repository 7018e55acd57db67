package bridge

import (
	"maps"
	"sync"

	"bullpen/office"
)

// Channels are the places where an adapter shows the office's channels, with its
// settings for each, by the channel's id. NewChannels makes one; it may be used by
// several goroutines.
type Channels[S any] struct {
	settle func(set S, listed bool, place string) S
	mu     sync.Mutex
	of     map[string]S // is replaced and never altered
}

// NewChannels takes over what office.yaml says at first. settle makes settings that
// name another place, empty for none; listed says that there were settings before.
func NewChannels[S any](of map[string]S, settle func(set S, listed bool, place string) S) *Channels[S] {
	return &Channels[S]{settle: settle, of: maps.Clone(of)}
}

// All are the settings by now. The map is not to be altered.
func (c *Channels[S]) All() map[string]S {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of
}

// Settle takes over that a channel is to be in a place; an empty one: in none.
func (c *Channels[S]) Settle(ch office.ChannelID, place string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replace(map[string]string{string(ch): place})
}

// Follow takes over all places that office.yaml names by now.
func (c *Channels[S]) Follow(places map[office.ChannelID]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := map[string]string{}
	for ch := range c.of {
		now[ch] = ""
	}
	for ch, place := range places {
		now[string(ch)] = place
	}
	c.replace(now)
}

func (c *Channels[S]) replace(places map[string]string) {
	next := maps.Clone(c.of)
	if next == nil {
		next = map[string]S{}
	}
	for ch, place := range places {
		set, listed := next[ch]
		next[ch] = c.settle(set, listed, place)
	}
	c.of = next
}
