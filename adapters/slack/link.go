package slack

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"bullpen/bridge"
	"bullpen/office"
)

var _ bridge.Linker = (*Adapter)(nil)

// settle is what is set for a channel that is to be in another place. One that
// office.yaml said nothing of answers in threads.
func settle(set Channel, listed bool, place string) Channel {
	set.Place, set.InThread = place, set.InThread || !listed
	return set
}

// Locate finds a channel that the bot is in, by its id or its name with a # before
// it. See bridge.Linker.
func (a *Adapter) Locate(ctx context.Context, ch office.ChannelID, named string) (bridge.Spot, error) {
	room, err := a.roomCalled(ctx, named)
	if err != nil {
		return bridge.Spot{}, err
	}
	invite := "type /invite @" + a.self().Name + " there first"
	switch {
	case room.IsIM:
		return bridge.Spot{}, errors.New("a direct message cannot be linked; name a channel")
	case room.IsArchived:
		return bridge.Spot{}, fmt.Errorf("#%s is archived", room.Name)
	case !room.IsMember && !room.IsMpIM: // of those it sees only its own
		return bridge.Spot{}, fmt.Errorf("the bot is not in #%s; %s", room.Name, invite)
	}
	set, listed := a.channels.All()[string(ch)]
	return bridge.Spot{Place: room.ID, InThread: set.InThread || !listed, Strict: set.Strict, Mark: stamp(a.now())}, nil
}

func (a *Adapter) roomCalled(ctx context.Context, named string) (*slack.Channel, error) {
	if name, ok := strings.CutPrefix(named, "#"); ok {
		rooms, err := a.list(ctx, true)
		if err != nil {
			return nil, fmt.Errorf("the channels cannot be asked for now: %w", err)
		}
		for i := range rooms {
			if strings.EqualFold(rooms[i].Name, name) {
				rooms[i].IsMember = true
				return &rooms[i], nil
			}
		}
		return nil, fmt.Errorf("the bot is in no channel %s; type /invite @%s there first", named, a.self().Name)
	}
	var room *slack.Channel
	err := a.ask(ctx, "conversations.info", func(ctx context.Context) (err error) {
		room, err = a.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: named})
		return err
	})
	if code := codeOf(err); code == "channel_not_found" {
		return nil, fmt.Errorf("there is no channel %s that the bot can see; if it is private, type /invite @%s there first", named, a.self().Name)
	}
	return room, err
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
			a.log.Warn("the channels could not be linked anew; it is tried again with the next connection", "err", a.scrub.Error(err))
		}
	})
}
