//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bullpen/internal/sim/discord"
	"bullpen/internal/sim/slack"
)

// channels is how many channels talk at the same time.
const channels = 20

// contender is a program that answers in Slack or on Discord, with the platform and
// the model it talks to.
type contender struct {
	*process
	slack   *slack.Server // nil: it is on discord
	discord *discord.Server
	model   *modelServer
}

func place(i int) string { return fmt.Sprintf("C0CH%02d", i) }

// workspace is a Slack with one person and the bot in every channel.
func workspace() (*slack.Server, error) {
	w := slack.Workspace{Name: "Bench", Users: []slack.User{{ID: "U0MARIA", Name: "maria", RealName: "Maria"}}}
	for i := range channels {
		w.Channels = append(w.Channels, slack.Channel{ID: place(i), Name: fmt.Sprintf("c%02d", i), Members: []string{"U0MARIA", "U0BOT"}})
	}
	return slack.Start(slack.Options{Workspace: w})
}

// slackOffice writes the folder of an office with a colleague for each channel;
// all else is as it comes.
func slackOffice(dir, api, model string) error {
	var own, linked, agents strings.Builder
	for i := range channels {
		fmt.Fprintf(&own, "    c%02d: {members: [a%02d]}\n", i, i)
		fmt.Fprintf(&linked, "      c%02d: %s\n", i, place(i))
		fmt.Fprintf(&agents, "  a%02d: {model: \"bench:model\"}\n", i)
	}
	yaml := fmt.Sprintf(`office:
  name: Bench
  channels:
%speople:
  maria: {slack: U0MARIA, admin: true}
providers:
  bench: {kind: openai, base_url: %s}
adapters:
  slack:
    app_token: "${SLACK_APP_TOKEN}"
    bot_token: "${SLACK_BOT_TOKEN}"
    api_url: %s
    channels:
%sagents:
%s`, &own, model, api, &linked, &agents)
	env := fmt.Sprintf("SLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\n", slack.DefaultAppToken, slack.DefaultBotToken)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml), 0o600),
		os.WriteFile(filepath.Join(dir, ".env"), []byte(env), 0o600),
	)
}

// settled is after what time nothing is done any more that has to do with starting.
const settled = 3 * time.Second

// platform starts what contenders talk in, with bullpen or the floor in it.
type platform func(ctx context.Context, c *contender, dir string, floor bool) error

// contend starts bullpen, or the floor, on a fresh folder and waits until it has
// answered once.
func (b *bench) contend(ctx context.Context, floor bool) (*contender, error) {
	return b.contendOn(ctx, floor, b.onSlack)
}

// contendOn does that on a platform.
func (b *bench) contendOn(ctx context.Context, floor bool, on platform) (c *contender, err error) {
	c = &contender{}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.model, err = startModel(); err != nil {
		return c, err
	}
	dir, err := b.folder()
	if err != nil {
		return c, err
	}
	if err = on(ctx, c, dir, floor); err != nil {
		return c, err
	}
	if err = c.say(0, "m-0-0."); err != nil {
		return c, err
	}
	if err = c.shown(ctx, 1); err != nil {
		return c, err
	}
	if err = pause(ctx, settled); err != nil {
		return c, err
	}
	return c, c.quiet(ctx)
}

// onSlack starts a workspace with a contender in it.
func (b *bench) onSlack(ctx context.Context, c *contender, dir string, floor bool) (err error) {
	if c.slack, err = workspace(); err != nil {
		return err
	}
	if floor {
		c.process, err = b.start(b.floor, "-slack", c.slack.APIURL(), "-app", c.slack.AppToken(), "-bot", c.slack.BotToken(),
			"-model", c.model.url+"/chat/completions", "-db", filepath.Join(dir, "floor.db"))
	} else if err = slackOffice(dir, c.slack.APIURL(), c.model.url); err == nil {
		c.process, err = b.up(dir)
	}
	if err != nil {
		return err
	}
	ctx, cancel := c.alive(ctx)
	defer cancel()
	if err = c.slack.WaitFor(ctx, func(s *slack.Server) bool { return s.Sockets() > 0 }); err != nil {
		return fmt.Errorf("%w\n%s", err, c.out.tail())
	}
	return nil
}

// alive is ctx, which also ends when the program ends.
func (c *contender) alive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// say posts to a channel's colleague, as the person there.
func (c *contender) say(channel int, text string) error {
	text = fmt.Sprintf("@a%02d %s", channel, text)
	if c.discord != nil {
		_, err := c.discord.User("maria").Say(guildPlace(channel), text)
		return err
	}
	_, err := c.slack.User("maria").Post(place(channel), text)
	return err
}

// answers is how many messages stand in all channels that the person did not
// write, of the said.
func (c *contender) answers() int {
	n := 0
	for i := range channels {
		if c.discord != nil {
			n += len(c.discord.Transcript(guildPlace(i)))
			continue
		}
		n += c.slack.Count(place(i))
	}
	return n
}

// shown waits until there are answers to the first n messages.
func (c *contender) shown(ctx context.Context, n int) error {
	const look = 2 * time.Millisecond
	tick := time.NewTicker(look)
	defer tick.Stop()
	for c.answers() < 2*n {
		select {
		case <-tick.C:
		case <-c.ended:
			return fmt.Errorf("it ended (%w):\n%s", errOr(c.reason), c.out.tail())
		case <-ctx.Done():
			return fmt.Errorf("%d messages stand there, not %d: %w\n%s\n%s", c.answers(), 2*n, ctx.Err(), c.out.tail(), c.summary())
		}
	}
	return nil
}

func (c *contender) summary() string {
	if c.discord != nil {
		return c.discord.Summary()
	}
	return c.slack.Summary()
}

// close ends the program and its surroundings.
func (c *contender) close() {
	if c.process != nil {
		c.process.close()
	}
	if c.slack != nil {
		_ = c.slack.Close()
	}
	if c.discord != nil {
		_ = c.discord.Close()
	}
	if c.model != nil {
		c.model.close()
	}
}
