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
	telegramsim "bullpen/internal/sim/telegram"
)

// surroundings are stand-ins for all that an office stands on.
type surroundings struct {
	slack    *slacksim.Server
	telegram *telegramsim.Server
	discord  *discordsim.Server
	llm      *llmsim.Server
}

func surround(t *testing.T, s slacksim.Options, tg telegramsim.Options, d discordsim.Options, l llmsim.Options) surroundings {
	t.Helper()
	var all surroundings
	var err error
	if all.slack, err = slacksim.Start(s); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.slack.Close() })
	if all.telegram, err = telegramsim.Start(tg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.telegram.Close() })
	if all.discord, err = discordsim.Start(d); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.discord.Close() })
	if all.llm, err = llmsim.Start(l); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.llm.Close() })
	return all
}

// office is a folder of an office on all of them.
func (s surroundings) office(t *testing.T, model string) string {
	t.Helper()
	dir := writeOffice(t, fmt.Sprintf(`
adapters:
  slack: {app_token: "${SLACK_APP_TOKEN}", bot_token: "${SLACK_BOT_TOKEN}", api_url: %q}
  telegram: {token: "${TELEGRAM_TOKEN}", api_url: %q}
  discord: {token: "${DISCORD_TOKEN}", api_url: %q}
providers:
  near: {base_url: %q, api_key: "${NEAR_KEY}"}
agents:
  alice: {model: "near:%s"}
`, s.slack.APIURL(), s.telegram.APIURL(), s.discord.APIURL(), s.llm.URL(), model))
	env := fmt.Sprintf("SLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\nTELEGRAM_TOKEN=%s\nDISCORD_TOKEN=%s\nNEAR_KEY=the-key-of-near\n",
		s.slack.AppToken(), s.slack.BotToken(), s.telegram.Token(), s.discord.Token())
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// doctor runs the program, and sees that no secret is printed.
func (s surroundings) doctor(t *testing.T, dir string, status int) string {
	t.Helper()
	p := finished(t, launch{args: []string{"doctor", "--dir", dir}, input: new(string)})
	p.wantExit(status)
	said := strings.Join(append(p.out.all(), p.err.all()...), "\n")
	for _, secret := range []string{s.slack.AppToken(), s.slack.BotToken(), s.telegram.Token(), s.discord.Token(), "the-key-of-near"} {
		if strings.Contains(said, secret) {
			t.Errorf("a secret is printed:\n%s", said)
		}
	}
	return said
}

func wantLines(t *testing.T, said string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(said, line) {
			t.Errorf("it does not say %q", line)
		}
	}
	if t.Failed() {
		t.Log("it said\n" + said)
	}
}

func TestTheDoctorFindsAllWell(t *testing.T) {
	t.Parallel()
	s := surround(t, slacksim.Options{}, telegramsim.Options{ReadsAll: true},
		discordsim.Options{Guilds: []discordsim.Guild{{Name: "Acme"}}}, llmsim.Options{Key: "the-key-of-near", Models: []string{"m"}})
	dir := s.office(t, "m")
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := finished(t, launch{args: []string{"doctor", "--dir", dir}, input: new(string)})
	said := strings.Join(p.out.all(), "\n")
	wantLines(t, said, "ok       slack: the bot token is that of", "ok       slack: this machine's clock agrees", "ok       slack: the app token opens connections",
		"ok       telegram: this machine's clock agrees", "ok       telegram: the bot reads", "ok       discord: this machine's clock agrees", "ok       discord: the bot may read messages", "ok       discord: the bot is on the office's server",
		"ok       provider near: it answers, and has m", "ok       store: there is no record yet", "ok       disk: ")
	if strings.Contains(said, "problem ") {
		t.Error(said)
	}
}

func TestTheDoctorFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := surround(t, slacksim.Options{Scopes: []string{"chat:write"}}, telegramsim.Options{},
		discordsim.Options{Disallowed: discordsim.IntentMessageContent}, llmsim.Options{Key: "another", Models: []string{"m"}})
	dir := s.office(t, "m")
	s.slack.RevokeToken(s.slack.AppToken(), "invalid_auth")
	if err := os.Chmod(filepath.Join(dir, ".env"), 0o644); err != nil {
		t.Fatal(err)
	}
	wantLines(t, s.doctor(t, dir, 2),
		"warning  .env:1:1: other users of this machine may open the file", "run chmod 600 .env",
		"warning  slack: the app lacks the scopes app_mentions:read", "problem  slack: adapters.slack.app_token: Slack's apps.connections.open: invalid_auth; copy it once more",
		"warning  telegram: privacy mode is on", "in BotFather: /setprivacy",
		"warning  discord: the Message Content Intent is switched off", "problem  discord: the bot is on no server; open https://discord.com/oauth2",
		"problem  provider near: 127.0.0.1", "does not accept the key",
	)
	if err := os.WriteFile(filepath.Join(dir, "office.yaml"), []byte("agents: {bob: {modle: demo}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantLines(t, s.doctor(t, dir, 2), `problem  office.yaml:1:16: agents.bob.modle: there is no such key here; did you mean "model"?`)
}
