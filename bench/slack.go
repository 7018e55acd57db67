//go:build linux

package main

import (
	"fmt"
	"strings"

	"bullpen/internal/sim/slack"
)

// slackStage is a workspace with one person, who is in every channel with the bot.
type slackStage struct{ *slack.Server }

func slackPlace(chat int) string { return fmt.Sprintf("C0CH%02d", chat) }

func openSlack() (stage, error) {
	w := slack.Workspace{Name: "Bench", Users: []slack.User{{ID: "U0MARIA", Name: "maria", RealName: "Maria"}}}
	for i := range chats {
		w.Channels = append(w.Channels, slack.Channel{ID: slackPlace(i), Name: fmt.Sprintf("c%02d", i), Members: []string{"U0MARIA", "U0BOT"}})
	}
	s, err := slack.Start(slack.Options{Workspace: w})
	return slackStage{s}, err
}

func (s slackStage) floor() []string {
	return []string{"-slack", s.APIURL(), "-app", s.AppToken(), "-bot", s.BotToken()}
}

func (s slackStage) adapter() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  slack:\n    app_token: \"${SLACK_APP_TOKEN}\"\n    bot_token: \"${SLACK_BOT_TOKEN}\"\n    api_url: %s\n    channels:\n", s.APIURL())
	for i := range chats {
		fmt.Fprintf(&b, "      c%02d: %s\n", i, slackPlace(i))
	}
	return b.String()
}

func (s slackStage) account(int) string { return "slack: U0MARIA" }

func (s slackStage) secrets() string {
	return "SLACK_APP_TOKEN=" + s.AppToken() + "\nSLACK_BOT_TOKEN=" + s.BotToken() + "\n"
}

func (s slackStage) connected() bool { return s.Sockets() > 0 }

func (s slackStage) say(chat int, text string) error {
	_, err := s.User("maria").Post(slackPlace(chat), text)
	return err
}

func (s slackStage) count(chat int) int { return s.Count(slackPlace(chat)) }

func (s slackStage) answers(chat int) (out []string) {
	for _, e := range s.Transcript(slackPlace(chat)) {
		if e.Ours && e.EphemeralTo == "" {
			out = append(out, e.Wire)
		}
	}
	return out
}
