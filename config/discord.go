package config

import (
	"fmt"
	"regexp"
	"unicode/utf8"
)

// Discord is the office's place on a Discord server.
type Discord struct {
	Token Secret // the bot's
	// Guild is the server's id; empty: the only one that the bot is on.
	Guild string
	// DM and Talk say who may talk, as for Slack; members are those of the server.
	DM, Talk string
	// Channels links channels of the office, by name, to a channel's id or its name
	// with a # before it.
	Channels map[string]string
	// AutoLink links a channel that has the name of one of the office's.
	AutoLink bool
	// Stream shows long answers while they are written.
	Stream bool
	// APIURL replaces Discord's own address: https, or a loopback address. Empty:
	// Discord's.
	APIURL string
	// Unpaced calls without regard to the documented rate of all calls together, as
	// for Telegram; what Discord's answers say is kept to.
	Unpaced bool
}

var discordFields = []field{
	{key: "token", is: discordToken},
	{key: "guild", is: discordID},
	{key: "dm", is: aChoice, def: "pairing", choices: []string{"pairing", "allowlist", "open", "off"}},
	{key: "talk", is: aChoice, def: "members", choices: []string{"members", "allowlist"}},
	{key: "channels", is: aMap, keys: toChannel, each: &field{is: discordChannel}},
	{key: "auto_link", is: aFlag, def: "false"},
	{key: "stream", is: aFlag, def: "true"},
	{key: "api_url", is: safeAddress},
	{key: "pace", is: aChoice, def: "documented", choices: []string{"documented", "none"}},
}

// Source: https://discord.com/developers/docs/reference#snowflakes: ids count
// milliseconds since 2015 in their upper bits; those of servers have 17 digits and more.
var (
	discordIDForm    = regexp.MustCompile(`^[1-9][0-9]{14,19}$`)
	discordTokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{10,}$`)
	discordNameForm  = regexp.MustCompile(`^#[^\s#@:]+$`)
)

// discordNameLimit is how long a channel's name may be, in characters.
// Source: https://discord.com/developers/docs/resources/channel#channel-object
const discordNameLimit = 100

const copyID = "write every digit of it, in quotes; with Developer Mode on (User Settings, Advanced) a right click offers Copy ID"

func (c *checker) discordID(n *node, _ *field) {
	if !discordIDForm.MatchString(n.text) {
		c.wrong(n, c.shown(n)+" is not an id of Discord's", copyID)
	}
}

func (c *checker) discordChannel(n *node, _ *field) {
	named := discordNameForm.MatchString(n.text) && utf8.RuneCountInString(n.text) <= discordNameLimit+1
	if !discordIDForm.MatchString(n.text) && !named {
		c.wrong(n, c.shown(n)+" is not a channel of Discord's", `write its id, in quotes, or its name, like "#dev"`)
	}
}

func (c *checker) discordToken(n *node, _ *field) {
	if !discordTokenForm.MatchString(n.text) {
		c.wrong(n, fmt.Sprintf("${%s} is no token of a Discord bot", n.variable), "take it from the application's page: Bot, Reset Token")
	}
}

// readDiscord reads the adapter's block, if the file has one.
func (r *reader) readDiscord() {
	e, ok := r.root.get("adapters").entry("discord")
	if !ok || e.value.bad {
		return
	}
	n := e.value
	if n.lacks("token") {
		r.problem(e.at, n.path, "token is missing", `add token: "${`+variableFor(n.path+".token")+`}"`)
	}
	r.cfg.Discord = &Discord{
		Token: NewSecret(n.get("token").str()), Guild: n.get("guild").str(),
		DM: n.get("dm").or("pairing"), Talk: n.get("talk").or("members"),
		Channels: r.links(n.get("channels"), linkWords{
			what: "Discord channel", example: `write its id, in quotes, or its name, like "#dev"`, once: "link each channel once",
		}), AutoLink: n.get("auto_link").num() == 1, Stream: n.lacks("stream") || n.get("stream").num() == 1,
		APIURL:  n.get("api_url").str(),
		Unpaced: r.unpaced(n),
	}
	r.discordNames()
}

// discordWords are what no name of a persona may hold, in any case.
// Source: https://discord.com/developers/docs/resources/webhook#create-webhook
var discordWords = regexp.MustCompile(`(?i)clyde|discord`)

// discordNames tells of colleagues whom Discord does not show by their names. A
// name is never longer than Discord takes (80).
func (r *reader) discordNames() {
	for _, e := range r.root.get("agents").keys() {
		if word := discordWords.FindString(e.key); word != "" {
			r.notice(e.at, e.value.path, fmt.Sprintf("Discord takes no name with %q in it, and shows %s with a point in that word", word, e.key), "rename the colleague if that is not wanted")
		}
	}
}
