package telegram

import (
	"context"
	"errors"
	"fmt"
	"maps"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
	"bullpen/office"
)

var _ bridge.Linker = (*Adapter)(nil)

// channels are the places of the office's channels. The map is replaced and never
// altered.
func (a *Adapter) channels() map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.opt.Channels
}

// Locate finds a group, or a topic in one, that the bot is in, by its id. See
// bridge.Linker.
func (a *Adapter) Locate(ctx context.Context, _ office.ChannelID, named string) (bridge.Spot, error) {
	p, err := parsePlace(named)
	switch {
	case err != nil:
		return bridge.Spot{}, fmt.Errorf("%w; or type the command in the group itself", err)
	case p.chat > 0:
		return bridge.Spot{}, errors.New("a private chat cannot be linked; use a group")
	}
	var is chat
	err = a.ask(ctx, "getChat", tg.Params{"chat_id": itoa(a.target(p))}, &is)
	if e := (*callError)(nil); errors.As(err, &e) && e.answered() && tokenFault(err) == nil {
		return bridge.Spot{}, fmt.Errorf("the bot is in no chat %s; add @%s to it", p, a.self().Username)
	}
	if err != nil {
		return bridge.Spot{}, fmt.Errorf("the chat cannot be looked at now: %w", err)
	}
	return bridge.Spot{Place: p.String()}, nil
}

// Settle takes over where a channel is to be shown. See bridge.Linker.
func (a *Adapter) Settle(ch office.ChannelID, place string) (remark string) {
	a.mu.Lock()
	next := maps.Clone(a.opt.Channels)
	if next == nil {
		next = map[string]string{}
	}
	if next[string(ch)] = place; place == "" {
		delete(next, string(ch))
	}
	a.opt.Channels = next
	hears := a.me != nil && a.me.ReadsAll
	a.mu.Unlock()
	if place != "" && !hears {
		return "Privacy mode is on: unless the bot is an admin there it sees only commands, mentions and replies; /setprivacy at BotFather switches that off."
	}
	return ""
}

// Follow takes over all places that office.yaml names by now. See bridge.Linker.
func (a *Adapter) Follow(places map[office.ChannelID]string) {
	for ch := range a.channels() {
		if _, named := places[office.ChannelID(ch)]; !named {
			a.Settle(office.ChannelID(ch), "")
		}
	}
	for ch, place := range places {
		p, err := parsePlace(place)
		if err != nil {
			a.log.Warn("a place cannot be linked", "channel", ch, "err", err)
			continue
		}
		a.Settle(ch, p.String())
	}
	a.later.Do(func(ctx context.Context) {
		if err := a.linkChannels(ctx); err != nil {
			a.log.Warn("the channels could not be linked anew; it is tried again with the next connection", "err", err)
		}
	})
}
