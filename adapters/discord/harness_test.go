package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"bullpen/bridge"
	"bullpen/bridge/command"
	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"
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

// world is an office on Discord in a bubble of its own time: a real office on its
// embedded store, real turns with a scripted model, the adapter, and a stand-in for
// Discord.
type world struct {
	*testing.T
	srv     *sim.Server
	net     *memnet.Listener
	dir     string
	answer  func(ctx context.Context, colleague string, req *model.Request) (*model.Response, error)
	setup   office.Setup
	access  bridge.Access
	opt     Options
	sim     sim.Options
	store   func(office.Store) office.Store
	declare office.Declaration
	log     *sink
	b       *bridge.Bridge
	o       *office.Office
	a       *Adapter
	cut     bool // the network is away
	running sync.WaitGroup
	stop    context.CancelFunc
	ended   error // of Run

	mu    sync.Mutex
	asked []string // what colleagues were given: "alice: text"
}

var secretPath = regexp.MustCompile(`(webhooks|interactions)/[0-9]+/[A-Za-z0-9_-]{16,}`)

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

func text(s string) *model.Response { return &model.Response{Text: s, Stop: model.StopEnd} }

// bubble runs f with an office of alice, who leads, and bob, with maria as its
// owner. Whoever is woken answers "ok".
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &world{
			T: t, dir: t.TempDir(), log: &sink{}, net: memnet.Listen("discord.sim"),
			answer: func(context.Context, string, *model.Request) (*model.Response, error) { return text("ok"), nil },
			setup: office.Setup{
				ID: "acme", Name: "Acme", FrontDesk: "alice",
				People: []office.Person{{ID: "maria", Name: "Maria", Owner: true, Admin: true, Accounts: []office.Account{{Platform: "discord", ID: maria}}}},
				Colleagues: []office.ColleagueSetup{
					{Name: "alice", Role: office.Leader, Model: "alice"}, {Name: "bob", Role: office.Member, Model: "bob"},
				},
				Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
			},
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
			w.shut()
			_ = w.srv.Close()
			// Nothing that was logged or told holds a token of the bot's, of a webhook or of
			// an interaction (B66).
			for _, text := range []string{w.log.String(), w.state()} {
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

// start opens the office and runs the adapter, as bullpen up does.
func (w *world) start() {
	w.Helper()
	opt := w.opt
	opt.APIURL = w.srv.APIURL()
	if opt.Token == "" {
		opt.Token = w.srv.Token()
	}
	opt.Log = slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	opt.Dial = w.dial
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
	kept := office.Store(store)
	if w.store != nil {
		kept = w.store(store)
	}
	spool, err := files.Open(filepath.Join(w.dir, "files"), time.Now())
	if err != nil {
		w.Fatal(err)
	}
	models := map[string]model.Model{}
	for _, c := range w.setup.Colleagues {
		models[c.Model] = scripted{w, c.Name}
	}
	w.o, err = office.Open(context.Background(), office.Options{
		Store: kept, Setup: w.setup, Declaration: w.declare, Sender: w.b, Split: w.b.Split, Files: spool, Log: opt.Log,
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

// dial opens a connection, unless the network is away.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	cut := w.cut
	w.mu.Unlock()
	if cut {
		return nil, errors.New("no route to host")
	}
	return w.net.Dial(ctx, network, address)
}

// goAway cuts the network, comeBack mends it.
func (w *world) goAway() {
	w.mu.Lock()
	w.cut = true
	w.mu.Unlock()
	w.srv.GoOffline()
}

func (w *world) comeBack() {
	w.srv.GoOnline()
	w.mu.Lock()
	w.cut = false
	w.mu.Unlock()
}

// shut ends the office and the adapter; start begins them again.
func (w *world) shut() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// state is the state of the connection as people see it.
func (w *world) state() string { return strings.Join(w.b.Connections(), "\n") }

// until waits for a condition.
func (w *world) until(what string, cond func() bool) {
	w.Helper()
	for begin := time.Now(); !cond(); time.Sleep(100 * time.Millisecond) { // of the bubble
		if time.Since(begin) > time.Hour {
			w.Fatalf("it never came to this: %s\nstate: %s\nasked: %q\n%s\nlog:\n%s", what, w.state(), w.turns(), w.srv.Summary(), w.log)
		}
	}
}

func (w *world) connected() *world {
	w.Helper()
	w.until("the adapter is connected", func() bool { return strings.Contains(w.state(), "discord: connected") && w.srv.Connected() == 1 })
	return w
}

// idle waits until nobody has anything to do.
func (w *world) idle() {
	w.Helper()
	w.until("all is quiet", func() bool {
		act, err := w.o.Activity(context.Background())
		return err == nil && act.Idle()
	})
	time.Sleep(5 * time.Second) // of the bubble: receipts are shown in the background
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
	w.until(fmt.Sprintf("%s shows %q", channel, want), func() bool { return len(w.entries(channel)) >= len(want) })
	if got := w.texts(channel); !slices.Equal(got, want) {
		w.Fatalf("%s shows\n%q\nwant\n%q\nlog:\n%s", channel, got, want, w.log)
	}
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
