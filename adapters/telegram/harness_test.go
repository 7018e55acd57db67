package telegram

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"bullpen/internal/rehearsal"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The people and chats of the tests.
const (
	maria, kim = 101, 102
	devs       = -1001000000001 // a supergroup with privacy mode off for the bot, who is an admin
	forum      = -1001000000002
	old        = -5001 // a plain group
)

// world is an office on Telegram in a bubble of its own time: a rehearsed office, the
// adapter, and a stand-in for Telegram.
type world struct {
	*rehearsal.Troupe
	srv *sim.Server
	net *memnet.Listener
	opt Options
	sim sim.Options
	a   *Adapter
}

var text = rehearsal.Text

// bubble runs f with an office of alice, who leads, and bob, with maria as its
// owner. Whoever is woken answers "ok".
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{
			Troupe: rehearsal.New(t, office.Account{Platform: "telegram", ID: "101"}),
			net:    memnet.Listen("telegram.sim"),
			sim: sim.Options{
				Users: []sim.User{{ID: maria, First: "Maria", Username: "maria_k"}, {ID: kim, First: "Kim"}},
				Groups: []sim.Group{
					{ID: devs, Title: "Devs", Supergroup: true, Members: []int64{maria, kim}, Admin: true},
					{ID: forum, Title: "Forum", Topics: map[int64]string{42: "Dev"}, Members: []int64{maria, kim}, Admin: true},
					{ID: old, Title: "Old", Members: []int64{maria, kim}, Admin: true},
				},
			},
		}
		w.Hears = woken
		w.Summary = func() string { return w.srv.Summary() }
		w.Settled = func() bool { return w.srv.Pending() == 0 }
		for _, c := range change {
			c(w)
		}
		w.sim.Listener = w.net
		var err error
		if w.srv, err = sim.Start(w.sim); err != nil {
			t.Fatal(err)
		}
		w.start()
		defer func() {
			w.Shut()
			_ = w.srv.Close()
		}()
		f(w)
	})
}

// linked links #dev to a place.
func linked(place string) func(*world) {
	return func(w *world) { w.opt.Channels = map[string]string{"dev": place} }
}

// woken is what woke the turn of a request.
func woken(req *model.Request) (string, bool) {
	last := ""
	for _, m := range req.Messages {
		if strings.Contains(m.Text, "| wake ") {
			last = m.Text
		}
	}
	return last, true
}

// start opens the office and runs the adapter, as bullpen up does.
func (w *world) start() {
	w.Helper()
	opt := w.opt
	opt.APIURL = w.srv.APIURL()
	if opt.Token == "" {
		opt.Token = w.srv.Token()
	}
	opt.Log = w.Logger()
	opt.HTTP = &http.Client{Transport: &http.Transport{DialContext: w.dial, DisableKeepAlives: true}}
	var err error
	if w.a, err = New(opt); err != nil {
		w.Fatal(err)
	}
	w.Open(w.a)
}

// dial opens a connection, unless Telegram is not reachable.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.srv.Offline() {
		return nil, errors.New("no route to host")
	}
	return w.net.Dial(ctx, network, address)
}

// abort ends both as a crash does: nothing is confirmed at the end.
func (w *world) abort() {
	w.srv.GoOffline()
	w.Shut()
	w.srv.GoOnline()
}

func (w *world) connected() *world {
	w.Helper()
	w.Until("the adapter is connected", func() bool { return strings.Contains(w.State(), "connected") && w.srv.Polling() })
	return w
}

// says writes into a chat.
func (w *world) says(who, chat int64, said string) int64 {
	w.Helper()
	return w.writes(who, sim.Said{Chat: chat, Text: said})
}

func (w *world) writes(who int64, said sim.Said) int64 {
	w.Helper()
	id, err := w.srv.User(who).Say(said)
	if err != nil {
		w.Fatal(err)
	}
	return id
}

// ours are the bot's messages in a chat.
func (w *world) ours(chat int64) []sim.Entry {
	return slices.DeleteFunc(w.srv.Transcript(chat), func(e sim.Entry) bool { return !e.Ours })
}

// texts are what they say.
func (w *world) texts(chat int64) []string {
	var out []string
	for _, e := range w.ours(chat) {
		out = append(out, e.Text)
	}
	return out
}

// shows waits until the bot's messages in a chat are exactly these.
func (w *world) shows(chat int64, want ...string) {
	w.Helper()
	w.Shows(fmt.Sprint(chat), func() []string { return w.texts(chat) }, want...)
}

// anchorOf names a message.
func anchorOf(channel string, seq int64) office.Anchor {
	return office.Anchor{Channel: office.ChannelID(channel), Seq: seq}
}

// colleague is a colleague's id.
func (w *world) colleague(name string) office.ColleagueID {
	w.Helper()
	v, err := w.Office.View(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range v.Colleagues {
		if c.Name == name {
			return c.ID
		}
	}
	w.Fatalf("there is no %s", name)
	return ""
}
