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
	s.see("bullpen doctor --dir " + dir)
	s.end(0)
	if all := s.all.String(); strings.Contains(all, srv.Token()) || strings.Contains(all, "notatoken") {
		t.Errorf("a token is shown:\n%s", all)
	}
	env, err := os.Stat(filepath.Join(dir, ".env"))
	if err != nil || env.Mode().Perm() != 0o600 {
		t.Errorf("the secrets are in %v (%v)", env, err)
	}
	p := finished(t, launch{args: []string{"validate", "--dir", dir}})
	p.wantExit(0)
	p.see(`office "Acme & Co"`)
}
