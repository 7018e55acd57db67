package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The people and chats of the tests.
const (
	maria, kim = 101, 102
	devs       = -1001000000001 // a supergroup with privacy mode off for the bot, who is an admin
	forum      = -1001000000002
	old        = -5001 // a plain group
)

// world is an office on Telegram in a bubble of its own time: a real office on its
// embedded store, real turns with a scripted model, the adapter, and a stand-in for
// Telegram.
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
	log     *sink
	b       *bridge.Bridge
	o       *office.Office
	a       *Adapter
	running sync.WaitGroup
	stop    context.CancelFunc
	ended   error // of Run

	mu    sync.Mutex
	asked []string          // what colleagues were given: "alice: text"
	last  map[string]string // all of the last request
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

func text(s string) *model.Response { return &model.Response{Text: s, Stop: model.StopEnd} }

// bubble runs f with an office of alice, who leads, and bob, with maria as its
// owner. Whoever is woken answers "ok".
func bubble(t *testing.T, f func(w *world), change ...func(*world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{
			T: t, dir: t.TempDir(), log: &sink{}, last: map[string]string{}, net: memnet.Listen("telegram.sim"),
			answer: func(context.Context, string, *model.Request) (*model.Response, error) { return text("ok"), nil },
			setup: office.Setup{
				ID: "acme", Name: "Acme", FrontDesk: "alice",
				People: []office.Person{{ID: "maria", Name: "Maria", Owner: true, Admin: true, Accounts: []office.Account{{Platform: "telegram", ID: "101"}}}},
				Colleagues: []office.ColleagueSetup{
					{Name: "alice", Role: office.Leader, Model: "alice"}, {Name: "bob", Role: office.Member, Model: "bob"},
				},
				Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
			},
			sim: sim.Options{
				Users: []sim.User{{ID: maria, First: "Maria", Username: "maria_k"}, {ID: kim, First: "Kim"}},
				Groups: []sim.Group{
					{ID: devs, Title: "Devs", Supergroup: true, Members: []int64{maria, kim}, Admin: true},
					{ID: forum, Title: "Forum", Topics: map[int64]string{42: "Dev"}, Members: []int64{maria, kim}, Admin: true},
					{ID: old, Title: "Old", Members: []int64{maria, kim}, Admin: true},
				},
			},
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
		}()
		f(w)
	})
}

// linked links #dev to a place.
func linked(place string) func(*world) {
	return func(w *world) { w.opt.Channels = map[string]string{"dev": place} }
}

// scripted is one colleague's model.
type scripted struct {
	w    *world
	name string
}

func (s scripted) Generate(ctx context.Context, req *model.Request, _ func(string)) (*model.Response, error) {
	s.w.mu.Lock()
	var all strings.Builder
	last := ""
	for _, m := range req.Messages {
		if all.WriteString(m.Text + "\n"); strings.Contains(m.Text, "| wake ") {
			last = m.Text
		}
	}
	s.w.asked = append(s.w.asked, s.name+": "+last)
	s.w.last[s.name] = all.String()
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
	opt.HTTP = &http.Client{Transport: &http.Transport{DialContext: w.dial, DisableKeepAlives: true}}
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
	models := map[string]model.Model{"alice": scripted{w, "alice"}, "bob": scripted{w, "bob"}}
	w.o, err = office.Open(context.Background(), office.Options{
		Store: kept, Setup: w.setup, Sender: w.b, Split: w.b.Split, Files: spool, Log: opt.Log,
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

// dial opens a connection, unless Telegram is not reachable.
func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.srv.Offline() {
		return nil, errors.New("no route to host")
	}
	return w.net.Dial(ctx, network, address)
}

// shut ends the office and the adapter; start begins them again.
func (w *world) shut() {
	if w.stop != nil {
		w.stop()
		w.stop = nil
	}
}

// abort ends both as a crash does: nothing is confirmed at the end.
func (w *world) abort() {
	w.srv.GoOffline()
	w.shut()
	w.srv.GoOnline()
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
	w.until("the adapter is connected", func() bool { return strings.Contains(w.state(), "connected") && w.srv.Polling() })
	return w
}

// idle waits until nobody has anything to do and Telegram waits for nothing.
func (w *world) idle() {
	w.Helper()
	w.until("all is quiet", func() bool {
		act, err := w.o.Activity(context.Background())
		return err == nil && act.Idle() && w.srv.Pending() == 0
	})
	time.Sleep(5 * time.Second) // of the bubble: receipts are shown in the background
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
	w.until(fmt.Sprintf("%d shows %q", chat, want), func() bool { return len(w.ours(chat)) >= len(want) })
	if got := w.texts(chat); !slices.Equal(got, want) {
		w.Fatalf("%d shows\n%q\nwant\n%q\nlog:\n%s", chat, got, want, w.log)
	}
}

// anchorOf names a message.
func anchorOf(channel string, seq int64) office.Anchor {
	return office.Anchor{Channel: office.ChannelID(channel), Seq: seq}
}

// colleague is a colleague's id.
func (w *world) colleague(name string) office.ColleagueID {
	w.Helper()
	v, err := w.o.View(context.Background())
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
