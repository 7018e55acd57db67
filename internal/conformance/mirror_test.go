package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/adapters/slack"
	"bullpen/adapters/telegram"
	"bullpen/internal/rehearsal"
	slacksim "bullpen/internal/sim/slack"
	telegramsim "bullpen/internal/sim/telegram"
	"bullpen/office"
)

const (
	devs            = -1001000000001
	maria, kim, eve = 101, 102, 103
	// patience is how long a test waits for what must come.
	patience = 30 * time.Second
)

// world is one office in a Slack workspace and on Telegram, with #dev on both.
type world struct {
	*rehearsal.Troupe
	slack    *slacksim.Server
	telegram *telegramsim.Server
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Troupe: rehearsal.New(t, office.Account{Platform: "slack", ID: "U0MARIA"}, office.Account{Platform: "telegram", ID: "101"})}
	w.Patience, w.Tick, w.Linger = patience, 20*time.Millisecond, 0
	w.Summary = func() string { return fmt.Sprintf("Slack: %q\nTelegram: %q", w.onSlack(), w.onTelegram()) }
	var err error
	if w.slack, err = slacksim.Start(slacksim.Options{Workspace: slacksim.Workspace{
		Name: "Acme", Users: []slacksim.User{{ID: "U0LEE", Name: "lee", DisplayName: "Lee"}, {ID: "U0MARIA", Name: "maria", DisplayName: "Maria"}},
		Channels: []slacksim.Channel{{ID: "C0DEV", Name: "dev", Members: []string{"U0BOT", "U0LEE", "U0MARIA"}}},
	}}); err != nil {
		t.Fatal(err)
	}
	if w.telegram, err = telegramsim.Start(telegramsim.Options{
		Users:  []telegramsim.User{{ID: maria, First: "Maria"}, {ID: kim, First: "Kim"}},
		Groups: []telegramsim.Group{{ID: devs, Title: "Devs", Supergroup: true, Members: []int64{maria, kim}, Admin: true}},
	}); err != nil {
		t.Fatal(err)
	}
	s, err := slack.New(slack.Options{
		AppToken: slacksim.DefaultAppToken, BotToken: slacksim.DefaultBotToken, APIURL: w.slack.APIURL(),
		Channels: map[string]slack.Channel{"dev": {Place: "C0DEV"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := telegram.New(telegram.Options{Token: w.telegram.Token(), APIURL: w.telegram.APIURL(), Channels: map[string]string{"dev": "-1001000000001"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Cleanup(func() {
		w.Shut()
		if err := errors.Join(w.slack.Close(), w.telegram.Close()); err != nil {
			w.Error(err)
		}
	})
	w.Open(s, g)
	w.Until("both are connected", func() bool { return strings.Count(w.State(), ": connected") == 2 })
	return w
}

// onSlack is what stands in the channel in Slack, as "author: text".
func (w *world) onSlack() []string {
	var out []string
	for _, e := range w.slack.Transcript("dev") {
		if e.EphemeralTo == "" {
			out = append(out, e.Author+": "+e.Shown())
		}
	}
	return out
}

// onTelegram is what stands in the group on Telegram.
func (w *world) onTelegram() []string {
	var out []string
	for _, e := range w.telegram.Transcript(devs) {
		if e.Ours {
			author, text, _ := strings.Cut(e.Text, "\n")
			out = append(out, author+": "+text)
		} else {
			out = append(out, e.Author+": "+e.Text)
		}
	}
	return out
}

func (w *world) both(want ...string) {
	w.Helper()
	w.Until("both show "+strings.Join(want, " | "), func() bool { return slices.Equal(w.onSlack(), want) && slices.Equal(w.onTelegram(), want) })
}

// What is said on one platform appears on the other under its author's name, with
// what becomes of it, and never comes back.
func TestAChannelOnTwoPlatformsIsOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, err := w.slack.User("lee").Post("dev", "morning all")
	if err != nil {
		t.Fatal(err)
	}
	w.both("Lee: morning all")
	second, err := w.telegram.User(kim).Say(telegramsim.Said{Chat: devs, Text: "@alice hi"})
	if err != nil {
		t.Fatal(err)
	}
	w.both("Lee: morning all", "Kim: @alice hi", "alice: ok")

	// A thread on one side is replies on the other.
	if _, err := w.slack.User("lee").Reply("dev", first, "in the thread"); err != nil {
		t.Fatal(err)
	}
	w.both("Lee: morning all", "Kim: @alice hi", "alice: ok", "Lee: in the thread")
	shown := w.telegram.Transcript(devs)
	if last := shown[len(shown)-1]; last.ReplyTo != shown[0].ID {
		t.Errorf("the reply stands alone: %+v", last)
	}

	// Edits follow, and so does a deletion.
	if err := w.slack.User("lee").Edit("dev", first, "good morning"); err != nil {
		t.Fatal(err)
	}
	w.both("Lee: good morning", "Kim: @alice hi", "alice: ok", "Lee: in the thread")
	if err := w.telegram.User(kim).Edit(devs, second, "@alice hello"); err != nil {
		t.Fatal(err)
	}
	w.both("Lee: good morning", "Kim: @alice hello", "alice: ok", "Lee: in the thread")
	replies := w.slack.Thread("dev", first)
	if err := w.slack.User("lee").Delete("dev", replies[len(replies)-1].TS); err != nil {
		t.Fatal(err)
	}
	w.both("Lee: good morning", "Kim: @alice hello", "alice: ok")
}

// A talk goes on where it was asked, whatever else its person has.
func TestATalkGoesOnWhereItWasAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dm, err := w.slack.User("maria").DMChannel()
	if err != nil {
		t.Fatal(err)
	}
	ours := func() (slack, telegram int) {
		for _, e := range w.slack.Transcript(dm) {
			if e.Ours {
				slack++
			}
		}
		for _, e := range w.telegram.Transcript(maria) {
			if e.Ours {
				telegram++
			}
		}
		return slack, telegram
	}
	w.telegram.User(maria).DM("hello from my phone")
	w.Until("it is answered on the phone", func() bool { s, g := ours(); return s == 0 && g == 1 })
	if _, err := w.slack.User("maria").DM("hello from my desk"); err != nil {
		t.Fatal(err)
	}
	w.Until("it is answered at the desk", func() bool { s, g := ours(); return s == 1 && g == 1 })
}
