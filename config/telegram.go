package config

import (
	"fmt"
	"regexp"
)

// Telegram is the office's bot on Telegram.
type Telegram struct {
	Token Secret // from BotFather
	// DM and Talk say who may talk, as for Slack; the members of a linked group are
	// those who can write there.
	DM, Talk string
	// Channels links channels of the office, by name, to a chat's id or to a topic's,
	// -1001234567890 or -1001234567890/7.
	Channels map[string]string
	// Stream shows long answers in private chats while they are written.
	Stream bool
	// APIURL replaces Telegram's own address: https, or a loopback address. Empty:
	// Telegram's.
	APIURL string
	// Unpaced sends without regard to the rates that Telegram documents; only with
	// an APIURL on this machine.
	Unpaced bool
}

var telegramFields = []field{
	{key: "token", is: telegramToken},
	{key: "dm", is: aChoice, def: "pairing", choices: []string{"pairing", "allowlist", "open", "off"}},
	{key: "talk", is: aChoice, def: "members", choices: []string{"members", "allowlist"}},
	{key: "channels", is: aMap, keys: toChannel, each: &field{is: telegramChat}},
	{key: "stream", is: aFlag, def: "true"},
	{key: "api_url", is: safeAddress},
	{key: "pace", is: aChoice, def: "documented", choices: []string{"documented", "none"}},
}

// Source: https://core.telegram.org/bots/api#chat: the ids of people are positive,
// those of groups negative, and both have at most 52 significant bits.
var (
	telegramUserForm  = regexp.MustCompile(`^[1-9][0-9]{0,15}$`)
	telegramChatForm  = regexp.MustCompile(`^-[1-9][0-9]{0,15}(/[1-9][0-9]{0,15})?$`)
	telegramTokenForm = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)
)

func (c *checker) telegramUser(n *node, _ *field) {
	if !telegramUserForm.MatchString(n.text) {
		c.wrong(n, c.shown(n)+" is not the id of a person on Telegram", "write every digit of it, in quotes; whoever writes to the bot finds it in the notice at the console")
	}
}

func (c *checker) telegramChat(n *node, _ *field) {
	if !telegramChatForm.MatchString(n.text) {
		c.wrong(n, c.shown(n)+" is not a chat of Telegram's", "write its id, like -1001234567890, or a topic's, like -1001234567890/7; the bot tells it where it is mentioned")
	}
}

func (c *checker) telegramToken(n *node, _ *field) {
	if !telegramTokenForm.MatchString(n.text) {
		c.wrong(n, fmt.Sprintf("${%s} is no token of a Telegram bot", n.variable), "take it from BotFather: /mybots, the bot, API Token")
	}
}

// readTelegram reads the adapter's block, if the file has one.
func (r *reader) readTelegram() {
	e, ok := r.root.get("adapters").entry("telegram")
	if !ok || e.value.bad {
		return
	}
	n := e.value
	if n.lacks("token") {
		r.problem(e.at, n.path, "token is missing", `add token: "${`+variableFor(n.path+".token")+`}"`)
	}
	r.cfg.Telegram = &Telegram{
		Token: NewSecret(n.get("token").str()), DM: n.get("dm").or("pairing"), Talk: n.get("talk").or("members"),
		Channels: r.links(n.get("channels"), linkWords{
			what: "chat", example: "write its id, like -1001234567890", once: "link each chat or topic once",
		}), Stream: n.lacks("stream") || n.get("stream").num() == 1, APIURL: n.get("api_url").str(), Unpaced: r.unpaced(n),
	}
}
