// Package rehearsal is an office whose colleagues speak from a script, for the tests
// of platforms: a real office on its embedded store, with its tools, its bridge and
// real turns, in which only the models are made up. The adapters and the stand-ins
// on which they play are brought by the tests.
package rehearsal

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
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

// Troupe is one office and what a test knows of it. A test's own world embeds it,
// changes what it wants to be otherwise, and opens it. The fields are set before Open
// or while nobody has a turn; the methods may be called while the office runs, by the
// test's goroutine.
type Troupe struct {
	*testing.T
	Dir         string // of the record, the files and the workspaces; it stays over a restart
	Setup       office.Setup
	Declaration office.Declaration
	Access      bridge.Access                   // of every adapter
	Store       func(office.Store) office.Store // stands before the record, to make it fail; nil: nothing does
	Answer      Answer
	// Hears is what of a request is noted for Turns, and whether anything is; nil: the
	// text of its last message.
	Hears func(*model.Request) (string, bool)

	Summary  func() string // what the stand-in has seen, for a test that fails
	Settled  func() bool   // whether the stand-in waits for nothing; nil: it never waits
	Patience time.Duration // how long Until waits, looking every Tick
	Tick     time.Duration
	Linger   time.Duration // how long Idle waits for what is shown in the background

	Logged *Log
	Bridge *bridge.Bridge
	Office *office.Office

	running running
	mu      sync.Mutex
	asked   []string
	given   map[string]string
}

// New is an office of alice, who leads, and bob, in the channel #dev, with maria as
// its owner, who has these accounts. Whoever is woken answers "ok". It waits as fits a
// bubble's own time (testing/synctest): an hour, and 5 s for the background.
func New(t *testing.T, maria ...office.Account) *Troupe {
	t.Helper()
	return &Troupe{
		T: t, Dir: t.TempDir(), Logged: &Log{}, given: map[string]string{},
		Answer: func(context.Context, string, *model.Request) (*model.Response, error) { return Text("ok"), nil },
		Setup: office.Setup{
			ID: "acme", Name: "Acme", FrontDesk: "alice",
			People: []office.Person{{ID: "maria", Name: "Maria", Owner: true, Admin: true, Accounts: maria}},
			Colleagues: []office.ColleagueSetup{
				{Name: "alice", Role: office.Leader, Model: "alice"}, {Name: "bob", Role: office.Member, Model: "bob"},
			},
			Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
		},
		Patience: time.Hour, Tick: 100 * time.Millisecond, Linger: 5 * time.Second,
	}
}

// running is what one Open began.
type running struct {
	office   *office.Office
	store    office.Store
	cancel   context.CancelFunc // of the adapters
	adapters *sync.WaitGroup
	ended    []error // of each, once they have ended
}

// Open opens the office and runs the adapters, as bullpen up does.
func (r *Troupe) Open(adapters ...bridge.Poster) {
	r.Helper()
	r.Bridge = bridge.New(r.Setup.ID, command.NewSet())
	for _, a := range adapters {
		r.Bridge.Add(a, r.Access)
	}
	store := r.open()
	r.Bridge.Attach(r.Office)
	ctx, cancel := context.WithCancel(r.lasting())
	r.running = running{r.Office, store, cancel, &sync.WaitGroup{}, make([]error, len(adapters))}
	b, ended := r.Bridge, r.running.ended
	for i, a := range adapters {
		r.running.adapters.Go(func() { ended[i] = a.Run(ctx, b) })
	}
}

// open opens the office alone, and gives the store on which it is.
func (r *Troupe) open() office.Store {
	r.Helper()
	store, err := sqlite.Open(r.lasting(), sqlite.Options{Dir: filepath.Join(r.Dir, "record")})
	if err != nil {
		r.Fatal(err)
	}
	kept := office.Store(store)
	if r.Store != nil {
		kept = r.Store(store)
	}
	spool, err := files.Open(filepath.Join(r.Dir, "files"), time.Now())
	if err != nil {
		r.Fatal(err)
	}
	log := r.Logger()
	r.Office, err = office.Open(r.lasting(), office.Options{
		Store: kept, Setup: r.Setup, Declaration: r.Declaration, Sender: r.Bridge, Split: r.Bridge.Split, Files: spool, Log: log,
		Runner: r.runner(log),
	})
	if err != nil {
		r.Fatal(errors.Join(err, store.Close()))
	}
	return store
}

// runner runs turns with the real tools and scripted models.
func (r *Troupe) runner(log *slog.Logger) *agent.Runner {
	r.Helper()
	registry, err := tool.New()
	if err != nil {
		r.Fatal(err)
	}
	names := map[string]string{}
	for _, c := range r.Setup.Colleagues {
		names[c.Model] = c.Name
	}
	return &agent.Runner{
		Tools: registry, Folder: filepath.Join(r.Dir, "agents"), Log: log,
		Models: func(ref string) (model.Model, error) {
			if name, ok := names[ref]; ok {
				return scripted{r, name}, nil
			}
			return scripted{r, ref}, nil // hired since
		},
		Prompt: func(_ context.Context, _ *office.Office, c *office.Colleague) (prompt.Prompt, error) {
			return prompt.Compose(prompt.Input{Office: "Acme", Name: c.Name, Role: string(c.Role)}), nil
		},
	}
}

// lasting is a context of the test that goes on while it is cleaned up.
func (r *Troupe) lasting() context.Context { return context.WithoutCancel(r.Context()) }

// Shut ends the adapters and the office, which Open begins again; it does nothing if
// they are not open. That the office lost its record is an error unless the test
// meddles with it.
func (r *Troupe) Shut() {
	r.Helper()
	run := &r.running
	if run.office == nil {
		return
	}
	run.cancel()
	run.adapters.Wait()
	late, cancel := context.WithTimeout(r.lasting(), 2*time.Second)
	defer cancel()
	if err := run.office.Close(late); err != nil && (r.Store == nil || !errors.Is(err, office.ErrFenced)) {
		r.Error(err)
	}
	if err := run.store.Close(); err != nil {
		r.Error(err)
	}
	run.office = nil
}

// Ended waits until the adapters of the last Open have ended, of their own or by Shut,
// and says with what.
func (r *Troupe) Ended() error {
	r.running.adapters.Wait()
	return errors.Join(r.running.ended...)
}
