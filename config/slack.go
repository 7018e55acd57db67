package config

import (
	"maps"
	"slices"
)

// Slack is the office's place in a Slack workspace.
type Slack struct {
	AppToken Secret // xapp-…, opens the socket
	BotToken Secret // xoxb-…, does everything else
	// DM says what becomes of a stranger's direct message: pairing, allowlist,
	// open or off.
	DM string
	// Talk says who may talk in linked channels: members (of the workspace) or
	// allowlist (the office's people).
	Talk string
	// Channels links channels of the office, by name, to a channel's id (C…, G…)
	// or its name with a # before it.
	Channels map[string]string
	// AutoLink links a channel that the bot is in and that has the name of one of
	// the office's.
	AutoLink bool
	// APIURL replaces Slack's own address: https, or a loopback address. Empty:
	// Slack's.
	APIURL string
}

// readSlack reads the adapter's block, if the file has one.
func (r *reader) readSlack() {
	e, ok := r.root.get("adapters").entry("slack")
	if !ok || e.value.bad {
		return
	}
	n := e.value
	for _, key := range []string{"app_token", "bot_token"} {
		if n.lacks(key) {
			r.problem(e.at, n.path, key+" is missing", "add "+key+`: "${`+variableFor(n.path+"."+key)+`}"`)
		}
	}
	r.cfg.Slack = &Slack{
		AppToken: NewSecret(n.get("app_token").str()),
		BotToken: NewSecret(n.get("bot_token").str()),
		DM:       n.get("dm").or("pairing"),
		Talk:     n.get("talk").or("members"),
		Channels: r.slackChannels(n.get("channels")),
		AutoLink: n.get("auto_link").num() == 1,
		APIURL:   n.get("api_url").str(),
	}
}

// slackChannels reads which channel of the office is which of Slack's.
func (r *reader) slackChannels(n *node) map[string]string {
	links := make(map[string]string)
	if n == nil {
		return links
	}
	taken := make(map[string]string)
	for _, e := range n.entries {
		name, ok := r.channels.find(e.key)
		if !ok {
			r.problem(e.at, e.value.path, "no channel of the office has this name", r.channels.advise(e.key))
			continue
		}
		place := e.value.str()
		switch other := taken[place]; {
		case e.value.kind == null:
			r.problem(e.at, e.value.path, "the Slack channel is missing", `write its id, like C012ABC, or its name in quotes, like "#dev"`)
		case e.value.bad:
		case other != "":
			r.wrong(e.value, "this Slack channel is linked to "+other+" already", "link each channel once")
		case links[name] != "":
			r.problem(e.at, e.value.path, "the channel "+name+" is linked above", "link each channel once")
		default:
			links[name], taken[place] = place, name
		}
	}
	return links
}

// readSandbox reads where tools run. A shell that nothing confines is for the
// owner alone: it is refused where somebody else could have it used.
func (r *reader) readSandbox() {
	n := r.root.get("sandbox")
	confine := n.get("confine")
	r.cfg.Sandbox = Sandbox{Kind: n.get("kind").or("local"), Confine: confine.str() != "off"}
	if who := r.strangers(); !r.cfg.Sandbox.Confine && who != "" {
		r.wrong(confine, "confine: off lets whoever talks to the office run commands on this machine, and "+who,
			"write confine: on, or let nobody but the owner in")
	}
}

// strangers says how somebody other than the owner reaches the office; empty if
// nobody does.
func (r *reader) strangers() string {
	rules := map[string][2]string{}
	if s := r.cfg.Slack; s != nil {
		rules["slack"] = [2]string{s.Talk, s.DM}
	}
	if t := r.cfg.Telegram; t != nil {
		rules["telegram"] = [2]string{t.Talk, t.DM}
	}
	if d := r.cfg.Discord; d != nil {
		rules["discord"] = [2]string{d.Talk, d.DM}
	}
	for _, platform := range slices.Sorted(maps.Keys(rules)) {
		switch talk, dm := rules[platform][0], rules[platform][1]; {
		case talk == "members":
			return "adapters." + platform + ".talk is members"
		case dm == "open" || dm == "pairing":
			return "adapters." + platform + ".dm is " + dm
		}
	}
	if len(rules) > 0 && len(r.cfg.Accounts) > 1 {
		return "people lists more than the owner"
	}
	return ""
}
