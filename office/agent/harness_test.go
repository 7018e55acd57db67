package agent_test

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
	"sync/atomic"
	"testing"
	"time"

	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
	"bullpen/office/store/sqlite"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a model that answers request n, counted from 1, by a function. It
// refuses what strict providers refuse, and remembers what it was asked.
type script struct {
	t      testing.TB
	answer func(ctx context.Context, n int, req *model.Request) (*model.Response, error)

	mu    sync.Mutex
	asked []model.Request
}

func (s *script) Generate(ctx context.Context, req *model.Request, _ func(string)) (*model.Response, error) {
	if err := pairs(req.Messages); err != nil {
		s.t.Errorf("a provider would refuse this transcript: %v\n%s", err, shown(req.Messages))
	}
	s.mu.Lock()
	kept := *req
	kept.Messages = slices.Clone(req.Messages)
	s.asked = append(s.asked, kept)
	n := len(s.asked)
	s.mu.Unlock()
	return s.answer(ctx, n, req)
}

func (s *script) requests() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// last is the newest request's transcript.
func (s *script) last() []model.Message {
	r := s.requests()
	if len(r) == 0 {
		return nil
	}
	return r[len(r)-1].Messages
}

// pairs is what strict providers demand: the transcript begins with a user
// message, and each answer's calls have exactly one result each, in one block
// behind it.
func pairs(messages []model.Message) error {
	if len(messages) == 0 || messages[0].Role != model.RoleUser {
		return errors.New("it does not begin with a user message")
	}
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == model.RoleTool {
			if !open[m.CallID] {
				return fmt.Errorf("message %d is a result of %q, which is no open call", i, m.CallID)
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d (%s) comes while calls have no result: %v", i, m.Role, open)
		}
		for _, c := range m.Calls {
			if open[c.ID] {
				return fmt.Errorf("message %d calls %q twice", i, c.ID)
			}
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls without a result at the end: %v", open)
	}
	return nil
}

func shown(messages []model.Message) string {
	var b strings.Builder
	for i, m := range messages {
		fmt.Fprintf(&b, "%d %s %.200q calls %d result of %q\n", i, m.Role, m.Text, len(m.Calls), m.CallID)
	}
	return b.String()
}

func say(text string) *model.Response { return &model.Response{Text: text, Stop: model.StopEnd} }

// calls asks for tools: pairs of name and arguments. The ids repeat in each
// answer, as those of many providers do.
func calls(nameArgs ...string) *model.Response {
	r := &model.Response{Stop: model.StopCalls}
	for i := 0; i < len(nameArgs); i += 2 {
		r.Calls = append(r.Calls, model.Call{ID: fmt.Sprintf("call_%d", i/2), Name: nameArgs[i], Args: []byte(nameArgs[i+1])})
	}
	return r
}

// scene is an office over the real store, with real turns and scripted models.
type scene struct {
	testing.TB
	dir    string
	store  office.Store
	setup  office.Setup
	models map[string]model.Model
	tools  []tool.Tool
	wrap   func(office.Store) office.Store
	window int // of every model
	paper  office.Declaration
	o      *office.Office
	// id and called replace those of the setup; others are offices of the same process.
	id, called string
	others     tool.Branches
}

// newScene is an office whose alice answers by a function.
func newScene(t testing.TB, answer func(ctx context.Context, n int, req *model.Request) (*model.Response, error)) (*scene, *script) {
	m := &script{t: t, answer: answer}
	bob := &script{t: t, answer: func(context.Context, int, *model.Request) (*model.Response, error) { return say("NO_REPLY"), nil }}
	return &scene{
		TB: t, dir: t.TempDir(), models: map[string]model.Model{"main": m, "bob": bob},
		setup: office.Setup{
			ID: "test", Name: "Test",
			Colleagues: []office.ColleagueSetup{
				{Name: "alice", Role: office.Member, Model: "main"},
				{Name: "bob", Role: office.Leader, Model: "bob"},
			},
			Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
		},
	}, m
}

// open opens the office; the test's end closes it.
func (s *scene) open() *scene {
	s.Helper()
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: filepath.Join(s.dir, "record")})
	if err != nil {
		s.Fatal(err)
	}
	s.store = store
	if s.wrap != nil {
		s.store = s.wrap(store)
	}
	registry, err := tool.New(s.tools...)
	if err != nil {
		s.Fatal(err)
	}
	if s.others != nil {
		registry.Among(s.others)
	}
	runner := &agent.Runner{
		Tools: registry, Folder: filepath.Join(s.dir, "agents"), Log: slog.New(slog.DiscardHandler),
		Window: func(string) int { return s.window },
		Models: func(ref string) (model.Model, error) {
			if m := s.models[ref]; m != nil {
				return m, nil
			}
			return nil, fmt.Errorf("there is no model %q", ref)
		},
		Prompt: func(_ context.Context, _ *office.Office, c *office.Colleague) (prompt.Prompt, error) {
			return prompt.Compose(prompt.Input{Office: "Test", Name: c.Name, Role: string(c.Role)}), nil
		},
	}
	s.o, err = office.Open(context.Background(), office.Options{Store: s.store, Setup: s.setup, Runner: runner, Declaration: s.paper})
	if err != nil {
		s.Fatal(errors.Join(err, store.Close()))
	}
	s.Cleanup(s.shut(s.o, store))
	return s
}

// shut closes an office that had its time, and its store.
func (s *scene) shut(o *office.Office, store office.Store) func() {
	return func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := o.Close(ctx); err != nil && !errors.Is(err, office.ErrFenced) {
			s.Error(err)
		}
		if err := store.Close(); err != nil {
			s.Error(err)
		}
	}
}

// post is what the owner says in general.
func (s *scene) post(text string) office.Receipt {
	s.Helper()
	return s.take(office.Post{Person: office.DefaultOwner, Channel: office.General, Text: text})
}

// dm is what the owner says to alice directly.
func (s *scene) dm(text string) office.Receipt {
	s.Helper()
	return s.take(office.Post{Person: office.DefaultOwner, To: "c1", Text: text})
}

func (s *scene) take(p office.Post) office.Receipt {
	s.Helper()
	r, err := s.o.Post(context.Background(), p)
	if err != nil {
		s.Fatalf("posting %.100q: %v", p.Text, err)
	}
	return r
}

// texts are the messages of a channel, "author: text".
func (s *scene) texts(channel office.ChannelID) []string {
	s.Helper()
	page, err := s.o.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{channel}})
	if err != nil {
		s.Fatal(err)
	}
	var out []string
	for _, m := range page.Messages {
		out = append(out, m.Author.Name+": "+m.Text)
	}
	return out
}

// idle waits until nobody has anything to do.
func (s *scene) idle() {
	s.Helper()
	until(s, "the office is idle", func() bool {
		a, err := s.o.Activity(context.Background())
		if err != nil {
			s.Fatal(err)
		}
		return a.Idle()
	})
}

// until waits for a condition. In a synctest bubble the waiting costs no time.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(10 * time.Minute) // of a bubble; outside, the test binary's own comes first
	defer deadline.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("it never came to this: %s", what)
		}
	}
}

// workspace reads a file of alice's workspace.
func (s *scene) workspace(name string) string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "agents", "alice", "workspace", name))
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

// toolResults are the results that a request shows behind its last answer.
func toolResults(messages []model.Message) []string {
	var out []string
	for i := len(messages) - 1; i >= 0 && messages[i].Role == model.RoleTool; i-- {
		out = append(out, messages[i].Text)
	}
	slices.Reverse(out)
	return out
}

func wantTexts(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// counting counts how often transcripts are read.
type counting struct {
	office.Store
	transcripts atomic.Int64
}

func (c *counting) Transcript(ctx context.Context, in office.ContextID, limit int) ([]office.Entry, error) {
	c.transcripts.Add(1)
	return c.Store.Transcript(ctx, in, limit)
}
