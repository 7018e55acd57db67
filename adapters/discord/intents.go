package discord

import (
	"errors"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// wanted are the events that we ask for (events/gateway, list of intents).
// MessageContent has to be switched on in the application's settings.
const wanted = discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages

// switchedOff names the switch whose absence Discord answers with 4014.
const switchedOff = "the Message Content Intent is switched off, so in channels only messages that mention the bot can be read: switch it on at discord.com/developers/applications, your application, Bot, Message Content Intent, and start again"

// closings are the codes with which Discord ends a session for good (topics/
// opcodes-and-status-codes, gateway close event codes). Any other code leads to a
// new session.
var closings = map[int]string{
	4004: "Discord does not accept adapters.discord.token: take a new one from the application's page (Bot, Reset Token), put it there and start again",
	4010: "Discord refuses the connection (4010, invalid shard); this is a fault of bullpen's: please report it",
	4011: "the bot is on more servers than one connection may serve (4011): take it out of some, or make a bot for this office alone",
	4012: "Discord no longer takes the version of its gateway that this program speaks (4012): a newer bullpen is needed",
	4013: "Discord refuses the connection (4013, invalid intents); this is a fault of bullpen's: please report it",
	4014: "Discord refuses the connection (4014): an intent that this office needs is not allowed for the application; see its page, Bot, Privileged Gateway Intents",
}

// disallowed is the code for an intent that is switched off.
const disallowed = 4014

// closeCode is the code with which Discord closed a connection, or 0.
func closeCode(err error) int {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return 0
}
