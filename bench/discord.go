//go:build linux

package main

import (
	"fmt"
	"strings"

	"bullpen/internal/sim/discord"
)

// discordStage is a server with one person in it.
type discordStage struct{ *discord.Server }

// discordGuild and discordMaria are the server and the person there.
const discordGuild, discordMaria = "1100000000000000001", "1100000000000000101"

func discordPlace(chat int) string { return fmt.Sprintf("11000000000000002%02d", chat) }

func openDiscord() (stage, error) {
	g := discord.Guild{ID: discordGuild, Name: "Bench", Members: []discord.Member{{User: "maria"}}}
	for i := range chats {
		g.Channels = append(g.Channels, discord.Channel{ID: discordPlace(i), Name: fmt.Sprintf("c%02d", i)})
	}
	s, err := discord.Start(discord.Options{Users: []discord.User{{ID: discordMaria, Name: "maria"}}, Guilds: []discord.Guild{g}})
	return discordStage{s}, err
}

func (s discordStage) floor() []string { return []string{"-discord", s.APIURL(), "-bot", s.Token()} }

func (s discordStage) adapter() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  discord:\n    token: \"${DISCORD_TOKEN}\"\n    guild: %q\n    api_url: %s\n    channels:\n", discordGuild, s.APIURL())
	for i := range chats {
		fmt.Fprintf(&b, "      c%02d: %q\n", i, discordPlace(i))
	}
	return b.String()
}

func (s discordStage) account(int) string { return fmt.Sprintf("discord: %q", discordMaria) }

func (s discordStage) secrets() string { return "DISCORD_TOKEN=" + s.Token() + "\n" }

func (s discordStage) connected() bool { return s.Connected() > 0 }

func (s discordStage) say(chat int, text string) error {
	_, err := s.User("maria").Say(discordPlace(chat), text)
	return err
}

func (s discordStage) count(chat int) int { return s.Count(discordPlace(chat)) }

func (s discordStage) answers(chat int) (out []string) {
	for _, e := range s.Transcript(discordPlace(chat)) {
		if e.Ours && e.OnlyFor == "" {
			out = append(out, e.Wire)
		}
	}
	return out
}
