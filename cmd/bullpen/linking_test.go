package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	discordsim "bullpen/internal/sim/discord"
	slacksim "bullpen/internal/sim/slack"
	telegramsim "bullpen/internal/sim/telegram"
	"bullpen/office"
)

const (
	devsGroup       = -1001000000001
	mariasTelegram  = 101
	mariasDiscord   = "80000000000000101"
	serverOnDiscord = "80000000000000001"
	roomOnDiscord   = "80000000000000011"
)

// places is an office on three platforms, nothing of it linked.
type places struct {
	*testing.T
	slack    *slacksim.Server
	telegram *telegramsim.Server
	discord  *discordsim.Server
	dir      string
	b        *bridge.Bridge
}

func newPlaces(t *testing.T) *places {
	t.Helper()
	p := &places{T: t}
	var err error
	if p.slack, err = slacksim.Start(slacksim.Options{Workspace: slacksim.Workspace{
		Users:    []slacksim.User{{ID: "U0MARIA", Name: "maria", DisplayName: "Maria"}},
		Channels: []slacksim.Channel{{ID: "C0ROOM", Name: "room", Members: []string{"U0BOT", "U0MARIA"}}, {ID: "C0FAR", Name: "far", Members: []string{"U0MARIA"}}, {ID: "C0SIDE", Name: "side", Members: []string{"U0BOT"}}},
	}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.slack.Close() })
	if p.telegram, err = telegramsim.Start(telegramsim.Options{
		Users:  []telegramsim.User{{ID: mariasTelegram, First: "Maria"}, {ID: 102, First: "Kim"}},
		Groups: []telegramsim.Group{{ID: devsGroup, Title: "Devs", Supergroup: true, Members: []int64{mariasTelegram, 102}, Admin: true}},
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.telegram.Close() })
	if p.discord, err = discordsim.Start(discordsim.Options{
		Users:  []discordsim.User{{ID: mariasDiscord, Name: "maria"}},
		Guilds: []discordsim.Guild{{ID: serverOnDiscord, Name: "Acme", Members: []discordsim.Member{{User: "maria"}}, Channels: []discordsim.Channel{{ID: roomOnDiscord, Name: "room"}}}},
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.discord.Close() })
	p.dir = writeOffice(t, fmt.Sprintf(`# ours
office: {owner: maria, channels: {dev: {members: [alice]}}}
people:
  maria: {name: Maria, slack: U0MARIA, telegram: "%d", discord: "%s"}
adapters:
  slack: {app_token: "${SLACK_APP_TOKEN}", bot_token: "${SLACK_BOT_TOKEN}", api_url: %q}
  telegram: {token: "${TELEGRAM_TOKEN}", api_url: %q}
  discord: {token: "${DISCORD_TOKEN}", api_url: %q}
agents:
  alice: {model: demo} # the first
`, mariasTelegram, mariasDiscord, p.slack.APIURL(), p.telegram.APIURL(), p.discord.APIURL()))
	env := fmt.Sprintf("SLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\nTELEGRAM_TOKEN=%s\nDISCORD_TOKEN=%s\n",
		p.slack.AppToken(), p.slack.BotToken(), p.telegram.Token(), p.discord.Token())
	if err := os.WriteFile(filepath.Join(p.dir, ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// open runs the office until the returned function is called.
func (p *places) open() (shut func()) {
	p.Helper()
	cfg, err := load(p.dir, io.Discard)
	if err != nil {
		p.Fatal(err)
	}
	log, err := openLog(cfg)
	if err != nil {
		p.Fatal(err)
	}
	p.b = bridge.New(cfg.Setup.ID, command.NewSet())
	adapters, err := addAdapters(cfg, p.b, log.Logger)
	if err != nil {
		p.Fatal(err)
	}
	_, closeOffice, err := openOffice(p.Context(), cfg, p.b, log, "test", new(branches))
	if err != nil {
		p.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.Context()))
	var running sync.WaitGroup
	for _, a := range adapters {
		running.Go(func() { _ = a.Run(ctx, p.b) })
	}
	p.until("all are connected", func() bool {
		return strings.Count(strings.Join(p.b.Connections(), "\n"), ": connected") == len(adapters)
	})
	p.until("Discord knows the commands", func() bool { // they are told in the background
		names, _ := p.discord.Commands("")
		return len(names) > 0
	})
	return func() {
		cancel()
		running.Wait()
		if err := closeOffice(time.Second); err != nil {
			p.Error(err)
		}
		_ = log.close()
	}
}

func (p *places) until(what string, cond func() bool) {
	p.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); {
		if time.Now().After(end) {
			p.Fatalf("it never came to this: %s\n%s\nSlack: %q\nTelegram: %q\nDiscord: %q\n%s", what,
				strings.Join(p.b.Connections(), "\n"), p.on("slack"), p.on("telegram"), p.on("discord"), p.yaml())
		}
		select {
		case <-p.slack.Changed():
		case <-p.telegram.Changed():
		case <-time.After(20 * time.Millisecond): // the office itself tells nobody
		}
	}
}

// on is all that stands in the place on a platform.
func (p *places) on(platform string) string {
	var all []string
	switch platform {
	case "slack":
		for _, e := range p.slack.Transcript("room") {
			all = append(all, e.Shown())
		}
	case "telegram":
		for _, e := range p.telegram.Transcript(devsGroup) {
			all = append(all, e.Text)
		}
	case "discord":
		for _, e := range p.discord.Transcript(roomOnDiscord) {
			all = append(all, e.Text)
		}
	}
	return strings.Join(all, "\n")
}

func (p *places) yaml() string {
	text, err := os.ReadFile(filepath.Join(p.dir, "office.yaml"))
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

func (p *places) run(words ...string) string {
	p.Helper()
	a, err := p.b.Shell(p.Context(), words, true)
	if err != nil {
		p.Fatalf("%q: %v", words, err)
	}
	return a.Text
}

func (p *places) linked() int {
	n := 0
	for _, platform := range []string{"slack", "telegram", "discord"} {
		all, err := p.b.Office().Portals(p.Context(), platform)
		if err != nil {
			p.Fatal(err)
		}
		for _, x := range all {
			if x.Kind == office.ChannelPortal {
				n++
			}
		}
	}
	return n
}

// A place is linked where somebody stands, at once and for good, and unlinked the
// same way; what was said there before is nobody's business.
func TestPlacesAreLinkedWhileTheOfficeRuns(t *testing.T) {
	t.Parallel()
	p := newPlaces(t)
	shut := p.open()
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(p.slack.User("maria").Post("room", "@alice said before"))
	must(p.discord.User("maria").Say(roomOnDiscord, "@alice said before"))
	must(p.telegram.User(102).Say(telegramsim.Said{Chat: devsGroup, Text: "/link dev"})) // nobody may who is not known
	must(p.slack.User("maria").Slash("room", "/office", "link dev"))
	must(p.telegram.User(mariasTelegram).Say(telegramsim.Said{Chat: devsGroup, Text: "/link dev"}))
	must(p.discord.User("maria").Slash(roomOnDiscord, "channel link", map[string]any{"channel": "dev"}))
	p.until("three places are linked", func() bool { return p.linked() == 3 })
	for _, want := range []string{"# ours", "# the first", "dev: C0ROOM", "-1001000000001", roomOnDiscord} {
		if !strings.Contains(p.yaml(), want) {
			t.Errorf("%q is not in the file:\n%s", want, p.yaml())
		}
	}
	p.run("post", "dev", "good morning")
	everywhere := func(text string) func() bool {
		return func() bool {
			return strings.Contains(p.on("slack"), text) && strings.Contains(p.on("telegram"), text) && strings.Contains(p.on("discord"), text)
		}
	}
	p.until("all show it", everywhere("good morning"))
	must(p.slack.User("maria").Post("room", "said since"))
	p.until("it is heard", everywhere("said since"))
	if strings.Contains(p.on("telegram"), "said before") {
		t.Errorf("what was said before was read in:\n%s", p.on("telegram"))
	}
	for _, c := range []struct{ line, want string }{
		{"channel link dev slack:#side", "another place on slack"},
		{"link general slack:#room", "this place shows #dev"},
		{"link general slack:#far", "/invite"},
		{"link general slack:#none", "no channel #none"},
		{"link general", "type it in the place"},
		{"link general telegram:-1009", "in no chat"},
		{"link general telegram:room", "no chat"},
		{"link general discord:#none", "no channel #none"},
		{"unlink dev", "several places"},
		{"unlink general", "nowhere"},
	} {
		if a, err := p.b.Shell(t.Context(), strings.Fields(c.line), true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want %q", c.line, a.Text, err, c.want)
		}
	}

	shut()
	shut = p.open() // from the file
	if n := p.linked(); n != 3 {
		t.Errorf("opened again there are %d places", n)
	}
	if got := p.run("unlink", "dev", "platform=slack"); !strings.Contains(got, "no longer shown there") {
		t.Errorf("it says %q", got)
	}
	p.run("unlink", "dev", "platform=discord")
	if p.linked() != 1 || strings.Contains(p.yaml(), "C0ROOM") || strings.Contains(p.yaml(), roomOnDiscord) {
		t.Errorf("%d places are linked, and the file is\n%s", p.linked(), p.yaml())
	}
	must(p.slack.User("maria").Post("room", "unheard"))
	p.run("post", "dev", "good evening")
	p.until("it is shown where it is linked", func() bool { return strings.Contains(p.on("telegram"), "good evening") })
	if strings.Contains(p.on("slack")+p.on("discord"), "good evening") {
		t.Errorf("it is shown where it is not:\n%s\n%s", p.on("slack"), p.on("discord"))
	}
	// Linked again, what was said meanwhile stays unheard.
	p.run("link", "dev", "slack:#room")
	must(p.slack.User("maria").Post("room", "heard again"))
	p.until("it is heard again", func() bool { return strings.Contains(p.on("telegram"), "heard again") })
	shut()
	defer p.open()()
	if strings.Contains(p.on("telegram"), "unheard") {
		t.Errorf("what was said meanwhile was read in:\n%s", p.on("telegram"))
	}
}
