package conformance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"
)

// errNoButton means that a message has no such button.
var errNoButton = errors.New("there is no such button")

// stages are the platforms on which every story is told.
var stages = map[string]func() (stage, error){"slack": slackStage, "telegram": telegramStage, "discord": discordStage}

// today is how much later than a bubble's clock the stories play: Discord's ids have
// as many digits as today's only from 2022 on.
const today = 27 * 366 * 24 * time.Hour

// scene is an office of alice, who leads, and bob, in the channel #dev, on one stage
// and in a bubble of its own time. Whoever is woken answers "ok".
type scene struct {
	*testing.T
	stage
	dir      string
	inThread bool
	setup    office.Setup
	answer   func(name string, req *model.Request) *model.Response
	b        *bridge.Bridge
	o        *office.Office
	stop     func()
	logged   strings.Builder

	mu    sync.Mutex
	asked []string // what colleagues were given: "alice: text"
}

// Write takes what is logged.
func (s *scene) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logged.Write(p)
}

// tell tells a story on every platform.
func tell(t *testing.T, story func(s *scene), change ...func(*scene)) {
	t.Helper()
	t.Parallel()
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(today) // of the bubble
				on, err := open()
				if err != nil {
					t.Fatal(err)
				}
				s := &scene{
					T: t, stage: on, dir: t.TempDir(),
					answer: func(string, *model.Request) *model.Response { return text("ok") },
					setup: office.Setup{
						ID: "acme", Name: "Acme", FrontDesk: "alice",
						People: []office.Person{
							{ID: "maria", Name: "Maria", Owner: true, Admin: true, Accounts: []office.Account{{Platform: name, ID: on.account(asMaria)}}},
							{ID: "kim", Name: "Kim", Accounts: []office.Account{{Platform: name, ID: on.account(asKim)}}},
						},
						Colleagues: []office.ColleagueSetup{
							{Name: "alice", Role: office.Leader, Model: "alice"}, {Name: "bob", Role: office.Member, Model: "bob"},
						},
						Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
					},
				}
				for _, f := range change {
					f(s)
				}
				s.start()
				defer func() {
					s.shut()
					if err := on.close(); err != nil {
						t.Error(err)
					}
				}()
				story(s)
			})
		})
	}
}

func text(s string) *model.Response { return &model.Response{Text: s, Stop: model.StopEnd} }

// calls is a turn's step that uses a tool.
func calls(name, args string) *model.Response {
	return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: name, Args: []byte(args)}}}
}

// wakes is what woke a turn, and afterwards whether a tool has answered.
func wakes(req *model.Request) (text string, tool bool) {
	for _, m := range req.Messages {
		if m.Role == model.RoleTool {
			tool = true
		} else if m.Role == model.RoleUser {
			text, tool = m.Text, false
		}
	}
	return text, tool
}

// scripted is one colleague's model.
type scripted struct {
	s    *scene
	name string
}

func (x scripted) Generate(_ context.Context, req *model.Request, _ func(string)) (*model.Response, error) {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if woken, tool := wakes(req); !tool {
		x.s.asked = append(x.s.asked, x.name+": "+woken)
	}
	return x.s.answer(x.name, req), nil
}

// asks counts the turns of a colleague that were given a text.
func (s *scene) asks(name, part string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, a := range s.asked {
		if strings.HasPrefix(a, name+": ") && strings.Contains(a, part) {
			n++
		}
	}
	return n
}

// start opens the office and runs the adapter, as bullpen up does, and waits until
// it listens.
func (s *scene) start() {
	s.Helper()
	log := slog.New(slog.NewTextHandler(s, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a, err := s.adapter(s.inThread)
	if err != nil {
		s.Fatal(err)
	}
	s.b = bridge.New(s.setup.ID, command.NewSet())
	s.b.Add(a, bridge.Access{})
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: filepath.Join(s.dir, "record")})
	if err != nil {
		s.Fatal(err)
	}
	registry, err := tool.New()
	if err != nil {
		s.Fatal(err)
	}
	spool, err := files.Open(filepath.Join(s.dir, "files"), time.Now())
	if err != nil {
		s.Fatal(err)
	}
	s.o, err = office.Open(context.Background(), office.Options{
		Store: store, Setup: s.setup, Sender: s.b, Split: s.b.Split, Files: spool, Log: log,
		Runner: &agent.Runner{
			Tools: registry, Folder: filepath.Join(s.dir, "agents"), Log: log,
			Models: func(ref string) (model.Model, error) { return scripted{s, ref}, nil },
			Prompt: func(_ context.Context, _ *office.Office, c *office.Colleague) (prompt.Prompt, error) {
				return prompt.Compose(prompt.Input{Office: "Acme", Name: c.Name, Role: string(c.Role)}), nil
			},
		},
	})
	if err != nil {
		s.Fatal(errors.Join(err, store.Close()))
	}
	s.b.Attach(s.o)
	ctx, cancel := context.WithCancel(context.Background())
	o, b := s.o, s.b
	var running sync.WaitGroup
	running.Go(func() { _ = a.Run(ctx, b) }) // what ended it is in the state
	s.stop = func() {
		cancel()
		running.Wait()
		late, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := errors.Join(o.Close(late), store.Close()); err != nil {
			s.Error(err)
		}
	}
	s.until("the adapter is connected", func() bool { return strings.Contains(s.state(), ": connected") && s.up() })
}

func (s *scene) shut() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// restart ends the office and opens it again.
func (s *scene) restart() {
	s.Helper()
	s.shut()
	s.start()
}

func (s *scene) state() string { return strings.Join(s.b.Connections(), "\n") }

// until waits for a condition, for an hour of the bubble's.
func (s *scene) until(what string, cond func() bool) {
	s.Helper()
	for begin := time.Now(); !cond(); time.Sleep(100 * time.Millisecond) { // of the bubble
		if time.Since(begin) > time.Hour {
			s.mu.Lock()
			log, asked := s.logged.String(), slices.Clone(s.asked)
			s.mu.Unlock()
			s.Fatalf("it never came to this: %s\nstate: %s\nasked: %q\n%s\nlog:\n%s", what, s.state(), asked, s.summary(), log[max(0, len(log)-6000):])
		}
	}
}

// idle waits until nobody has anything to do, and what is shown in the background
// had time to be.
func (s *scene) idle() {
	s.Helper()
	s.until("all is quiet", func() bool {
		act, err := s.o.Activity(context.Background())
		return err == nil && act.Idle() && s.settled()
	})
	time.Sleep(5 * time.Second) // of the bubble
}

// lacks says whether the platform falls short of something.
func (s *scene) lacks(what shortfall) bool {
	_, short := lacks[s.platform()][what]
	return short
}

// says writes a message and gives its id.
func (s *scene) says(who string, at where, x said) string {
	s.Helper()
	id, err := s.say(who, at, x)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// types writes a text.
func (s *scene) types(who string, at where, words string) string {
	s.Helper()
	return s.says(who, at, said{text: words})
}

// ours are the lasting messages of the office in a place, "author: text".
func (s *scene) ours(at where) []string {
	var out []string
	for _, l := range s.lines(at) {
		out = append(out, l.author+": "+l.text)
	}
	return out
}

// lines are the lasting messages of the office in a place.
func (s *scene) lines(at where) []line {
	who := asMaria
	if at.dm != "" {
		who = at.dm
	}
	return slices.DeleteFunc(s.shown(who, at), func(l line) bool { return !l.ours || l.only != "" })
}

// shows waits until the office's messages in a place are exactly these.
func (s *scene) shows(at where, want ...string) {
	s.Helper()
	s.until(fmt.Sprintf("%+v shows %q", at, want), func() bool { return len(s.ours(at)) >= len(want) })
	if got := s.ours(at); !slices.Equal(got, want) {
		s.Fatalf("%+v shows\n%q\nwant\n%q", at, got, want)
	}
}

// told waits until somebody reads a text, in whatever form their platform says it:
// alone, or as a message of the office's.
func (s *scene) told(who string, at where, part string) {
	s.Helper()
	s.until(fmt.Sprintf("%s is told %q", who, part), func() bool { return strings.Contains(s.read(who, at), part) })
}

// read is all that the office said to somebody in a place.
func (s *scene) read(who string, at where) string {
	all := s.heard(who)
	for _, l := range s.shown(who, at) {
		if l.ours {
			all = append(all, l.text)
		}
	}
	return strings.Join(all, "\n")
}

// find waits for the newest message of the office's with a text in a place.
func (s *scene) find(who string, at where, part string) line {
	s.Helper()
	var found line
	s.until(fmt.Sprintf("%+v shows a message with %q", at, part), func() bool {
		for _, l := range s.shown(who, at) {
			if l.ours && strings.Contains(l.text, part) {
				found = l
			}
		}
		return found.id != ""
	})
	return found
}

// presses presses a button.
func (s *scene) presses(who string, at where, id, label string) {
	s.Helper()
	if err := s.press(who, at, id, label); err != nil {
		s.Fatal(err)
	}
}

// inbox are the files in a colleague's inbox, "name: content".
func (s *scene) inbox(name string) []string {
	s.Helper()
	dir := filepath.Join(s.dir, "agents", name, "workspace", "inbox")
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range all {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			s.Fatal(err)
		}
		out = append(out, f.Name()+": "+string(data))
	}
	return out
}
