package slack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come: real time over
// loopback, the bubble's own in one.
const patience = 30 * time.Second

// world is an office in a workspace: a real office on its embedded store, real
// turns with a scripted model, the adapter, and a stand-in for Slack.
type world struct {
	*testing.T
	srv     *sim.Server
	net     *memnet.Listener // in a bubble
	dir     string
	answer  func(ctx context.Context, colleague string, req *model.Request) (*model.Response, error)
	setup   office.Setup
	access  bridge.Access
	opt     Options
	sim     sim.Options
	store   func(office.Store) office.Store
	limits  time.Duration // the office's times for sends; 0: its own
	log     *sink
	b       *bridge.Bridge
	o       *office.Office
	a       *Adapter
	running sync.WaitGroup
	stop    context.CancelFunc
	ended   error // of Run

	mu    sync.Mutex
	asked []string // what colleagues were given: "alice: text"
}

// sink is a log that tests read.
type sink struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
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
		T: t, dir: t.TempDir(), log: &sink{},
		answer: func(context.Context, string, *model.Request) (*model.Response, error) { return text("ok"), nil },
		setup: office.Setup{
			ID: "acme", Name: "Acme", FrontDesk: "alice",
			People: []office.Person{{ID: "maria", Name: "Maria", Owner: true, Admin: true, Accounts: []office.Account{{Platform: "slack", ID: "U0MARIA"}}}},
			Colleagues: []office.ColleagueSetup{
				{Name: "alice", Role: office.Leader, Model: "alice"},
				{Name: "bob", Role: office.Member, Model: "bob"},
			},
			Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
		},
		opt: Options{Channels: map[string]Channel{"general": {Place: "C0GEN", InThread: true}, "dev": {Place: "#dev", InThread: true}}},
		sim: sim.Options{Workspace: workspace()},
	}
	for _, f := range change {
		f(w)
	}
	if w.net != nil {
		w.sim.Listener = w.net
	}
	var err error
	if w.srv, err = sim.Start(w.sim); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.srv.Close() })
	w.start()
	t.Cleanup(w.shut)
	return w
}

// bubble runs f in a synctest bubble with a world whose network and clock are
// its own.
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, append([]func(*world){func(w *world) { w.net = memnet.Listen("slack.sim") }}, change...)...)
		f(w)
		w.shut()
		_ = w.srv.Close()
	})
}

func text(s string) *model.Response { return &model.Response{Text: s, Stop: model.StopEnd} }

// scripted is one colleague's model.
type scripted struct {
	w    *world
	name string
}

func (s scripted) Generate(ctx context.Context, req *model.Request, _ func(string)) (*model.Response, error) {
	s.w.mu.Lock()
	s.w.asked = append(s.w.asked, s.name+": "+req.Messages[len(req.Messages)-1].Text)
	s.w.mu.Unlock()
	return s.w.answer(ctx, s.name, req)
}

// turns are what colleagues were given so far.
func (w *world) turns() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// start opens the office and runs the adapter, as bullpen up does.
func (w *world) start() {
	w.Helper()
	opt := w.opt
	opt.APIURL, opt.AppToken, opt.BotToken = w.srv.APIURL(), w.srv.AppToken(), w.srv.BotToken()
	opt.Log = slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if w.net != nil {
		opt.Dial = w.net.Dial
		opt.HTTP = &http.Client{Transport: &http.Transport{DialContext: w.net.Dial, DisableKeepAlives: true}}
	}
	var err error
	if w.a, err = New(opt); err != nil {
		w.Fatal(err)
	}
	w.b = bridge.New(w.setup.ID, command.NewSet())
	w.b.Add(w.a, w.access)
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: filepath.Join(w.dir, "record")})
	if err != nil {
		w.Fatal(err)
	}
	registry, err := tool.New()
	if err != nil {
		w.Fatal(err)
	}
	spool, err := files.Open(filepath.Join(w.dir, "files"), time.Now())
	if err != nil {
		w.Fatal(err)
	}
	models := map[string]model.Model{"alice": scripted{w, "alice"}, "bob": scripted{w, "bob"}}
	kept := office.Store(store)
	if w.store != nil {
		kept = w.store(store)
	}
	setup := w.setup
	setup.Limits.SendTime, setup.Limits.SettleTime = w.limits, w.limits
	w.o, err = office.Open(context.Background(), office.Options{
		Store: kept, Setup: setup, Sender: w.b, Split: w.b.Split, Files: spool, Log: opt.Log,
		Runner: &agent.Runner{
			Tools: registry, Folder: filepath.Join(w.dir, "agents"), Log: opt.Log,
			Models: func(ref string) (model.Model, error) { return models[ref], nil },
			Prompt: func(_ context.Context, _ *office.Office, c *office.Colleague) (prompt.Prompt, error) {
				return prompt.Compose(prompt.Input{Office: "Acme", Name: c.Name, Role: string(c.Role)}), nil
			},
		},
	})
	if err != nil {
		w.Fatal(errors.Join(err, store.Close()))
	}
	w.b.Attach(w.o)
	ctx, cancel := context.WithCancel(context.Background())
	a, b, o := w.a, w.b, w.o
	w.running.Go(func() { w.ended = a.Run(ctx, b) })
	w.stop = func() {
		cancel()
		w.running.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := o.Close(ctx); err != nil && !errors.Is(err, office.ErrFenced) {
			w.Error(err)
		}
		if err := store.Close(); err != nil {
			w.Error(err)
		}
	}
}

// shut ends the office and the adapter; start begins them again.
func (w *world) shut() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// connected waits until the adapter is connected and has read its gap.
func (w *world) connected() *world {
	w.Helper()
	w.until("the adapter is connected", func() bool { return strings.Contains(w.state(), "connected") && w.srv.Sockets() == 1 })
	return w
}

// state is the state of the connection as people see it.
func (w *world) state() string { return strings.Join(w.b.Connections(), "\n") }

// until waits for a condition.
func (w *world) until(what string, cond func() bool) {
	w.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := patience
	if w.net != nil {
		limit = 24 * time.Hour
		tick.Reset(100 * time.Millisecond)
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-late.C:
			w.Fatalf("it never came to this: %s\nstate: %s\nasked: %q\n%s\nlog:\n%s", what, w.state(), w.turns(), w.srv.Summary(), w.log)
		}
	}
}

// idle waits until nobody has anything to do and Slack waits for nothing.
func (w *world) idle() {
	w.Helper()
	w.until("all is quiet", func() bool {
		act, err := w.o.Activity(context.Background())
		return err == nil && act.Idle() && w.srv.Unsettled() == 0
	})
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
	w.until(fmt.Sprintf("%s shows %q", channel, want), func() bool { return len(w.ours(channel)) >= len(want) })
	if got := w.ours(channel); !slices.Equal(got, want) {
		w.Fatalf("%s shows\n%q\nwant\n%q\nlog:\n%s", channel, got, want, w.log)
	}
}

// count is how many turns were given a text.
func (w *world) count(part string) int {
	n := 0
	for _, t := range w.turns() {
		if strings.Contains(t, part) {
			n++
		}
	}
	return n
}
