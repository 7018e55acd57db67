//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// chats is how many chats talk at the same time, each with a colleague of its own.
const chats = 20

// platform is one that is measured: how its rows begin, and what opens its stand-in.
type platform struct {
	letter, name string
	open         func() (stage, error)
}

var platforms = []platform{{"f", "Slack", openSlack}, {"m", "Discord", openDiscord}, {"t", "Telegram", openTelegram}}

// stage is the stand-in of a platform, with a person who writes in each chat.
type stage interface {
	// floor are the flags that start the least program on it.
	floor() []string
	// adapter is the block of office.yaml that starts bullpen on it, account the
	// account of the person in a chat, secrets the lines of .env.
	adapter() string
	account(chat int) string
	secrets() string
	// connected says whether a program listens.
	connected() bool
	// say writes in a chat as its person.
	say(chat int, text string) error
	// count is how many messages stand in a chat.
	count(chat int) int
	// answers is what the program wrote in a chat, in order.
	answers(chat int) []string
	// Changed is closed at the next change of anything here.
	Changed() <-chan struct{}
	Summary() string
	Close() error
}

// scene says what is started on a stage, and how.
type scene struct {
	floor  bool // the least program, not bullpen
	free   bool // bullpen keeps to no documented rate; to all of them otherwise, as it comes
	traced bool // its calls that wait for the disk are counted
}

// outfit writes the folder of an office with a colleague for each chat; what a scene
// does not ask for is as it comes.
func outfit(dir string, st stage, model string, sc scene) error {
	var channels, people, agents, pace strings.Builder
	for i := range chats {
		fmt.Fprintf(&channels, "    c%02d: {members: [a%02d]}\n", i, i)
		fmt.Fprintf(&agents, "  a%02d: {model: \"bench:model\"}\n", i)
		if i == 0 || st.account(i) != st.account(0) {
			fmt.Fprintf(&people, "  p%02d: {%s, admin: %t}\n", i, st.account(i), i == 0)
		}
	}
	if sc.free {
		fmt.Fprintf(&pace, "    pace: none\n")
	}
	yaml := fmt.Sprintf("office:\n  name: Bench\n  owner: p00\n  channels:\n%speople:\n%sproviders:\n  bench: {kind: openai, base_url: %s}\nadapters:\n%s%sagents:\n%s",
		&channels, &people, model, st.adapter(), &pace, &agents)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml), 0o600),
		os.WriteFile(filepath.Join(dir, ".env"), []byte(st.secrets()), 0o600),
	)
}
