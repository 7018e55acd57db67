package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bullpen/internal/sim/slack"
)

// fault is one way in which Slack can misbehave. how is what was typed behind its name.
type fault struct {
	name, how, help string
	do              func(p *prompt, how []string) error
}

var faults = []fault{
	{"drop", "", "cut every socket", plain((*slack.Server).DropSockets)},
	{"refresh", "", "ask the app to reconnect", disconnect(slack.RefreshRequested)},
	{"warning", "", "warn of that", disconnect(slack.Warning)},
	{"unlink", "", "switch Socket Mode off", disconnect(slack.LinkDisabled)},
	{"link", "", "and on again", plain((*slack.Server).EnableSocketMode)},
	{"silence", "", "keep the sockets, send nothing", plain((*slack.Server).Silence)},
	{"offline", "", "be unreachable, while people go on", plain((*slack.Server).GoOffline)},
	{"online", "", "be back", plain((*slack.Server).GoOnline)},
	{"duplicate", "[n]", "send the next events twice", counted((*slack.Server).DuplicateNext)},
	{"lose-ack", "[n]", "lose the next acks together with their socket", counted((*slack.Server).LoseAcks)},
	{"after-ack", "[n]", "cut the socket right after the next acks", counted((*slack.Server).DropAfterAcks)},
	{"frame", "[n]", "cut the socket in the middle of the next events", counted((*slack.Server).CutFrames)},
	{"hold", "", "keep events back", plain((*slack.Server).HoldEvents)},
	{"release", "[order]", "send them, as in: release 2 0 1", release},
	{"retry", "", "send again now what waits for its retry", plain((*slack.Server).RetryNow)},
	{"429", "[seconds] [method]", "rate-limit the next call", limit},
	{"500", "[method]", "fail the next call", next(slack.ServerError(500))},
	{"lost-reply", "[method]", "take the next call, lose the answer", next(slack.LostReply())},
	{"lost-call", "[method]", "lose the next call", next(slack.LostCall())},
	{"error", "<code> [method]", "refuse the next call", refuse},
	{"revoke", "[code]", "make the bot token useless", revoke},
	{"restore", "", "and good again", func(p *prompt, _ []string) error { p.srv.RevokeToken(p.srv.BotToken(), ""); return nil }},
	{"scope", "<-name|+name>", "take a scope, or give it back", scope},
	{"archive", "[channel]", "archive a channel", archive((*slack.Server).Archive)},
	{"unarchive", "[channel]", "and bring it back", archive((*slack.Server).Unarchive)},
	{"rates", "<on|off>", "enforce Slack's rates", rates},
}

func breakIt(p *prompt, args string) (string, error) {
	words := strings.Fields(args)
	if len(words) == 0 {
		var b strings.Builder
		for _, f := range faults {
			fmt.Fprintf(&b, "  %-30s %s\n", strings.TrimSpace("/break "+f.name+" "+f.how), f.help)
		}
		return b.String(), nil
	}
	for _, f := range faults {
		if f.name == words[0] {
			return "", f.do(p, words[1:])
		}
	}
	return "", fmt.Errorf("break %q: there is no such thing; /break lists what there is", words[0])
}

func plain(do func(*slack.Server)) func(*prompt, []string) error {
	return func(p *prompt, _ []string) error { do(p.srv); return nil }
}

func disconnect(r slack.Reason) func(*prompt, []string) error {
	return func(p *prompt, _ []string) error { p.srv.Disconnect(r); return nil }
}

func counted(do func(*slack.Server, int)) func(*prompt, []string) error {
	return func(p *prompt, how []string) error {
		n, err := number(word(how, 0), 1)
		if err != nil {
			return err
		}
		do(p.srv, n)
		return nil
	}
}

func next(f slack.Fault) func(*prompt, []string) error {
	return func(p *prompt, how []string) error {
		p.srv.FailNext(word(how, 0), f)
		return nil
	}
}

func limit(p *prompt, how []string) error {
	seconds, err := number(word(how, 0), 30)
	if err != nil {
		return err
	}
	p.srv.FailNext(word(how, 1), slack.RateLimited(seconds))
	return nil
}

func refuse(p *prompt, how []string) error {
	if word(how, 0) == "" {
		return errors.New("break error: needs a code, such as edit_window_closed")
	}
	p.srv.FailNext(word(how, 1), slack.Refused(how[0]))
	return nil
}

func revoke(p *prompt, how []string) error {
	code := word(how, 0)
	if code == "" {
		code = "token_revoked"
	}
	p.srv.RevokeToken(p.srv.BotToken(), code)
	return nil
}

func scope(p *prompt, how []string) error {
	w := word(how, 0)
	switch {
	case strings.HasPrefix(w, "-"):
		p.srv.RemoveScope(w[1:])
	case strings.HasPrefix(w, "+"):
		p.srv.AddScope(w[1:])
	default:
		return errors.New("break scope: write -name to take it, +name to give it")
	}
	return nil
}

func archive(do func(*slack.Server, string, string) error) func(*prompt, []string) error {
	return func(p *prompt, how []string) error {
		channel := word(how, 0)
		if channel == "" {
			channel = p.channel
		}
		return do(p.srv, channel, "U0MARIA")
	}
}

func rates(p *prompt, how []string) error {
	w := word(how, 0)
	if w != "on" && w != "off" {
		return errors.New("break rates: on or off")
	}
	p.srv.SetRateLimits(w == "on")
	return nil
}

func release(p *prompt, how []string) error {
	var order []int
	for _, w := range how {
		n, err := number(w, 0)
		if err != nil {
			return err
		}
		order = append(order, n)
	}
	return p.srv.ReleaseEvents(order...)
}

func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

func number(w string, otherwise int) (int, error) {
	if w == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a number", w)
	}
	return n, nil
}
