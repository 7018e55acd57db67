package main

import (
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/wake"
)

// follow has the adapters that run show the channels where office.yaml says by now.
// It does not block.
func (d *declared) follow() {
	for platform, places := range placed(d.config()) {
		d.bridge.Follow(platform, places)
	}
}

// placed says for each platform that the office is on where its channels are.
func placed(c *config.Config) map[string]map[office.ChannelID]string {
	all := map[string]map[office.ChannelID]string{}
	put := func(platform string, places map[string]string) {
		all[platform] = map[office.ChannelID]string{}
		for name, place := range places {
			all[platform][office.ChannelID(wake.Fold(name))] = place
		}
	}
	if c.Slack != nil {
		put("slack", c.Slack.Channels)
	}
	if c.Telegram != nil {
		put("telegram", c.Telegram.Channels)
	}
	if c.Discord != nil {
		put("discord", c.Discord.Channels)
	}
	return all
}

// The adapters' settings without the places, which a running office follows.

func discordApart(c *config.Config) any {
	if c.Discord == nil {
		return nil
	}
	d := *c.Discord
	d.Channels = nil
	return d
}

func slackApart(c *config.Config) any {
	if c.Slack == nil {
		return nil
	}
	s := *c.Slack
	s.Channels = nil
	return s
}

func telegramApart(c *config.Config) any {
	if c.Telegram == nil {
		return nil
	}
	t := *c.Telegram
	t.Channels = nil
	return t
}
