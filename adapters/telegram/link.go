package telegram

import (
	"context"
	"errors"
	"fmt"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
	"bullpen/office"
)

var _ bridge.Linker = (*Adapter)(nil)

// settle is where a channel is to be from now on; empty is nowhere.
func settle(old string, _ bool, place string) string {
	if place == "" {
		return ""
	}
	p, err := parsePlace(place)
	if err != nil {
		return old // the configuration lets none through
	}
	return p.String()
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
	a.channels.Settle(ch, place)
	if place != "" && !a.self().ReadsAll {
		return "Privacy mode is on: unless the bot is an admin there it sees only commands, mentions and replies; /setprivacy at BotFather switches that off."
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
