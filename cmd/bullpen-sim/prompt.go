package main

import (
	"errors"
	"fmt"
	"strings"

	"bullpen/internal/sim/slack"
)

var errQuit = errors.New("quit")

// prompt is one of the people of the workspace, somewhere in it.
type prompt struct {
	srv     *slack.Server
	user    string // handle
	id      string // of user
	channel string // id
	thread  string // ts of the root that lines reply to; empty: none
}

// String is "maria #general", as the prompt shows it.
func (p *prompt) String() string {
	s := p.user + " " + p.srv.ChannelName(p.channel)
	if p.thread != "" {
		s += " [" + p.thread + "]"
	}
	return s
}

func (p *prompt) news() source { return slackSource{p.srv} }

func (p *prompt) me() *slack.Person { return p.srv.User(p.user) }

func (p *prompt) enter(user, channel string) error {
	if err := p.as(user); err != nil {
		return err
	}
	return p.in(channel)
}

func (p *prompt) as(name string) error {
	u, err := p.person(name)
	if err != nil {
		return err
	}
	if u.Bot {
		return fmt.Errorf("be %s: that is the bot, and the office's own", u.Name)
	}
	p.user, p.id = u.Name, u.ID
	return nil
}

// person finds one by handle or id, with or without "@".
func (p *prompt) person(name string) (slack.User, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	for _, u := range p.srv.People() {
		if u.Name == name || u.ID == name {
			return u, nil
		}
	}
	return slack.User{}, fmt.Errorf("there is no person %q; try /who", name)
}

func (p *prompt) in(channel string) error {
	id, ok := p.srv.ChannelID(channel)
	if !ok {
		return fmt.Errorf("go to %q: there is no such channel; try /who", channel)
	}
	p.channel, p.thread = id, ""
	return nil
}

// do carries out one line and returns what to print besides what the feed shows anyway.
func (p *prompt) do(line string) (string, error) {
	if line == "" {
		return "", nil
	}
	if !strings.HasPrefix(line, "/") {
		return "", p.say(line)
	}
	name, rest, _ := strings.Cut(line[1:], " ")
	rest = strings.TrimSpace(rest)
	for _, c := range commands() {
		if c.name == name {
			return c.do(p, rest)
		}
	}
	// Anything else is a command of the app's, if it has registered it.
	_, err := p.me().Slash(p.channel, "/"+name, rest)
	return "", err
}

func (p *prompt) say(text string) error {
	var err error
	if p.thread != "" {
		_, err = p.me().Reply(p.channel, p.thread, text)
	} else {
		_, err = p.me().Post(p.channel, text)
	}
	return err
}

// find returns the ts that word means: a ts as printed, "last" for the newest message here, or
// "mine" for one's own newest.
func (p *prompt) find(word string) (string, error) {
	if word != "last" && word != "mine" && word != "" {
		return word, nil
	}
	entries := p.srv.Transcript(p.channel)
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if word != "mine" || e.AuthorID == p.id {
			return e.TS, nil
		}
	}
	return "", fmt.Errorf("there is no message yet in %s", p.srv.ChannelName(p.channel))
}

// target splits "<ts|last|mine> rest" and finds the message.
func (p *prompt) target(args, fallback string) (ts, rest string, err error) {
	word, rest, _ := strings.Cut(args, " ")
	if !isTarget(word) {
		word, rest = fallback, args
	}
	ts, err = p.find(word)
	return ts, strings.TrimSpace(rest), err
}

func isTarget(word string) bool {
	if word == "last" || word == "mine" {
		return true
	}
	whole, frac, dotted := strings.Cut(word, ".")
	return dotted && len(frac) == 6 && whole != "" && strings.Trim(whole+frac, "0123456789") == ""
}
