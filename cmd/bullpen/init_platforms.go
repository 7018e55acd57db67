package main

import (
	"maps"
	"slices"

	slackapp "bullpen/deploy/slack"
)

// platformGuide is what somebody has to do to bring an office to a platform.
type platformGuide struct {
	name    string
	steps   string            // before the tokens
	secrets map[string]string // variables, and how they are asked for
	keys    map[string]string // keys of the adapter, and their variables
	next    string            // after the office runs
	place   string            // where the first message is written
}

// pairingNext is the same everywhere: the first who is approved is the owner.
const pairingNext = "Then write to the bot directly. It answers with a code; type /approve and the code into the terminal, and that account is yours."

var platforms = map[string]platformGuide{
	"slack": {
		name: "slack",
		steps: "Slack needs an app of your own:\n" +
			"1. Open https://api.slack.com/apps, choose Create New App, From a manifest, your workspace, and paste what is between the lines.\n" +
			"2. Install it to the workspace.\n" +
			"3. Under Basic Information, App-Level Tokens, make a token with the scope connections:write.\n" +
			"----\n" + slackapp.Manifest + "----",
		secrets: map[string]string{
			"SLACK_APP_TOKEN": "The app-level token, xapp-… (Basic Information, App-Level Tokens)",
			"SLACK_BOT_TOKEN": "The bot token, xoxb-… (OAuth & Permissions)",
		},
		keys:  map[string]string{"app_token": "SLACK_APP_TOKEN", "bot_token": "SLACK_BOT_TOKEN"},
		next:  pairingNext + " Channels are linked under adapters.slack.channels; docs/slack.md says how.",
		place: "in the direct message with the app or in a linked channel",
	},
	"telegram": {
		name: "telegram",
		steps: "Telegram needs a bot of your own: write /newbot to @BotFather and answer its questions. For groups also " +
			"/setprivacy, the bot, Disable.",
		secrets: map[string]string{"TELEGRAM_TOKEN": "The bot's token, digits:letters (BotFather)"},
		keys:    map[string]string{"token": "TELEGRAM_TOKEN"},
		next:    pairingNext,
		place:   "in the chat with the bot or in a linked group",
	},
	"discord": {
		name: "discord",
		steps: "Discord needs an application of your own:\n" +
			"1. Open https://discord.com/developers/applications and choose New Application.\n" +
			"2. Under Bot choose Reset Token and copy the token; switch the Message Content Intent on.\n" +
			"3. Invite the bot to your server; if it is on none, the address comes after the token.",
		secrets: map[string]string{"DISCORD_TOKEN": "The bot's token (Bot, Reset Token)"},
		keys:    map[string]string{"token": "DISCORD_TOKEN"},
		next:    pairingNext,
		place:   "in the direct message with the bot or in a linked channel",
	},
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
