package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	discordsim "bullpen/internal/sim/discord"
	slacksim "bullpen/internal/sim/slack"
	telegramsim "bullpen/internal/sim/telegram"
)

// At a terminal, a mistake is told and asked about, and no token is shown.
func TestInitAtATerminal(t *testing.T) {
	t.Parallel()
	srv, err := telegramsim.Start(telegramsim.Options{ReadsAll: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	dir := filepath.Join(t.TempDir(), "acme")
	s := sit(t, "init", "--dir", dir, "--api-url", srv.APIURL())
	s.see("What is the office called [My office]: ")
	s.write("Acme & Co")
	s.see("your first colleague called [carol]: ")
	s.write("alice")
	s.see("there for [Team lead; plans the work and hands it on]: ")
	s.write("")
	s.see(`a colleague called "alice" already`)
	s.see("your first colleague called [carol]: ")
	s.write("@Dana")
	s.see("there for [")
	s.write("Keeps the books: all of them")
	s.see("provider:model-id")
	s.write("")
	s.see("Which platform")
	s.write("Telegram")
	s.see("(not shown): ")
	s.write("7001:AAnotatokenoftelegramatall000000000")
	s.see("Telegram does not know adapters.telegram.token")
	s.see("Once more")
	s.write("t")
	s.see("(not shown): ")
	s.write(srv.Token())
	s.see("ok       telegram: the token is that of @")
	s.see("bullpen up --dir " + dir)
	s.see("Your first message, in the chat with the bot")
	s.see("@Dana hello")
	s.see("bullpen doctor --dir " + dir)
	s.end(0)
	if all := s.all.String(); strings.Contains(all, srv.Token()) || strings.Contains(all, "notatoken") {
		t.Errorf("a token is shown:\n%s", all)
	}
	env, err := os.Stat(filepath.Join(dir, ".env"))
	if err != nil || env.Mode().Perm() != 0o600 {
		t.Errorf("the secrets are in %v (%v)", env, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  Dana:\n    description: ", "Keeps the books: all of them", "reports_to: Dana", "description: Reviews and tests"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("office.yaml has no %q:\n%s", want, text)
		}
	}
	p := finished(t, launch{args: []string{"validate", "--dir", dir}})
	p.wantExit(0)
	p.see(`office "Acme & Co"`)
}

// A key that is refused is asked for again, until one is taken.
func TestInitTriesTheKeyAtATerminal(t *testing.T) {
	t.Parallel()
	dir := keyedOffice(t, serveModels(t).URL())
	s := sit(t, "init", "--dir", dir, "--model", "openai:m")
	s.see("does not accept the key")
	s.see("Another key (k), or later (l) [k]: ")
	s.write("")
	s.see("(not shown): ")
	s.write("the-right-key")
	s.see("ok       provider openai: it takes the key, and has m")
	s.see("Which platform")
	s.write("none")
	s.see("Then type into that terminal:")
	s.see("@bob hello")
	s.end(0)
	if strings.Contains(s.all.String(), "-key\r") {
		t.Errorf("a key is shown:\n%s", s.all.String())
	}
}

// Slack's two tokens are asked for, told apart and tried; none is shown.
func TestInitSlackAtATerminal(t *testing.T) {
	t.Parallel()
	srv, err := slacksim.Start(slacksim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	dir := filepath.Join(t.TempDir(), "acme")
	s := sit(t, "init", "slack", "--dir", dir, "--api-url", srv.APIURL(), "--name", "Acme", "--colleague", "dana", "--description", "Plans", "--model", "demo")
	s.see("From a manifest")
	s.see("/office")
	tokens := func(app, bot string) {
		t.Helper()
		s.see("xapp-… (Basic Information, App-Level Tokens) (not shown): ")
		s.write(app)
		s.see("xoxb-… (OAuth & Permissions) (not shown): ")
		s.write(bot)
	}
	tokens(srv.BotToken(), srv.AppToken())
	s.see("adapters.slack.app_token")
	tokens(srv.AppToken(), "xoxb-1-nobody-knows-me")
	s.see("problem  slack: adapters.slack.bot_token: Slack's auth.test: invalid_auth; copy it once more")
	s.see("Once more")
	s.write("t")
	tokens(srv.AppToken(), srv.BotToken())
	s.see("ok       slack: the bot token is that of ")
	s.see("ok       slack: the app token opens connections")
	s.see("bullpen up --dir " + dir)
	s.see("Your first message, in the direct message with the app")
	s.see("@dana hello")
	s.end(0)
	for _, secret := range []string{srv.AppToken(), srv.BotToken(), "nobody-knows-me"} {
		if strings.Contains(s.all.String(), secret) {
			t.Errorf("a token is shown:\n%s", s.all.String())
		}
	}
}

// A Discord bot that is on no server yet is invited in between, by the address that
// is shown, and then looked at with the same token.
func TestInitDiscordAtATerminal(t *testing.T) {
	t.Parallel()
	const guild = "1100000000000000009"
	srv, err := discordsim.Start(discordsim.Options{Guilds: []discordsim.Guild{{ID: guild, Name: "Acme", Without: true}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	dir := filepath.Join(t.TempDir(), "acme")
	s := sit(t, "init", "discord", "--dir", dir, "--api-url", srv.APIURL(), "--name", "Acme", "--colleague", "dana", "--description", "Plans", "--model", "demo")
	s.see("Message Content Intent")
	s.see("(not shown): ")
	s.write(srv.Token())
	s.see("problem  discord: the bot is on no server; open https://discord.com/oauth2/authorize?")
	s.see("Once more")
	if err := srv.InviteBot(guild, 0); err != nil {
		t.Fatal(err)
	}
	s.write("s")
	s.see("ok       discord: the bot is on the office's server")
	s.see("Your first message, in the direct message with the bot")
	s.see("@dana hello")
	s.end(0)
	if strings.Contains(s.all.String(), srv.Token()) {
		t.Errorf("a token is shown:\n%s", s.all.String())
	}
}
