package main

import (
	"log/slog"

	"bullpen/adapters/slack"
	"bullpen/bridge"
	"bullpen/config"
	"bullpen/office/wake"
)

// slackAdapter makes the adapter of the office's Slack workspace, and the rules
// of who may talk there; nil where the office is in none. The error says what is
// wrong with the configuration.
func slackAdapter(cfg *config.Config, log *slog.Logger) (*slack.Adapter, bridge.Access, error) {
	s := cfg.Slack
	if s == nil {
		return nil, bridge.Access{}, nil
	}
	channels := map[string]slack.Channel{}
	for name, set := range cfg.Channels {
		channels[wake.Fold(name)] = slackChannel(set, "")
	}
	for name, place := range s.Channels {
		channels[wake.Fold(name)] = slackChannel(cfg.Channels[name], place)
	}
	a, err := slack.New(slack.Options{
		AppToken: s.AppToken.Reveal(), BotToken: s.BotToken.Reveal(), APIURL: s.APIURL, Unpaced: s.Unpaced,
		Channels: channels, AutoLink: s.AutoLink, Whole: !s.Stream, Log: log,
	})
	return a, bridge.Access{DM: bridge.DMRule(s.DM), Talk: bridge.TalkRule(s.Talk)}, err
}

// slackChannel is how a channel is shown in Slack: answers go into threads unless
// the configuration says otherwise.
func slackChannel(set config.Channel, place string) slack.Channel {
	return slack.Channel{Place: place, InThread: set.Reply != "channel", Strict: set.Threads == "strict"}
}
