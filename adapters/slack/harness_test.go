package slack

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/internal/rehearsal"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
	"bullpen/office"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come over loopback, in real time.
const patience = 30 * time.Second

// world is an office in a workspace: a rehearsed office, the adapter, and a stand-in
// for Slack.
type world struct {
	*rehearsal.Troupe
	srv    *sim.Server
	net    *memnet.Listener // in a bubble
	opt    Options
	sim    sim.Options
	limits time.Duration // the office's times for sends; 0: its own
	a      *Adapter
}

func workspace() sim.Workspace {
	everyone := []string{"U0BOT", "U0MARIA", "U0KIM", "U0LEE", "U0GUEST", "U0EXT", "U0CI"}
	return sim.Workspace{
		Name: "Acme",
		Users: []sim.User{
			{ID: "U0MARIA", Name: "maria", DisplayName: "Maria", Admin: true},
			{ID: "U0KIM", Name: "kim", DisplayName: "Kim"},
			{ID: "U0LEE", Name: "lee", DisplayName: "Lee"},
			{ID: "U0GUEST", Name: "guest", Guest: true},
			{ID: "U0EXT", Name: "ext", TeamID: "T9OTHER"},
			{ID: "U0CI", Name: "ci", Bot: true, BotID: "B0CI", AppID: "A0CI"},
		},
		Channels: []sim.Channel{
			{ID: "C0GEN", Name: "general", Members: everyone},
			{ID: "C0DEV", Name: "dev", Members: everyone},
			{ID: "C0OUT", Name: "outside", Members: []string{"U0MARIA"}},
			{ID: "C0OLD", Name: "old", Archived: true, Members: everyone},
		},
	}
}

// newWorld is an office of alice, who leads, and bob, with maria as its owner.
// Whoever is woken answers "ok".
func newWorld(t *testing.T, change ...func(*world)) *world {
	t.Helper()
	w := &world{
		Troupe: rehearsal.New(t, office.Account{Platform: "slack", ID: "U0MARIA"}),
		opt:    Options{Channels: map[string]Channel{"general": {Place: "C0GEN", InThread: true}, "dev": {Place: "#dev", InThread: true}}},
		sim:    sim.Options{Workspace: workspace()},
	}
	w.Summary = func() string { return w.srv.Summary() }
	w.Settled = func() bool { return w.srv.Unsettled() == 0 }
	w.Patience, w.Tick, w.Linger = patience, 2*time.Millisecond, 0
	for _, f := range change {
		f(w)
	}
	if w.net != nil {
		w.sim.Listener = w.net
		w.Patience, w.Tick = 24*time.Hour, 100*time.Millisecond
	}
	var err error
	if w.srv, err = sim.Start(w.sim); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.srv.Close() })
	w.start()
	t.Cleanup(w.Shut)
	return w
}

// bubble runs f in a synctest bubble with a world whose network and clock are
// its own.
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, append([]func(*world){func(w *world) { w.net = memnet.Listen("slack.sim") }}, change...)...)
		f(w)
		w.Shut()
		_ = w.srv.Close()
	})
}

var text = rehearsal.Text

// start opens the office and runs the adapter, as bullpen up does.
func (w *world) start() {
	w.Helper()
	opt := w.opt
	opt.APIURL, opt.AppToken, opt.BotToken = w.srv.APIURL(), w.srv.AppToken(), w.srv.BotToken()
	opt.Log = w.Logger()
	if w.net != nil {
		opt.Dial = w.net.Dial
		opt.HTTP = &http.Client{Transport: &http.Transport{DialContext: w.net.Dial, DisableKeepAlives: true}}
	}
	var err error
	if w.a, err = New(opt); err != nil {
		w.Fatal(err)
	}
	w.Setup.Limits.SendTime, w.Setup.Limits.SettleTime = w.limits, w.limits
	w.Open(w.a)
}

// connected waits until the adapter is connected and has read its gap.
func (w *world) connected() *world {
	w.Helper()
	w.Until("the adapter is connected", func() bool { return strings.Contains(w.State(), "connected") && w.srv.Sockets() == 1 })
	return w
}

// person says something in a channel.
func (w *world) says(user, channel, said string) string {
	w.Helper()
	ts, err := w.srv.User(user).Post(channel, said)
	if err != nil {
		w.Fatal(err)
	}
	return ts
}

// replies says something in a thread.
func (w *world) replies(user, channel, root, said string) string {
	w.Helper()
	ts, err := w.srv.User(user).Reply(channel, root, said)
	if err != nil {
		w.Fatal(err)
	}
	return ts
}

// dm says something to the bot.
func (w *world) dm(user, said string) string {
	w.Helper()
	ts, err := w.srv.User(user).DM(said)
	if err != nil {
		w.Fatal(err)
	}
	return ts
}

func (w *world) dmChannel(user string) string {
	w.Helper()
	id, err := w.srv.User(user).DMChannel()
	if err != nil {
		w.Fatal(err)
	}
	return id
}

// ours are the app's lasting posts in a channel, "author: what is shown".
func (w *world) ours(channel string) []string {
	var out []string
	for _, e := range w.srv.Transcript(channel) {
		if e.Ours && e.EphemeralTo == "" {
			out = append(out, e.Author+": "+e.Shown())
		}
	}
	return out
}

// whispers are what one person alone sees.
func (w *world) whispers(channel, user string) []string {
	var out []string
	for _, e := range w.srv.Transcript(channel) {
		if e.EphemeralTo == user {
			out = append(out, e.Shown())
		}
	}
	return out
}

// shows waits until the app's posts in a channel are exactly these.
func (w *world) shows(channel string, want ...string) {
	w.Helper()
	w.Shows(channel, func() []string { return w.ours(channel) }, want...)
}
