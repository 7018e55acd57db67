package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
