package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestASecondProcessOnTheSameFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	first := start(t, open(dir))
	first.feed("@alice are you there")
	first.see("alice: You wrote")
	began := time.Now()
	second := finished(t, whole(dir, "@alice and you\n"))
	t.Logf("refused after %s", time.Since(began))
	second.wantExit(1)
	pid := first.cmd.Process.Pid
	if got := second.err.all(); len(got) != 1 || !strings.HasPrefix(got[0], "bullpen: this office is already running: bullpen up, process "+fmt.Sprint(pid)) ||
		!strings.HasSuffix(got[0], fmt.Sprintf("stop it with: kill %d", pid)) {
		t.Errorf("it said %q", got)
	}
	first.feed("@alice still there")
	first.see("alice: You wrote: “@alice still there”")
	first.kill()
	third := finished(t, whole(dir, "@alice and now\n"))
	third.wantExit(0)
	third.see("alice: You wrote: “@alice and now”")
	r := readRecord(t, dir)
	r.wantSound(t)
	r.wantDone(t)
	if len(r.said("user", "@alice and you")) != 0 {
		t.Error("the second process stored something")
	}
}

// longAgo makes an office whose record has some pages.
func longAgo(t testing.TB) (dir, path string, data []byte) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "office")
	finished(t, whole(dir, everything.input())).wantExit(0)
	path = filepath.Join(dir, "bullpen.db")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return dir, path, data
}

func TestADamagedRecord(t *testing.T) {
	t.Parallel()
	const page = 4096
	tests := map[string]func(data []byte) []byte{
		"garbage":           func(d []byte) []byte { return bytes.Repeat([]byte("no database "), len(d)/12) },
		"empty":             func([]byte) []byte { return nil },
		"truncated":         func(d []byte) []byte { return d[:len(d)/2] },
		"cut by some bytes": func(d []byte) []byte { return d[:len(d)-100] },
		"first page zero":   func(d []byte) []byte { return append(make([]byte, page), d[page:]...) },
		"all but first zero": func(d []byte) []byte {
			return append(bytes.Clone(d[:page]), make([]byte, len(d)-page)...)
		},
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path, data := longAgo(t)
			spoilt := spoil(data)
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			wantDamageTold(t, finished(t, whole(dir, "")), path)
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, spoilt) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

// A page of zeros in the middle is told when it is come upon, which need not be
// at the start; it is not mended by what nobody knows.
func TestAPageOfZeros(t *testing.T) {
	t.Parallel()
	const page = 4096
	dir, path, data := longAgo(t)
	told := 0
	for at := page; at < len(data); at += page {
		spoilt := bytes.Clone(data)
		clear(spoilt[at : at+page])
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		p := finished(t, whole(dir, ""))
		if p.cmd.ProcessState.ExitCode() == 0 {
			continue
		}
		told++
		wantDamageTold(t, p, path)
		after, err := os.ReadFile(path)
		if err != nil || len(after) < at+page || !bytes.Equal(after[at:at+page], make([]byte, page)) {
			t.Errorf("page %d was written to (%v)", at/page, err)
		}
	}
	t.Logf("%d of %d pages were missed at the start", told, len(data)/page-1)
	if told == 0 {
		t.Error("no page is missed")
	}
}

// wantDamageTold: it said so in one sentence, and nothing else.
func wantDamageTold(t *testing.T, p *process, path string) {
	t.Helper()
	p.wantExit(1)
	if got := p.err.all(); len(got) != 1 || !strings.HasPrefix(got[0], "bullpen: ") || !strings.Contains(got[0], path+" is damaged") {
		t.Errorf("it said %q", got)
	}
	if len(p.out.all()) != 0 {
		t.Errorf("it printed\n%s", p.transcript())
	}
}

const mistaken = `
office:
  nmae: Acme
  limits: {shutdown_grace: 30}
agents:
  alice: {model: gpt, reports_to: carl}
  carol: {model: demo}
  user: {model: demo}
`

func TestMistakesInTheConfiguration(t *testing.T) {
	t.Parallel()
	located := regexp.MustCompile(`^office\.yaml:(\d+):(\d+): \S`)
	for _, verb := range []string{"up", "validate"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			dir := writeOffice(t, mistaken)
			p := finished(t, launch{args: []string{verb, "--dir", dir}, input: new(string)})
			p.wantExit(2)
			var places []string
			for _, line := range p.err.all() {
				if at := located.FindStringSubmatch(line); at != nil {
					places = append(places, at[1]+":"+at[2])
				}
			}
			if got := strings.Join(places, " "); got != "3:3 4:28 6:18 6:35 8:3" {
				t.Errorf("the mistakes are said to be at %s\n%s", got, p.transcript())
			}
			if n := len(p.err.all()); n != 6 { // and one line before them
				t.Errorf("it said %d lines\n%s", n, p.transcript())
			}
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != 1 {
				t.Errorf("the folder holds %v (%v), want office.yaml alone", files, err)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	dir := writeOffice(t, "agents: {alice: {model: demo}}\n")
	p := finished(t, launch{args: []string{"validate", "--dir", dir}})
	p.wantExit(0)
	p.see("is in order")
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v (%v), want office.yaml alone", files, err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	p = finished(t, launch{args: []string{"validate", "--dir", missing}})
	p.wantExit(2)
	if _, err := os.Stat(missing); err == nil {
		t.Error("validate made the folder")
	}
}
