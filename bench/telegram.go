//go:build linux

package main

import (
	"fmt"

	"bullpen/internal/sim/telegram"
)

// telegramStage is a bot with a private chat of each of its people.
type telegramStage struct{ *telegram.Server }

// telegramPerson is the first of the people; a private chat has its person's id.
const telegramPerson = 1001

func openTelegram() (stage, error) {
	o := telegram.Options{ReadsAll: true}
	for i := range chats {
		o.Users = append(o.Users, telegram.User{ID: telegramPerson + int64(i), First: fmt.Sprintf("Person %d", i)})
	}
	s, err := telegram.Start(o)
	return telegramStage{s}, err
}

func (s telegramStage) floor() []string {
	return []string{"-telegram", s.APIURL() + "/bot" + s.Token()}
}

func (s telegramStage) adapter() string {
	return fmt.Sprintf("  telegram:\n    token: \"${TELEGRAM_TOKEN}\"\n    api_url: %s\n", s.APIURL())
}

func (s telegramStage) account(chat int) string {
	return fmt.Sprintf("telegram: \"%d\"", telegramPerson+chat)
}

func (s telegramStage) secrets() string { return "TELEGRAM_TOKEN=" + s.Token() + "\n" }

func (s telegramStage) connected() bool { return s.Polling() }

func (s telegramStage) place(chat int) int64 { return telegramPerson + int64(chat) }

func (s telegramStage) say(chat int, text string) error {
	_, err := s.User(s.place(chat)).Say(telegram.Said{Chat: s.place(chat), Text: text})
	return err
}

func (s telegramStage) count(chat int) int { return s.Count(s.place(chat)) }

func (s telegramStage) answers(chat int) (out []string) {
	for _, e := range s.Transcript(s.place(chat)) {
		if e.Ours {
			out = append(out, e.Text)
		}
	}
	return out
}
