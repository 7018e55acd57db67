package discord

import (
	"context"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
	"bullpen/office"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The ids of the tests' server and people. Bubbles begin in this century's first
// year; ids of Discord's have as many digits as today only from 2022 on.
const (
	server     = "1100000000000000001"
	maria, kim = "1100000000000000101", "1100000000000000102"
	dev, talk  = "1100000000000000201", "1100000000000000202"
	posts      = "1100000000000000203" // a forum
	today      = 27 * 366 * 24 * time.Hour
)

// world is an office on Discord in a bubble of its own time: a rehearsed office, the
// adapter, and a stand-in for Discord.
type world struct {
	*rehearsal.Troupe
	srv *sim.Server
	net *memnet.Listener
	opt Options
	sim sim.Options
	a   *Adapter
	cut atomic.Bool // the network is away
}

var secretPath = regexp.MustCompile(`(webhooks|interactions)/[0-9]+/[A-Za-z0-9_-]{16,}`)

var text = rehearsal.Text

// bubble runs f with an office of alice, who leads, and bob, with maria as its
// owner. Whoever is woken answers "ok".
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &world{
			Troupe: rehearsal.New(t, office.Account{Platform: "discord", ID: maria}),
			net:    memnet.Listen("discord.sim"),
			sim: sim.Options{
				Users: []sim.User{{ID: maria, Name: "maria", GlobalName: "Maria"}, {ID: kim, Name: "kim", GlobalName: "Kim"}},
				Guilds: []sim.Guild{{
					ID: server, Name: "Acme", Members: []sim.Member{{User: "maria"}, {User: "kim"}},
					Roles: []sim.Role{{Name: "alice", Mentionable: true}, {Name: "Leaders", Mentionable: true}, {Name: "guests", Mentionable: true}},
					Channels: []sim.Channel{
						{ID: dev, Name: "dev"}, {ID: talk, Name: "talk"}, {ID: posts, Name: "ideas", Type: sim.Forum},
					},
				}},
			},
			opt: Options{Channels: map[string]Channel{"dev": {Place: "#dev"}}},
		}
		w.Summary = func() string { return w.srv.Summary() }
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
			// Nothing that was logged or told holds a token of the bot's, of a webhook or of
			// an interaction (B66).
			for _, text := range []string{w.Logged.String(), w.State()} {
				if strings.Contains(text, w.srv.Token()) || secretPath.MatchString(text) {
					w.Errorf("a secret is shown: %s", text)
				}
			}
		}()
		f(w)
	})
}

// linked links #dev to a place.
func linked(set Channel) func(*world) {
	return func(w *world) { w.opt.Channels = map[string]Channel{"dev": set} }
}

var inThreads = linked(Channel{Place: dev, InThread: true})

// start opens the office and runs the adapter, as bullpen up does.
func (w *world) start() {
	w.Helper()
	opt := w.opt
	opt.APIURL = w.srv.APIURL()
	if opt.Token == "" {
		opt.Token = w.srv.Token()
	}
	opt.Log = w.Logger()
	opt.Dial = w.dial
	var err error
	if w.a, err = New(opt); err != nil {
		w.Fatal(err)
	}
	w.Open(w.a)
}

// dial opens a connection, unless the network is away.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.cut.Load() {
		return nil, errors.New("no route to host")
	}
	return w.net.Dial(ctx, network, address)
}

// goAway cuts the network, comeBack mends it.
func (w *world) goAway() {
	w.cut.Store(true)
	w.srv.GoOffline()
}

func (w *world) comeBack() {
	w.srv.GoOnline()
	w.cut.Store(false)
}

func (w *world) connected() *world {
	w.Helper()
	w.Until("the adapter is connected", func() bool { return strings.Contains(w.State(), "discord: connected") && w.srv.Connected() == 1 })
	return w
}

// says writes into a channel; an empty one is the DM.
func (w *world) says(who, channel, said string) string {
	w.Helper()
	return w.sends(who, sim.Said{Channel: channel, Text: said})
}

func (w *world) sends(who string, said sim.Said) string {
	w.Helper()
	id, err := w.srv.User(who).Send(said)
	if err != nil {
		w.Fatal(err)
	}
	return id
}

// entries are the office's messages in a channel.
func (w *world) entries(channel string) []sim.Entry {
	return slices.DeleteFunc(w.srv.Transcript(channel), func(e sim.Entry) bool { return !e.Ours })
}

// texts are what they say: "alice: ok".
func (w *world) texts(channel string) []string {
	var out []string
	for _, e := range w.entries(channel) {
		out = append(out, e.Author+": "+e.Text)
	}
	return out
}

// shows waits until the office's messages in a channel are exactly these.
func (w *world) shows(channel string, want ...string) {
	w.Helper()
	w.Shows(channel, func() []string { return w.texts(channel) }, want...)
}

// entry is one message of a channel.
func (w *world) entry(channel, id string) sim.Entry {
	w.Helper()
	for _, e := range w.srv.Transcript(channel) {
		if e.ID == id {
			return e
		}
	}
	w.Fatalf("there is no message %s in %s", id, channel)
	return sim.Entry{}
}
