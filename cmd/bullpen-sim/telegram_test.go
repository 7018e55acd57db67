package main

import (
	"bytes"
	"strings"
	"testing"

	"bullpen/internal/sim/telegram"
)

func TestADraftIsPrintedAsOne(t *testing.T) {
	t.Parallel()
	got := tgLine("@Maria", telegram.Entry{Draft: 7, Author: "Office", Text: "alice\nOnce upon"})
	if want := "@Maria - Office (is writing): alice\n    Once upon"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestATelegramScriptOnAPipe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"a message", "hello 🎉", []string{"@Maria 1 Maria: hello 🎉"}},
		{"somebody else, in a topic", "/sim as kim\n/sim in forum/7\nhi", []string{"Forum/7 1 Kim: hi"}},
		{"a command is a message", "/status", []string{"@Maria 1 Maria: /status"}},
		{"an answer and an edit", "/sim in team\none\n/sim reply last two\n/sim edit 1 uno", []string{
			"Team 1 Maria: one", "Team 2 Maria (answers 1): two", "Team 1 Maria (edited): uno",
		}},
		{"what goes wrong", "/sim as nobody\n/sim in nowhere\n/sim edit x y\n/sim press 9", []string{
			`! there is no person "nobody"; there are maria and kim`, `! there is no chat "nowhere"; there are dm, team, forum and forum/7`,
			`! "x" is no message; write its number, or last`, `! telegram sim: there is no message 9 in chat 1001`,
		}},
		{"the end", "x\n/sim quit\ny", []string{"@Maria 1 Maria: x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := runTelegram(t.Context(), telegramFlags{as: "maria"}, strings.NewReader(tc.in), &out); err != nil {
				t.Fatal(err)
			}
			_, shown, _ := strings.Cut(out.String(), "dev: -1001000000002/7}\n\n")
			if got := strings.TrimSuffix(shown, "\n"); got != strings.Join(tc.want, "\n") {
				t.Errorf("%s\nwant\n%s", got, strings.Join(tc.want, "\n"))
			}
		})
	}
}
