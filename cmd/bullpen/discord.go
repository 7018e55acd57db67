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
	for name, place := range d.Channels {
		// Answers stand in the channel unless the configuration says otherwise.
		set := cfg.Channels[name]
		channels[wake.Fold(name)] = discord.Channel{Place: place, InThread: set.Reply == "thread", Strict: set.Threads == "strict"}
	}
	a, err := discord.New(discord.Options{Token: d.Token.Reveal(), Guild: d.Guild, APIURL: d.APIURL, Channels: channels, Log: log})
	return a, bridge.Access{DM: bridge.DMRule(d.DM), Talk: bridge.TalkRule(d.Talk)}, err
}

// discordAccount is a person's account on Discord, if office.yaml names one.
func discordAccount(a config.Account) (office.Account, bool) {
	return office.Account{Platform: "discord", ID: a.Discord}, a.Discord != ""
}
