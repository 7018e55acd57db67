package main

import (
	"errors"
	"fmt"
	"strings"

	"bullpen/internal/sim/slack"
)

func commands() []verb[*prompt] {
	return []verb[*prompt]{
		{"as", "<person>", "be somebody else", func(p *prompt, a string) (string, error) { return "", p.as(a) }},
		{"in", "<channel>", "go to a channel, by name or id", func(p *prompt, a string) (string, error) { return "", p.in(a) }},
		{"dm", "[text]", "go to your DM with the bot, and say text there", dm},
		{"thread", "<ts|last|off>", "reply in a thread from now on, or no longer", thread},
		{"edit", "[ts|mine] <text>", "change a message of yours, by default the newest", edit},
		{"delete", "[ts|mine]", "delete a message of yours", remove},
		{"react", "[ts|last] <emoji>", "add a reaction, by default to the newest message", react},
		{"unreact", "[ts|last] <emoji>", "take it back", unreact},
		{"click", "[ts|last] <action>", "press a button, by default on the newest message that has it", click},
		{"home", "[action]", "open the bot's page and show it, or press a button on it", home},
		{"form", "[block=value; …]", "show the form that the bot has opened, or fill it in and submit it", form},
		{"show", "[channel]", "show a channel from its beginning", show},
		{"who", "", "list people and channels", who},
		{"join", "<channel> <person>", "bring a person or the bot into a channel", join},
		{"leave", "<channel> <person>", "take them out", leave},
		{"rename", "<channel> <name>", "rename a channel", rename},
		{"break", "<what> [how]", "make Slack misbehave; without anything: what there is", breakIt},
		{"status", "", "sockets, deliveries and calls of the app", func(p *prompt, _ string) (string, error) { return p.srv.Summary(), nil }},
		{"help", "", "this list", help},
		{"quit", "", "end", func(*prompt, string) (string, error) { return "", errQuit }},
	}
}

func help(*prompt, string) (string, error) {
	return usage("A plain line is a message. /office … is the bot's own command.", "/", 27, commands()), nil
}

func dm(p *prompt, text string) (string, error) {
	id, err := p.me().DMChannel()
	if err != nil {
		return "", err
	}
	p.channel, p.thread = id, ""
	if text == "" {
		return "", nil
	}
	return "", p.say(text)
}

func thread(p *prompt, a string) (string, error) {
	if a == "off" || a == "" {
		p.thread = ""
		return "", nil
	}
	ts, err := p.find(a)
	if err != nil {
		return "", err
	}
	for _, e := range p.srv.Transcript(p.channel) {
		if e.TS != ts {
			continue
		}
		if p.thread = ts; e.ThreadTS != "" {
			p.thread = e.ThreadTS
		}
		return "", nil
	}
	return "", fmt.Errorf("there is no message %s in %s", ts, p.srv.ChannelName(p.channel))
}

func edit(p *prompt, a string) (string, error) {
	ts, text, err := p.target(a, "mine")
	if err != nil {
		return "", err
	}
	return "", p.me().Edit(p.channel, ts, text)
}

func remove(p *prompt, a string) (string, error) {
	ts, _, err := p.target(a, "mine")
	if err != nil {
		return "", err
	}
	return "", p.me().Delete(p.channel, ts)
}

func react(p *prompt, a string) (string, error) { return p.reaction(a, (*slack.Person).React) }

func unreact(p *prompt, a string) (string, error) { return p.reaction(a, (*slack.Person).Unreact) }

func (p *prompt) reaction(a string, do func(*slack.Person, string, string, string) error) (string, error) {
	ts, emoji, err := p.target(a, "last")
	if err != nil {
		return "", err
	}
	return "", do(p.me(), p.channel, ts, strings.Trim(emoji, ":"))
}

func click(p *prompt, a string) (string, error) {
	word, action, _ := strings.Cut(a, " ")
	if !isTarget(word) {
		word, action = "", a
	}
	action = strings.TrimSpace(action)
	ts := word
	if word == "" || word == "last" {
		for _, e := range p.srv.Transcript(p.channel) {
			for _, b := range e.Buttons {
				if b.ActionID == action {
					ts = e.TS
				}
			}
		}
	}
	if !isTarget(ts) || ts == "last" {
		return "", fmt.Errorf("no message in %s has a button %q", p.srv.ChannelName(p.channel), action)
	}
	_, err := p.me().Click(p.channel, ts, action)
	return "", err
}

func home(p *prompt, action string) (string, error) {
	if action != "" {
		_, err := p.me().ClickHome(action)
		return "", err
	}
	if err := p.me().OpenHome("home"); err != nil {
		return "", err
	}
	page := p.srv.Home(p.id)
	if page == "" {
		return "(the page is empty; look again when the bot has published it)", nil
	}
	for _, b := range p.srv.HomeButtons(p.id) {
		page += "\n    [" + b.Label + "] /home " + b.ActionID
	}
	return page, nil
}

func form(p *prompt, a string) (string, error) {
	m, open := p.me().Modal()
	if !open {
		return "", errors.New("no form is open; the bot opens one after a command or a button")
	}
	if a == "" {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n%s\n", m.Title, m.Text)
		for _, f := range m.Fields {
			fmt.Fprintf(&b, "  %s=%s %s\n", f.BlockID, f.Label, m.Errors[f.BlockID])
		}
		return b.String(), nil
	}
	values := map[string]string{}
	for pair := range strings.SplitSeq(a, ";") {
		block, value, _ := strings.Cut(pair, "=")
		values[strings.TrimSpace(block)] = strings.TrimSpace(value)
	}
	_, err := p.me().Submit(values)
	return "", err
}

func show(p *prompt, a string) (string, error) {
	if a == "" {
		a = p.channel
	}
	id, ok := p.srv.ChannelID(a)
	if !ok {
		return "", fmt.Errorf("there is no channel %q; try /who", a)
	}
	var b strings.Builder
	for _, e := range p.srv.Transcript(id) {
		fmt.Fprintln(&b, format(p.srv.ChannelName(id), e))
	}
	if b.Len() == 0 {
		return p.srv.ChannelName(id) + " is empty", nil
	}
	return b.String(), nil
}

func who(p *prompt, _ string) (string, error) {
	var b strings.Builder
	for _, u := range p.srv.People() {
		role := ""
		switch {
		case u.Bot:
			role = " (bot)"
		case u.Admin:
			role = " (admin)"
		}
		fmt.Fprintf(&b, "  %-12s %s%s\n", u.Name, u.ID, role)
	}
	for _, id := range p.srv.Channels() {
		fmt.Fprintf(&b, "  %-12s %s, %d members\n", p.srv.ChannelName(id), id, len(p.srv.Members(id)))
	}
	return b.String(), nil
}

// membership reads "<channel> <person>".
func (p *prompt) membership(a string, do func(channel, user string) error) (string, error) {
	channel, name, _ := strings.Cut(a, " ")
	u, err := p.person(name)
	if err != nil {
		return "", err
	}
	return "", do(channel, u.ID)
}

func join(p *prompt, a string) (string, error) {
	return p.membership(a, func(channel, user string) error { return p.srv.Join(channel, user, "") })
}

func leave(p *prompt, a string) (string, error) { return p.membership(a, p.srv.Leave) }

func rename(p *prompt, a string) (string, error) {
	channel, name, _ := strings.Cut(a, " ")
	return "", p.srv.Rename(channel, strings.TrimSpace(name), "")
}
