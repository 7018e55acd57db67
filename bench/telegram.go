//go:build linux

package main

import (
	"fmt"
	"time"

	"bullpen/internal/sim/telegram"
)

// telegramStage is a bot with a private chat of each of its people, and a group with
// all of them.
type telegramStage struct{ *telegram.Server }

const (
	telegramPerson = 1001 // the first of the people; a private chat has its person's id
	telegramGroup  = -1001000000001
)

func openTelegram() (stage, error) {
	o := telegram.Options{ReadsAll: true}
	group := telegram.Group{ID: telegramGroup, Title: "Crowd", Supergroup: true}
	for i := range chats {
		o.Users = append(o.Users, telegram.User{ID: telegramPerson + int64(i), First: fmt.Sprintf("Person %d", i)})
		group.Members = append(group.Members, telegramPerson+int64(i))
	}
	o.Groups = []telegram.Group{group}
	s, err := telegram.Start(o)
	return telegramStage{s}, err
}

func (s telegramStage) floor() []string {
	return []string{"-telegram", s.APIURL() + "/bot" + s.Token()}
}

func (s telegramStage) adapter() string {
	return fmt.Sprintf("  telegram:\n    token: \"${TELEGRAM_TOKEN}\"\n    api_url: %s\n    channels:\n      crowd: %d\n", s.APIURL(), telegramGroup)
}

func (s telegramStage) account(chat int) string {
	return fmt.Sprintf("telegram: \"%d\"", telegramPerson+chat)
}

func (s telegramStage) secrets() string { return "TELEGRAM_TOKEN=" + s.Token() + "\n" }

func (s telegramStage) connected() bool { return s.Polling() }

func (s telegramStage) place(chat int) int64 {
	if chat == crowded {
		return telegramGroup
	}
	return telegramPerson + int64(chat)
}

func (s telegramStage) say(chat int, text string) error {
	person := s.User(telegramPerson)
	if chat != crowded {
		person = s.User(s.place(chat))
	}
	_, err := person.Say(telegram.Said{Chat: s.place(chat), Text: text})
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

// narrow has the group take two more messages, and none for a while.
func (s telegramStage) narrow() { s.LimitChat(telegramGroup, 2, 10*time.Second) }
