package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bullpen/internal/sim/slack"
)

type slackFlags struct {
	addr, as, in string
	keep, rates  bool
}

func slackCommand() *cobra.Command {
	var f slackFlags
	c := &cobra.Command{
		Use:   "slack",
		Short: "Be Slack: a workspace with maria, kim, lee and the bot, in #general and #dev",
		Long: `Serves Slack's Web API and Socket Mode on loopback, prints what to put into office.yaml, and then
reads what the people of the workspace say and do, one line each; /help lists the commands.
On a pipe it reads lines and prints plainly.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSlack(cmd.Context(), f, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	c.Flags().StringVar(&f.as, "as", "maria", "who you are at first")
	c.Flags().StringVar(&f.in, "in", "general", "the channel you are in at first")
	c.Flags().BoolVar(&f.keep, "keep", false, "go on serving after the input has ended, until interrupted")
	c.Flags().BoolVar(&f.rates, "rates", false, "refuse calls over Slack's documented rates")
	return c
}

func runSlack(ctx context.Context, f slackFlags, in io.Reader, out io.Writer) error {
	srv, err := slack.Start(slack.Options{Addr: f.addr, Workspace: exampleWorkspace(), RateLimits: f.rates})
	if err != nil {
		return err
	}
	p := &prompt{srv: srv}
	err = p.enter(f.as, f.in)
	if err == nil {
		err = converse(ctx, p, f.keep, in, out)
	}
	if cerr := srv.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close the Slack stand-in: %w", cerr)
	}
	return err
}

func exampleWorkspace() slack.Workspace {
	all := []string{"U0MARIA", "U0KIM", "U0LEE", "U0BOT"}
	return slack.Workspace{
		Name: "Example", Domain: "example", BotName: "office",
		Users: []slack.User{
			{ID: "U0MARIA", Name: "maria", RealName: "Maria", Admin: true},
			{ID: "U0KIM", Name: "kim", RealName: "Kim"},
			{ID: "U0LEE", Name: "lee", RealName: "Lee"},
		},
		Channels: []slack.Channel{
			{ID: "C0GENERAL", Name: "general", Members: all},
			{ID: "C0DEV", Name: "dev", Members: all},
		},
	}
}

func (p *prompt) setup() string {
	return fmt.Sprintf(`Slack is at %[1]s

In the office's environment (or its .env):
export SLACK_APP_TOKEN=%[2]s
export SLACK_BOT_TOKEN=%[3]s

In office.yaml:
office:
  channels: {dev: {}}
people:
  maria: {slack: U0MARIA, admin: true}
adapters:
  slack:
    app_token: "${SLACK_APP_TOKEN}"
    bot_token: "${SLACK_BOT_TOKEN}"
    api_url: %[1]s
    channels: {general: C0GENERAL, dev: C0DEV}

`, p.srv.APIURL(), p.srv.AppToken(), p.srv.BotToken())
}
