package config

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
	// Stream shows long answers in threads while they are written.
	Stream bool
	// APIURL replaces Slack's own address: https, or a loopback address. Empty:
	// Slack's.
	APIURL string
	// Unpaced posts without regard to the rates that Slack documents, as for Telegram.
	Unpaced bool
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
		Channels: r.links(n.get("channels"), linkWords{
			what: "Slack channel", example: `write its id, like C012ABC, or its name in quotes, like "#dev"`, once: "link each channel once",
		}),
		AutoLink: n.get("auto_link").num() == 1,
		Stream:   n.lacks("stream") || n.get("stream").num() == 1,
		APIURL:   n.get("api_url").str(),
		Unpaced:  r.unpaced(n),
	}
}
