package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"bullpen/internal/sim/discord"
)

type discordFlags struct {
	addr, as, in string
	keep, rates  bool
}

// The people and places of the example.
const (
	dcGuild                     = "1100000000000000001"
	dcMaria, dcKim, dcLee       = "1100000000000000101", "1100000000000000102", "1100000000000000103"
	dcGeneral, dcDev, dcIdeas   = "1100000000000000201", "1100000000000000202", "1100000000000000203"
	dcBot                       = "1100000000000000009"
	dcFirstPerson, dcFirstPlace = "maria", "general"
)

func discordCommand() *cobra.Command {
	var f discordFlags
	c := &cobra.Command{
		Use:   "discord",
		Short: "Be Discord: a server with maria, kim, lee and the bot, in #general, #dev and the forum #ideas",
		Long: `Serves Discord's REST API and gateway on loopback, prints what to put into office.yaml, and then
reads what the people of the server say and do, one line each; /sim help lists the commands. Any
other line with a slash is a command of the bot's, as in: /office with who:alice. On a pipe it reads
lines and prints plainly.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDiscord(cmd.Context(), f, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	c.Flags().StringVar(&f.as, "as", dcFirstPerson, "who you are at first")
	c.Flags().StringVar(&f.in, "in", dcFirstPlace, "the channel you are in at first")
	c.Flags().BoolVar(&f.keep, "keep", false, "go on serving after the input has ended, until interrupted")
	c.Flags().BoolVar(&f.rates, "rates", false, "refuse calls over the limits that the headers announce")
	return c
}

func runDiscord(ctx context.Context, f discordFlags, in io.Reader, out io.Writer) error {
	srv, err := discord.Start(discord.Options{
		Addr: f.addr, RateLimits: f.rates, BotID: dcBot,
		Users: []discord.User{
			{ID: dcMaria, Name: "maria", GlobalName: "Maria"}, {ID: dcKim, Name: "kim", GlobalName: "Kim"}, {ID: dcLee, Name: "lee", GlobalName: "Lee"},
		},
		Guilds: []discord.Guild{{
			ID: dcGuild, Name: "Example", Owner: "maria", Members: []discord.Member{{User: "maria"}, {User: "kim"}, {User: "lee"}},
			Channels: []discord.Channel{
				{ID: dcGeneral, Name: "general"}, {ID: dcDev, Name: "dev"}, {ID: dcIdeas, Name: "ideas", Type: discord.Forum},
			},
		}},
	})
	if err != nil {
		return err
	}
	p := &dcPrompt{srv: srv}
	if err = errors.Join(p.as(f.as), p.in(f.in)); err == nil {
		err = converse(ctx, p, f.keep, in, out)
	}
	if cerr := srv.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close the Discord stand-in: %w", cerr)
	}
	return err
}

// dcPrompt is one of the people, in one of the places.
type dcPrompt struct {
	srv    *discord.Server
	name   string
	place  string // id of a channel or thread; "": the DM with the bot
	opened string // the interaction that opened the newest form
}

func (p *dcPrompt) setup() string {
	return fmt.Sprintf(`Discord is at %[1]s

In the office's environment (or its .env):
export DISCORD_TOKEN=%[2]s

In office.yaml:
office:
  channels: {dev: {}}
people:
  maria: {discord: "%[3]s", admin: true}
adapters:
  discord:
    token: "${DISCORD_TOKEN}"
    guild: "%[4]s"
    api_url: %[1]s
    channels: {general: "%[5]s", dev: "%[6]s"}

`, p.srv.APIURL(), p.srv.Token(), dcMaria, dcGuild, dcGeneral, dcDev)
}

func (p *dcPrompt) news() source { return dcSource{p.srv} }

// String is "maria #general", as the prompt shows it.
func (p *dcPrompt) String() string {
	if p.place == "" {
		return p.name + " @office"
	}
	return p.name + " " + p.srv.ChannelName(p.place)
}

func (p *dcPrompt) me() *discord.Person { return p.srv.User(p.name) }

// key is the place as a transcript names it.
func (p *dcPrompt) key() string {
	if p.place == "" {
		return "@" + p.name
	}
	return p.place
}

func (p *dcPrompt) as(name string) error {
	var names []string
	for _, u := range p.srv.People() {
		if u.Name == strings.TrimPrefix(name, "@") && !u.Bot {
			p.name = u.Name
			return nil
		}
		if !u.Bot {
			names = append(names, u.Name)
		}
	}
	return fmt.Errorf("there is no person %q; there are %s", name, strings.Join(names, ", "))
}

func (p *dcPrompt) in(place string) error {
	if place == "dm" || place == "" {
		p.place = ""
		return nil
	}
	id, ok := p.srv.ChannelID(place)
	if !ok {
		return fmt.Errorf("there is no channel %q; try /sim who", place)
	}
	p.place = id
	return nil
}

// do carries out one line: what somebody says, a command of the bot's, or "/sim verb args".
func (p *dcPrompt) do(line string) (string, error) {
	rest, own := strings.CutPrefix(line, "/sim")
	switch {
	case line == "":
		return "", nil
	case !own && strings.HasPrefix(line, "/"):
		id, err := p.me().SlashLine(p.place, line)
		p.opened = id
		return "", err
	case !own:
		_, err := p.me().Say(p.place, p.mentions(line))
		return "", err
	}
	return simVerb(p, rest, dcVerbs(), dcHelp)
}

// mentions writes @name of users and roles as the client does; other names stay text.
func (p *dcPrompt) mentions(line string) string {
	words := strings.Split(line, " ")
	for i, w := range words {
		name := strings.TrimRight(w, ".,:;!?")
		if len(name) > 1 && name[0] == '@' && name != "@everyone" && name != "@here" {
			words[i] = p.srv.Mention(name[1:]) + w[len(name):]
		}
	}
	return strings.Join(words, " ")
}
