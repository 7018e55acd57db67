package main

import (
	"log/slog"

	"bullpen/adapters/telegram"
	"bullpen/bridge"
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/wake"
)

// telegramAdapter makes the adapter of the office's bot on Telegram, and the rules
// of who may talk there; nil where the office has none. The error says what is
// wrong with the configuration.
func telegramAdapter(cfg *config.Config, log *slog.Logger) (*telegram.Adapter, bridge.Access, error) {
	t := cfg.Telegram
	if t == nil {
		return nil, bridge.Access{}, nil
	}
	channels := map[string]string{}
	for name, place := range t.Channels {
		channels[wake.Fold(name)] = place
	}
	a, err := telegram.New(telegram.Options{Token: t.Token.Reveal(), APIURL: t.APIURL, Unpaced: t.Unpaced, Channels: channels, Whole: !t.Stream, Log: log})
	return a, bridge.Access{DM: bridge.DMRule(t.DM), Talk: bridge.TalkRule(t.Talk)}, err
}

// telegramAccount is a person's account on Telegram, if office.yaml names one.
func telegramAccount(a config.Account) (office.Account, bool) {
	return office.Account{Platform: "telegram", ID: a.Telegram}, a.Telegram != ""
}
