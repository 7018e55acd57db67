package conformance

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	telegramsim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/files"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"
)

// One channel on all three platforms is one: what is said on one is on the others
// under its author's name, once and in order, and follows what becomes of it.
func TestAChannelOnThreePlatformsIsOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{T: t}
		defer w.shut()
		w.start()
		for i, p := range w.names {
			s := w.on[p]
			words := fmt.Sprintf("@bob number %d", i)
			id, err := s.say(asKim, inDev, said{text: words})
			if err != nil {
				t.Fatal(err)
			}
			w.shared = append(w.shared, "Kim: "+words, "bob: ok")
			w.all()
			if err := s.edit(asKim, inDev, id, words+", mended"); err != nil {
				t.Fatal(err)
			}
			w.shared[len(w.shared)-2] = "Kim: " + words + ", mended"
			w.all()
		}
	})
}

// A file that somebody sends on one platform is shown on the others, once and under
// its sender's name, and stands in the inbox of whom it is for.
func TestAFileIsOnAllPlatforms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{T: t}
		defer w.shut()
		w.start()
		for _, from := range w.names {
			name := "plan-" + from + ".txt"
			if _, err := w.on[from].say(asKim, inDev, said{text: "@bob look", file: name}); err != nil {
				t.Fatal(err)
			}
			copies := func(on string) (n int) {
				for _, l := range w.on[on].shown(asKim, inDev) {
					if data, ok := l.files[name]; ok && data == "data of "+name {
						n++
						if on != from && (!l.ours || !strings.Contains(l.author+l.text, "Kim")) {
							t.Errorf("on %s it is %s's: %s", on, l.author, l.text)
						}
					}
				}
				return n
			}
			for _, on := range w.names {
				w.until(name+" is on "+on, func() bool { return copies(on) == 1 })
			}
			time.Sleep(time.Minute) // of the bubble: time for a copy that comes back
			for _, on := range w.names {
				if n := copies(on); n != 1 {
					t.Errorf("%s is %d times on %s", name, n, on)
				}
			}
		}
	})
}

// A file that cannot be had from its platform, or that another one does not take, is
// named there, with where it is; what is said after it goes on.
func TestAFileThatCannotBeShownIsNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{T: t}
		defer w.shut()
		w.start()
		has := func(on, part string) func() bool {
			return func() bool {
				return slices.ContainsFunc(w.on[on].shown(asKim, inDev), func(l line) bool { return strings.Contains(l.text, part) })
			}
		}
		says := func(on string, x said) {
			if _, err := w.on[on].say(asKim, inDev, x); err != nil {
				t.Fatal(err)
			}
		}
		gone := telegramsim.Fault{Code: 400, Description: "Bad Request: wrong file_id or the file is temporarily unavailable"}
		w.on["telegram"].(*onTelegram).srv.FailNext("getFile", gone, gone, gone, gone)
		says("telegram", said{text: "look", file: "gone.txt"})
		says("telegram", said{text: "and go on"})
		for _, on := range []string{"slack", "discord"} {
			w.until("it is named on "+on, has(on, "[file: gone.txt; it is on Telegram]"))
			w.until(on+" goes on", has(on, "and go on"))
		}
		w.on["slack"].(*onSlack).srv.RemoveScope("files:write")
		says("discord", said{text: "look", file: "refused.txt"})
		w.until("it is named on slack", has("slack", "[file: refused.txt; it is on Discord]"))
		// A platform's long outage holds up no other for long.
		lost := slices.Repeat([]telegramsim.Fault{{Status: 502}}, 60)
		w.on["telegram"].(*onTelegram).srv.FailNext("getFile", lost...)
		says("telegram", said{text: "look", file: "late.txt"})
		says("telegram", said{text: "the end"})
		w.until("it is named on discord", has("discord", "[file: late.txt; it is on Telegram]"))
		w.until("discord goes on", has("discord", "the end"))
	})
}

// together is one office on all stages.
type together struct {
	*testing.T
	on     map[string]stage
	names  []string
	b      *bridge.Bridge
	shared []string // what #dev shows everywhere
	close  []func() error
}

func (w *together) start() {
	w.on = map[string]stage{}
	w.b = bridge.New("acme", command.NewSet())
	kim := office.Person{ID: "kim", Name: "Kim", Owner: true, Admin: true}
	var adapters []bridge.Poster
	for name, open := range stages {
		s, err := open()
		if err != nil {
			w.Fatal(err)
		}
		w.on[name], w.names = s, append(w.names, name)
		w.close = append(w.close, s.close)
		kim.Accounts = append(kim.Accounts, office.Account{Platform: name, ID: s.account(asKim)})
		a, err := s.adapter(false)
		if err != nil {
			w.Fatal(err)
		}
		w.b.Add(a, bridge.Access{})
		adapters = append(adapters, a)
	}
	slices.Sort(w.names)
	dir, log := w.TempDir(), slog.New(slog.DiscardHandler)
	spool, err := files.Open(filepath.Join(dir, "files"), time.Now())
	if err != nil {
		w.Fatal(err)
	}
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: filepath.Join(dir, "record")})
	if err != nil {
		w.Fatal(err)
	}
	registry, err := tool.New()
	if err != nil {
		w.Fatal(err)
	}
	o, err := office.Open(context.Background(), office.Options{
		Store: store, Sender: w.b, Split: w.b.Split, Files: spool, Log: log, Runner: &agent.Runner{
			Tools: registry, Folder: filepath.Join(dir, "agents"), Log: log,
			Models: func(string) (model.Model, error) { return always{}, nil },
			Prompt: func(_ context.Context, _ *office.Office, c *office.Colleague) (prompt.Prompt, error) {
				return prompt.Compose(prompt.Input{Office: "Acme", Name: c.Name, Role: string(c.Role)}), nil
			},
		},
		Setup: office.Setup{
			ID: "acme", Name: "Acme", People: []office.Person{kim},
			Colleagues: []office.ColleagueSetup{{Name: "alice", Role: office.Leader, Model: "m"}, {Name: "bob", Role: office.Member, Model: "m"}},
			Channels:   []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
		},
	})
	if err != nil {
		w.Fatal(err)
	}
	w.b.Attach(o)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, a := range adapters {
		running.Go(func() { _ = a.Run(ctx, w.b) }) // what ended it is in the state
	}
	w.close = append([]func() error{func() error {
		cancel()
		running.Wait()
		late, stop := context.WithTimeout(context.Background(), 2*time.Second)
		defer stop()
		return o.Close(late)
	}, store.Close}, w.close...)
	w.until("all are connected", func() bool {
		return strings.Count(strings.Join(w.b.Connections(), "\n"), ": connected") == len(stages)
	})
}

func (w *together) shut() {
	for _, f := range w.close {
		if err := f(); err != nil {
			w.Error(err)
		}
	}
}

// all waits until every platform shows the same, and sees that it stays so.
func (w *together) all() {
	w.Helper()
	shown := func(name string) (out []string) {
		for _, l := range w.on[name].shown(asKim, inDev) {
			out = append(out, l.author+": "+l.text)
		}
		return out
	}
	for _, name := range w.names {
		w.until(fmt.Sprintf("%s shows %q", name, w.shared), func() bool { return slices.Equal(shown(name), w.shared) })
	}
	time.Sleep(time.Minute) // of the bubble: time for a copy that comes back
	for _, name := range w.names {
		if got := shown(name); !slices.Equal(got, w.shared) {
			w.Fatalf("%s shows %q, want %q", name, got, w.shared)
		}
	}
}

func (w *together) until(what string, cond func() bool) {
	w.Helper()
	for begin := time.Now(); !cond(); time.Sleep(100 * time.Millisecond) { // of the bubble
		if time.Since(begin) > time.Hour {
			for _, name := range w.names {
				w.Log(w.on[name].summary())
			}
			w.Fatalf("it never came to this: %s\n%s", what, strings.Join(w.b.Connections(), "\n"))
		}
	}
}
