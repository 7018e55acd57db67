package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"bullpen/bridge"
	"bullpen/office"
)

var _ bridge.Linker = (*Adapter)(nil)

// settle is what is set for a channel that is to be in another place.
func settle(set Channel, _ bool, place string) Channel {
	set.Place = place
	return set
}

// Locate finds a channel of the server by its id or its name with a # before it.
// See bridge.Linker.
func (a *Adapter) Locate(ctx context.Context, ch office.ChannelID, named string) (bridge.Spot, error) {
	id, err := a.roomCalled(named)
	if err != nil {
		return bridge.Spot{}, err
	}
	var c channel
	err = a.ask(ctx, http.MethodGet, "channels/"+id, nil, &c)
	switch code := codeOf(err); {
	case code == unknownChannel || code == missingAccess:
		return bridge.Spot{}, fmt.Errorf("there is no channel %s on the server that the bot may see; give it the right View Channel there", named)
	case err != nil:
		return bridge.Spot{}, fmt.Errorf("the channel cannot be looked at now: %w", err)
	case c.Guild != "" && c.Guild != a.guild():
		return bridge.Spot{}, errors.New("that channel is on another server")
	case c.thread() || c.Type == guildCategory || c.Type == directMessage:
		return bridge.Spot{}, fmt.Errorf("%s is no text channel and no forum", orElse(c.Name, named))
	}
	a.putRoom(c)
	set := a.channels.All()[string(ch)]
	return bridge.Spot{Place: id, InThread: set.InThread || c.posts(), Strict: set.Strict, Mark: mark(number(c.Last))}, nil
}

func (a *Adapter) roomCalled(named string) (string, error) {
	name, ok := strings.CutPrefix(named, "#")
	if !ok {
		if number(named) == 0 {
			return "", fmt.Errorf("%q is no channel; write its name with a # before it, or its id", named)
		}
		return named, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var found []string
	for _, c := range a.home.rooms {
		if c.Type != guildCategory && c.Type != guildVoice && strings.EqualFold(c.Name, name) {
			found = append(found, c.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("there is no channel %s on the server that the bot can see", named)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("several channels of the server are called %s; type the command in the one that is meant", named)
}

// Settle takes over where a channel is to be shown. See bridge.Linker.
func (a *Adapter) Settle(ch office.ChannelID, place string) (remark string) {
	a.channels.Settle(ch, place)
	if place == "" && a.opt.AutoLink {
		return "auto_link is on, so a channel of that name is linked again when the office connects the next time."
	}
	return ""
}

// Follow takes over all places that office.yaml names by now. See bridge.Linker.
func (a *Adapter) Follow(places map[office.ChannelID]string) {
	a.channels.Follow(places)
	a.later.Do(func(ctx context.Context) {
		if err := a.linkChannels(ctx); err != nil {
			a.log.Warn("the channels could not be linked anew; it is tried again with the next connection", "err", err)
		}
	})
}
