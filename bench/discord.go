//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bullpen/internal/sim/discord"
)

// benchGuild and benchMaria are the server and the person there.
const benchGuild, benchMaria = "1100000000000000001", "1100000000000000101"

func guildPlace(i int) string { return fmt.Sprintf("11000000000000002%02d", i) }

// discordLatency is the way from a message on Discord to the model's request, as
// slackLatency is in Slack.
func discordLatency(ctx context.Context, b *bench) error {
	return b.latency(ctx, "m  Discord", b.onDiscord)
}

// onDiscord starts a server with a contender on it.
func (b *bench) onDiscord(ctx context.Context, c *contender, dir string, floor bool) (err error) {
	g := discord.Guild{ID: benchGuild, Name: "Bench", Members: []discord.Member{{User: "maria"}}}
	for i := range channels {
		g.Channels = append(g.Channels, discord.Channel{ID: guildPlace(i), Name: fmt.Sprintf("c%02d", i)})
	}
	c.discord, err = discord.Start(discord.Options{Users: []discord.User{{ID: benchMaria, Name: "maria"}}, Guilds: []discord.Guild{g}})
	if err != nil {
		return err
	}
	if floor {
		c.process, err = b.start(b.floor, "-discord", c.discord.APIURL(), "-bot", c.discord.Token(),
			"-model", c.model.url+"/chat/completions", "-db", filepath.Join(dir, "floor.db"))
	} else if err = discordOffice(dir, c.discord, c.model.url); err == nil {
		c.process, err = b.up(dir)
	}
	if err != nil {
		return err
	}
	ctx, cancel := c.alive(ctx)
	defer cancel()
	if err = c.discord.WaitFor(ctx, func(s *discord.Server) bool { return s.Connected() > 0 }); err != nil {
		return fmt.Errorf("%w\n%s", err, c.out.tail())
	}
	return pause(ctx, settled) // what was missed has been read by then
}

// discordOffice writes the folder of an office with a colleague for each channel.
func discordOffice(dir string, srv *discord.Server, model string) error {
	var own, linked, agents strings.Builder
	for i := range channels {
		fmt.Fprintf(&own, "    c%02d: {members: [a%02d]}\n", i, i)
		fmt.Fprintf(&linked, "      c%02d: %q\n", i, guildPlace(i))
		fmt.Fprintf(&agents, "  a%02d: {model: \"bench:model\"}\n", i)
	}
	yaml := fmt.Sprintf(`office:
  name: Bench
  channels:
%speople:
  maria: {discord: %q, admin: true}
providers:
  bench: {kind: openai, base_url: %s}
adapters:
  discord:
    token: "${DISCORD_TOKEN}"
    guild: %q
    api_url: %s
    channels:
%sagents:
%s`, &own, benchMaria, model, benchGuild, srv.APIURL(), &linked, &agents)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml), 0o600),
		os.WriteFile(filepath.Join(dir, ".env"), []byte("DISCORD_TOKEN="+srv.Token()+"\n"), 0o600),
	)
}
