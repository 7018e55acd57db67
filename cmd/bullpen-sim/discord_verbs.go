package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"bullpen/internal/sim/discord"
)

func dcVerbs() []verb[*dcPrompt] {
	return []verb[*dcPrompt]{
		{"as", "<person>", "be somebody else", func(p *dcPrompt, a string) (string, error) { return "", p.as(a) }},
		{"in", "<channel|thread|dm>", "go somewhere, by name or id", func(p *dcPrompt, a string) (string, error) { return "", p.in(a) }},
		{"reply", "<id|last> <text>", "answer a message natively", dcReply},
		{"edit", "<id|last> <text>", "change a message of yours", dcEdit},
		{"delete", "<id|last>", "delete a message of yours", dcDelete},
		{"react", "<id|last> <emoji>", "add a reaction", dcReact},
		{"press", "<id|last> [label]", "press a button, by default the first", dcPress},
		{"form", "[field=value; …]", "show the form that the bot has opened, or fill it in and submit it", dcForm},
		{"thread", "<id|last|-> <name>", "begin a thread at a message, or - without one, and go there", dcThread},
		{"archive", "", "archive the thread that you are in", func(p *dcPrompt, _ string) (string, error) { return "", p.srv.ArchiveThread(p.key(), true, false) }},
		{"show", "", "show this place from its beginning", dcShow},
		{"commands", "", "list the bot's commands here", func(p *dcPrompt, _ string) (string, error) { return strings.Join(p.srv.Usage(p.key()), "\n"), nil }},
		{"who", "", "list people and places", dcWho},
		{"break", "<what>", "make Discord misbehave; without anything: what there is", dcBreak},
		{"status", "", "sessions and calls of the bot", func(p *dcPrompt, _ string) (string, error) { return p.srv.Summary(), nil }},
		{"quit", "", "end", func(*dcPrompt, string) (string, error) { return "", errQuit }},
	}
}

func dcHelp() string {
	return usage("A plain line is a message; /name … is a command of the bot's, with options as name:value.", "/sim ", 28, dcVerbs())
}

// message reads "<id|last> rest".
func (p *dcPrompt) message(a string) (id, rest string, err error) {
	word, rest, _ := strings.Cut(a, " ")
	all := p.me().Seen(p.place)
	switch {
	case word == "last" && len(all) > 0:
		return all[len(all)-1].ID, strings.TrimSpace(rest), nil
	case word == "" || word == "last":
		return "", "", errors.New("which message? Write its id, or last")
	}
	return word, strings.TrimSpace(rest), nil
}

func dcReply(p *dcPrompt, a string) (string, error) {
	id, text, err := p.message(a)
	if err == nil {
		_, err = p.me().Send(discord.Said{Channel: p.place, Text: p.mentions(text), Reply: id})
	}
	return "", err
}

func dcEdit(p *dcPrompt, a string) (string, error) {
	id, text, err := p.message(a)
	if err == nil {
		err = p.me().Edit(p.place, id, p.mentions(text))
	}
	return "", err
}

func dcDelete(p *dcPrompt, a string) (string, error) {
	id, _, err := p.message(a)
	if err == nil {
		err = p.me().Delete(p.place, id)
	}
	return "", err
}

func dcReact(p *dcPrompt, a string) (string, error) {
	id, emoji, err := p.message(a)
	if err == nil {
		err = p.me().React(p.place, id, emoji)
	}
	return "", err
}

func dcPress(p *dcPrompt, a string) (string, error) {
	id, label, err := p.message(a)
	if err != nil {
		return "", err
	}
	for _, e := range p.me().Seen(p.place) {
		if label == "" && e.ID == id && len(e.Buttons) > 0 {
			label = e.Buttons[0].CustomID
		}
	}
	p.opened, err = p.me().Press(p.place, id, label)
	return "", err
}

func dcForm(p *dcPrompt, a string) (string, error) {
	i, _ := p.srv.Interaction(p.opened)
	if p.opened == "" || i.Modal == nil {
		return "", errors.New("no form is open; the bot opens one after a command or a button")
	}
	if a == "" {
		var b strings.Builder
		fmt.Fprintln(&b, i.Modal.Title)
		for _, f := range i.Modal.Fields {
			fmt.Fprintf(&b, "  %s=%s (%s)\n", f.CustomID, f.Value, f.Label)
		}
		return b.String(), nil
	}
	values := map[string]string{}
	for pair := range strings.SplitSeq(a, ";") {
		field, value, _ := strings.Cut(pair, "=")
		values[strings.TrimSpace(field)] = strings.TrimSpace(value)
	}
	id, err := p.me().Submit(p.opened, values)
	if err == nil {
		p.opened = id
	}
	return "", err
}

func dcThread(p *dcPrompt, a string) (string, error) {
	id, name, _ := strings.Cut(a, " ")
	switch {
	case id == "-":
		id = ""
	default:
		var err error
		if id, name, err = p.message(a); err != nil {
			return "", err
		}
	}
	t, err := p.me().Thread(p.place, id, strings.TrimSpace(name), "")
	if err == nil {
		p.place = t
	}
	return "", err
}

func dcShow(p *dcPrompt, _ string) (string, error) {
	var b strings.Builder
	for _, e := range p.me().Seen(p.place) {
		fmt.Fprintln(&b, dcLine(p.String(), e))
	}
	if b.Len() == 0 {
		return "nothing here", nil
	}
	return b.String(), nil
}

func dcWho(p *dcPrompt, _ string) (string, error) {
	var b strings.Builder
	for _, u := range p.srv.People() {
		fmt.Fprintf(&b, "  %-12s %s\n", u.Name, u.ID)
	}
	for _, id := range p.srv.Channels() {
		fmt.Fprintf(&b, "  %-12s %s\n", p.srv.ChannelName(id), id)
	}
	return b.String(), nil
}

func dcBreak(p *dcPrompt, what string) (string, error) {
	faults := map[string]discord.Fault{
		"lost-reply": discord.LostReply(), "lost-call": discord.LostCall(), "500": discord.ServerError(500), "502": discord.ServerError(502),
		"429": discord.Limited(20 * time.Second), "forbidden": discord.Refused(50013),
	}
	states := map[string]func(){
		"offline": p.srv.GoOffline, "online": p.srv.GoOnline, "revoke": p.srv.RevokeToken, "restore": p.srv.RestoreToken,
		"drop": p.srv.DropGateway, "reconnect": p.srv.Reconnect, "invalidate": func() { p.srv.Invalidate(false) },
		"zombie": func() { p.srv.Zombie(true) }, "alive": func() { p.srv.Zombie(false) }, "global": func() { p.srv.LimitGlobally(20 * time.Second) },
		"no-content": func() { p.srv.Disallow(discord.IntentMessageContent) }, "content": func() { p.srv.Disallow(0) },
		"webhooks": func() { p.srv.DeleteWebhooks(p.key()) }, "duplicate": func() { p.srv.FailEvents("MESSAGE_CREATE", discord.EventFault{Duplicate: true}) },
		"close-4000": func() { p.srv.CloseGateway(4000) }, "close-4004": func() { p.srv.CloseGateway(4004) },
	}
	return "", misbehave(what, faults, func(f discord.Fault) { p.srv.FailNext("", f) }, states)
}
