package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	discordsim "bullpen/internal/sim/discord"
	llmsim "bullpen/internal/sim/llm"
	slacksim "bullpen/internal/sim/slack"
)

func TestInitWithoutATerminal(t *testing.T) {
	t.Parallel()
	srv, err := slacksim.Start(slacksim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	dir := filepath.Join(t.TempDir(), "acme")
	l := launch{args: []string{"init", "slack", "--dir", dir, "--name", "Acme", "--api-url", srv.APIURL()}, input: new(string)}
	p := finished(t, l)
	p.wantExit(2)
	p.hear("SLACK_APP_TOKEN and SLACK_BOT_TOKEN must be set")
	l.set = []string{"SLACK_APP_TOKEN=" + srv.AppToken(), "SLACK_BOT_TOKEN=" + srv.BotToken()}
	p = finished(t, l)
	p.wantExit(0)
	p.see("There is an office in " + dir)
	p.see("ok       slack: the bot token is that of")
	p.see("bullpen up --dir " + dir)
	text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: Acme", `bot_token: "${SLACK_BOT_TOKEN}"`, "# Your colleagues."} {
		if !strings.Contains(string(text), want) {
			t.Errorf("office.yaml has no %q:\n%s", want, text)
		}
	}
	srv.RevokeToken(srv.BotToken(), "token_revoked")
	p = finished(t, l)
	p.wantExit(2)
	p.see("problem  slack: adapters.slack.bot_token: Slack's auth.test: token_revoked; reinstall the app")
	if strings.Contains(p.transcript(), srv.BotToken()) || strings.Contains(p.transcript(), srv.AppToken()) {
		t.Errorf("a token is shown\n%s", p.transcript())
	}
}

func TestInitPrintsTheManifest(t *testing.T) {
	t.Parallel()
	p := finished(t, launch{args: []string{"init", "slack", "--manifest"}, input: new(string)})
	p.wantExit(0)
	p.see("display_information:")
}

func TestInitDiscord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		disallowed discordsim.Intent
		revoked    bool
		status     int
		says       []string
	}{
		"all well": {status: 0, says: []string{
			"ok       discord: the token is that of the bot office", "ok       discord: the bot may read messages",
			"ok       discord: the bot is on the office's server", "Your first message, in the direct message with the bot", "@carol hello",
		}},
		"token refused": {revoked: true, status: 2, says: []string{
			"problem  discord: Discord does not accept adapters.discord.token; take a new one from the application's page: Bot, Reset Token",
		}},
		"content switched off": {disallowed: discordsim.IntentMessageContent, status: 0, says: []string{
			"warning  discord: the Message Content Intent is switched off", "switch it on at discord.com/developers/applications", "@carol hello",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := discordsim.Start(discordsim.Options{Guilds: []discordsim.Guild{{Name: "Acme"}}, Disallowed: c.disallowed})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = srv.Close() })
			if c.revoked {
				srv.RevokeToken()
			}
			dir := filepath.Join(t.TempDir(), "acme")
			p := finished(t, launch{
				args: []string{"init", "discord", "--dir", dir, "--api-url", srv.APIURL()}, input: new(string),
				set: []string{"DISCORD_TOKEN=" + srv.Token()},
			})
			p.wantExit(c.status)
			wantLines(t, strings.Join(p.out.all(), "\n"), c.says...)
			if strings.Contains(p.transcript(), srv.Token()) {
				t.Errorf("a token is shown\n%s", p.transcript())
			}
		})
	}
}

func TestInitNamesTheFirstColleague(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "acme")
	l := launch{args: []string{"init", "--dir", dir, "--colleague", "#dev", "--description", "Answers"}, input: new(string)}
	p := finished(t, l)
	p.wantExit(2)
	p.hear("--colleague: ")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("an office was made all the same (%v)", err)
	}
	l.args[4] = "dana"
	p = finished(t, l)
	p.wantExit(0)
	wantLines(t, strings.Join(p.out.all(), "\n"), "bullpen up --dir "+dir, "Then type into that terminal:", "    @dana hello")
	p = finished(t, l)
	p.wantExit(0)
	p.see("nobody here is changed")
}

// serveModels is a maker of models that has m and takes the-right-key.
func serveModels(t *testing.T) *llmsim.Server {
	t.Helper()
	srv, err := llmsim.Start(llmsim.Options{Key: "the-right-key", Models: []string{"m"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	return srv
}

// keyedOffice is an office whose key of OpenAI, at url, is a wrong one.
func keyedOffice(t *testing.T, url string) string {
	t.Helper()
	dir := writeOffice(t, fmt.Sprintf("providers:\n  openai: {base_url: %q, api_key: \"${OPENAI_API_KEY}\"}\nagents:\n  bob: {model: demo}\n", url))
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("OPENAI_API_KEY=a-wrong-key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestInitTriesTheKey(t *testing.T) {
	t.Parallel()
	srv := serveModels(t)
	for name, c := range map[string]struct {
		url, model, key string
		status          int
		says            string
	}{
		"taken":   {srv.URL(), "m", "the-right-key", 0, "ok       provider openai: it takes the key, and has m"},
		"refused": {srv.URL(), "m", "a-wrong-key", 2, "does not accept the key (401 Unauthorized); copy it once more"},
		"unknown": {srv.URL(), "n", "the-right-key", 0, "warning  provider openai: it takes the key, and does not list n"},
		"offline": {"http://127.0.0.1:1/v1", "m", "a-wrong-key", 0, "warning  provider openai: the key could not be tried, and is kept: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := keyedOffice(t, c.url)
			if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("OPENAI_API_KEY="+c.key+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			p := finished(t, launch{args: []string{"init", "--dir", dir, "--model", "openai:" + c.model}, input: new(string)})
			p.wantExit(c.status)
			wantLines(t, strings.Join(p.out.all(), "\n"), c.says)
			text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
			if err != nil || !strings.Contains(string(text), "openai:"+c.model) {
				t.Errorf("the model is not written (%v):\n%s", err, text)
			}
			if strings.Contains(p.transcript(), c.key) {
				t.Errorf("the key is shown\n%s", p.transcript())
			}
		})
	}
}
