package main

import (
	"log/slog"

	"bullpen/adapters/discord"
	"bullpen/bridge"
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/wake"
)

// discordAdapter makes the adapter of the office's Discord server, and the rules
// of who may talk there; nil where the office is on none. The error says what is
// wrong with the configuration.
func discordAdapter(cfg *config.Config, log *slog.Logger) (*discord.Adapter, bridge.Access, error) {
	d := cfg.Discord
	if d == nil {
		return nil, bridge.Access{}, nil
	}
	channels := map[string]discord.Channel{}
	for name, set := range cfg.Channels {
		channels[wake.Fold(name)] = discordChannel(set, "")
	}
	for name, place := range d.Channels {
		channels[wake.Fold(name)] = discordChannel(cfg.Channels[name], place)
	}
	a, err := discord.New(discord.Options{
		Token: d.Token.Reveal(), Guild: d.Guild, APIURL: d.APIURL, Unpaced: d.Unpaced, Channels: channels, AutoLink: d.AutoLink, Whole: !d.Stream, Log: log,
	})
	return a, bridge.Access{DM: bridge.DMRule(d.DM), Talk: bridge.TalkRule(d.Talk)}, err
}

// discordChannel is how a channel is shown on Discord: answers stand in the channel
// unless the configuration says otherwise.
func discordChannel(set config.Channel, place string) discord.Channel {
	return discord.Channel{Place: place, InThread: set.Reply == "thread", Strict: set.Threads == "strict"}
}

// discordAccount is a person's account on Discord, if office.yaml names one.
func discordAccount(a config.Account) (office.Account, bool) {
	return office.Account{Platform: "discord", ID: a.Discord}, a.Discord != ""
}
