package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// dcNumber is a message's id, which a test cannot know.
var dcNumber = regexp.MustCompile(`\b\d{19}\b`)

func TestADiscordScriptOnAPipe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"a message", "hello @office, @nobody 🎉", []string{"#general N Maria (pings office): hello @office, @nobody 🎉"}},
		{"somebody else, in a thread of a forum", "/sim as kim\n/sim in ideas\n/sim thread - plan\nhi", []string{"#ideas > plan N Kim: hi"}},
		{"the DM", "/sim in dm\nhi", []string{"@maria N Maria: hi"}},
		{"an answer, an edit, a reaction, a deletion", "one\n/sim reply last two\n/sim edit last zwei\n/sim react last 👍\n/sim delete last", []string{
			"#general N Maria: one", "#general N Maria (answers N) (pings maria): two", "#general N Maria (answers N) (edited) (pings maria): zwei",
			"#general N 👍 by maria", "#general N (deleted)",
		}},
		{"a command that is not there yet", "/office status", []string{"! discord sim: there is no command /office in #general"}},
		{"what goes wrong", "/sim as nobody\n/sim in nowhere\n/sim edit last x\n/sim form\n/sim break nothing-such", []string{
			`! there is no person "nobody"; there are maria, kim, lee`, `! there is no channel "nowhere"; try /sim who`,
			"! which message? Write its id, or last", "! no form is open; the bot opens one after a command or a button",
			`! there is no "nothing-such"; there are 429, 500, 502, forbidden, lost-call, lost-reply, alive, close-4000, close-4004, content, ` +
				"drop, duplicate, global, invalidate, no-content, offline, online, reconnect, restore, revoke, webhooks, zombie",
		}},
		{"the end", "x\n/sim quit\ny", []string{"#general N Maria: x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := runDiscord(t.Context(), discordFlags{as: "maria", in: "general"}, strings.NewReader(tc.in), &out); err != nil {
				t.Fatal(err)
			}
			_, shown, _ := strings.Cut(out.String(), dcDev+"\"}\n\n")
			if got := dcNumber.ReplaceAllString(strings.TrimSuffix(shown, "\n"), "N"); got != strings.Join(tc.want, "\n") {
				t.Errorf("%s\nwant\n%s", got, strings.Join(tc.want, "\n"))
			}
		})
	}
}

func TestTheDiscordCommandLine(t *testing.T) {
	t.Parallel()
	c := command()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetIn(strings.NewReader("/sim who\n/sim help\n/sim status\n/sim show\n/sim commands\n"))
	c.SetArgs([]string{"discord", "--as", "kim", "--in", "dev"})
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"export DISCORD_TOKEN=", "api_url: http://127.0.0.1:", "#ideas", "/sim press", "nothing here"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
}
