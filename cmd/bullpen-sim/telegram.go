package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bullpen/internal/sim/telegram"
)

type telegramFlags struct {
	addr, as string
	keep     bool
}

// The people and groups of the example.
const (
	tgMaria, tgKim  = 1001, 1002
	tgTeam, tgForum = -1001000000001, -1001000000002
)

func telegramCommand() *cobra.Command {
	var f telegramFlags
	c := &cobra.Command{
		Use:   "telegram",
		Short: "Be Telegram: maria and kim, each with the bot in a private chat, a group and a forum",
		Long: `Serves Telegram's Bot API on loopback, prints what to put into office.yaml, and then reads what
the people say and do, one line each; /sim help lists the commands. A line that begins with a
slash, like /status, is a command for the bot. On a pipe it reads lines and prints plainly.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTelegram(cmd.Context(), f, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	c.Flags().StringVar(&f.as, "as", "maria", "who you are at first")
	c.Flags().BoolVar(&f.keep, "keep", false, "go on serving after the input has ended, until interrupted")
	return c
}

func runTelegram(ctx context.Context, f telegramFlags, in io.Reader, out io.Writer) error {
	srv, err := telegram.Start(telegram.Options{
		Addr: f.addr, ReadsAll: true,
		Users: []telegram.User{{ID: tgMaria, First: "Maria", Username: "maria"}, {ID: tgKim, First: "Kim", Username: "kim_k"}},
		Groups: []telegram.Group{
			{ID: tgTeam, Title: "Team", Supergroup: true, Members: []int64{tgMaria, tgKim}},
			{ID: tgForum, Title: "Forum", Topics: map[int64]string{7: "Dev"}, Members: []int64{tgMaria, tgKim}},
		},
	})
	if err != nil {
		return err
	}
	p := &tgPrompt{srv: srv}
	if err = p.as(f.as); err == nil {
		err = converse(ctx, p, f.keep, in, out)
	}
	if cerr := srv.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close the Telegram stand-in: %w", cerr)
	}
	return err
}

// tgPrompt is one of the people, in one of the chats.
type tgPrompt struct {
	srv         *telegram.Server
	name        string
	id          int64
	chat, topic int64
}

func (p *tgPrompt) setup() string {
	return fmt.Sprintf(`Telegram is at %[1]s

In the office's environment (or its .env):
export TELEGRAM_TOKEN=%[2]s

In office.yaml:
office:
  channels: {dev: {}}
people:
  maria: {telegram: "%[3]d", admin: true}
adapters:
  telegram:
    token: "${TELEGRAM_TOKEN}"
    api_url: %[1]s
    channels: {general: %[4]d, dev: %[5]d/7}

`, p.srv.APIURL(), p.srv.Token(), tgMaria, tgTeam, tgForum)
}

func (p *tgPrompt) news() source { return tgSource{p.srv} }

// String is "maria @Maria", as the prompt shows it.
func (p *tgPrompt) String() string {
	s := p.name + " " + p.srv.Title(p.chat)
	if p.topic != 0 {
		s += "/" + strconv.FormatInt(p.topic, 10)
	}
	return s
}

func (p *tgPrompt) as(name string) error {
	id, ok := map[string]int64{"maria": tgMaria, "kim": tgKim}[strings.TrimPrefix(name, "@")]
	if !ok {
		return fmt.Errorf("there is no person %q; there are maria and kim", name)
	}
	p.name, p.id, p.chat, p.topic = strings.TrimPrefix(name, "@"), id, id, 0
	return nil
}

// do carries out one line: what somebody says, or "/sim verb args".
func (p *tgPrompt) do(line string) (string, error) {
	rest, command := strings.CutPrefix(line, "/sim")
	switch {
	case line == "":
		return "", nil
	case !command:
		_, err := p.srv.User(p.id).Say(telegram.Said{Chat: p.chat, Topic: p.topic, Text: line})
		return "", err
	}
	return simVerb(p, rest, tgVerbs(), tgHelp)
}

func tgVerbs() []verb[*tgPrompt] {
	return []verb[*tgPrompt]{
		{"as", "<maria|kim>", "be somebody else, in their private chat", func(p *tgPrompt, a string) (string, error) { return "", p.as(a) }},
		{"in", "<dm|team|forum|forum/7>", "go to another chat", tgIn},
		{"reply", "<id|last> <text>", "answer a message natively", tgReply},
		{"edit", "<id> <text>", "change a message of yours", tgEdit},
		{"press", "<id> [label]", "press a button under a message", tgPress},
		{"block", "", "block the bot", func(p *tgPrompt, _ string) (string, error) { p.srv.User(p.id).Block(); return "", nil }},
		{"break", "<what>", "misbehave once: lost-reply, lost-call, 500, 502, 429, or offline, online, revoke, restore", tgBreak},
		{"status", "", "updates and calls of the bot", func(p *tgPrompt, _ string) (string, error) { return p.srv.Summary(), nil }},
		{"quit", "", "end", func(*tgPrompt, string) (string, error) { return "", errQuit }},
	}
}

func tgHelp() string {
	return usage("A plain line is a message; /status and the like are the bot's own commands.", "/sim ", 30, tgVerbs())
}

func tgIn(p *tgPrompt, a string) (string, error) {
	switch a {
	case "dm", "":
		p.chat, p.topic = p.id, 0
	case "team":
		p.chat, p.topic = tgTeam, 0
	case "forum":
		p.chat, p.topic = tgForum, 0
	case "forum/7":
		p.chat, p.topic = tgForum, 7
	default:
		return "", fmt.Errorf("there is no chat %q; there are dm, team, forum and forum/7", a)
	}
	return "", nil
}

// message reads "<id|last> rest".
func (p *tgPrompt) message(a string) (id int64, rest string, err error) {
	word, rest, _ := strings.Cut(a, " ")
	if all := p.srv.Transcript(p.chat); word == "last" && len(all) > 0 {
		return all[len(all)-1].ID, strings.TrimSpace(rest), nil
	}
	if id, err = strconv.ParseInt(word, 10, 64); err != nil {
		return 0, "", fmt.Errorf("%q is no message; write its number, or last", word)
	}
	return id, strings.TrimSpace(rest), nil
}

func tgReply(p *tgPrompt, a string) (string, error) {
	id, text, err := p.message(a)
	if err != nil {
		return "", err
	}
	_, err = p.srv.User(p.id).Say(telegram.Said{Chat: p.chat, Topic: p.topic, Text: text, Reply: id})
	return "", err
}

func tgEdit(p *tgPrompt, a string) (string, error) {
	id, text, err := p.message(a)
	if err != nil {
		return "", err
	}
	return "", p.srv.User(p.id).Edit(p.chat, id, text)
}

func tgPress(p *tgPrompt, a string) (string, error) {
	id, label, err := p.message(a)
	if err != nil {
		return "", err
	}
	if label == "" {
		for _, e := range p.srv.Transcript(p.chat) {
			if e.ID == id && len(e.Buttons) > 0 {
				label = e.Buttons[0]
			}
		}
	}
	_, err = p.srv.User(p.id).Press(p.chat, id, label)
	return "", err
}

func tgBreak(p *tgPrompt, what string) (string, error) {
	faults := map[string]telegram.Fault{
		"lost-reply": telegram.LostReply(), "lost-call": telegram.LostCall(), "500": {Code: 500}, "502": telegram.BadGateway(), "429": telegram.Limited(20),
	}
	states := map[string]func(){
		"offline": p.srv.GoOffline, "online": p.srv.GoOnline, "revoke": p.srv.RevokeToken, "restore": p.srv.RestoreToken,
	}
	return "", misbehave(what, faults, func(f telegram.Fault) { p.srv.FailNext("sendMessage", f) }, states)
}

// tgSource shows the chats to the feed.
type tgSource struct{ *telegram.Server }

func (s tgSource) places() []place {
	var out []place
	for _, chat := range s.Chats() {
		p := place{id: strconv.FormatInt(chat, 10), name: s.Title(chat)}
		for _, e := range s.Transcript(chat) {
			line := tgLine(p.name, e)
			p.items = append(p.items, item{id: strconv.FormatInt(e.ID, 10), line: line, same: line})
		}
		if e, ok := s.Draft(chat); ok {
			line := tgLine(p.name, e)
			p.items = append(p.items, item{id: "draft", line: line, same: line})
		}
		out = append(out, p)
	}
	return out
}

func (tgSource) reaction(emoji string) string { return emoji }

func (tgSource) names(users []string) string { return strings.Join(users, ", ") }

func (tgSource) deletions() bool { return false }

// tgLine is "Team/7 12 Maria (answers 11): text", of a draft "@Maria - Office (is
// writing): text"; further lines are indented.
func tgLine(place string, e telegram.Entry) string {
	var b strings.Builder
	b.WriteString(place)
	if e.Topic != 0 {
		fmt.Fprintf(&b, "/%d", e.Topic)
	}
	if e.Draft == 0 {
		fmt.Fprintf(&b, " %d %s", e.ID, e.Author)
	} else {
		fmt.Fprintf(&b, " - %s (is writing)", e.Author)
	}
	if e.ReplyTo != 0 {
		fmt.Fprintf(&b, " (answers %d)", e.ReplyTo)
	}
	if e.Edited {
		b.WriteString(" (edited)")
	}
	b.WriteString(": " + strings.ReplaceAll(e.Text, "\n", "\n    "))
	for _, label := range e.Buttons {
		fmt.Fprintf(&b, "\n    [%s] /sim press %d", label, e.ID)
	}
	return b.String()
}
