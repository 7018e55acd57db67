package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
