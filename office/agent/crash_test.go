package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
	"bullpen/office/model/demo"
)

// mortal is a store that a process loses at one of its commits, as if it had
// been killed there: before it was written, or after.
type mortal struct {
	office.Store
	left    atomic.Int64 // commits until then
	written bool
}

func (m *mortal) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	switch left := m.left.Add(-1); {
	case left > 0:
		return m.Store.Commit(ctx, l, b)
	case left == 0 && m.written:
		if err := m.Store.Commit(ctx, l, b); err != nil {
			return err
		}
		return office.ErrFenced
	default:
		return office.ErrFenced
	}
}

// Whatever commit a process dies at, the next one goes on with whole pairs,
// nothing is lost, and nothing is there twice.
func TestAKillAtAnyCommitLeavesAWholeTranscript(t *testing.T) {
	t.Parallel()
	for at := int64(1); at <= 10; at++ {
		for _, written := range []bool{false, true} {
			t.Run(fmt.Sprintf("commit %d, written %v", at, written), func(t *testing.T) {
				t.Parallel()
				killAt(t, at, written)
			})
		}
	}
}

func killAt(t *testing.T, at int64, written bool) {
	var ran atomic.Int64
	s, m := newScene(t, func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
		answers := 0
		for _, m := range req.Messages {
			if m.Role == model.RoleAssistant {
				answers++
			}
		}
		switch answers {
		case 0:
			return calls("office_post", `{"text":"started","wake":[],"channel":"#dev"}`, "effect", `{}`, "ls", `{}`,
				"office_post", `{"text":"half way","wake":[],"channel":"#dev"}`), nil
		case 1:
			return calls("ls", `{}`, "nonsense", `{}`, "effect", `{}`), nil
		default:
			return say("finished"), nil
		}
	})
	s.tools = []tool.Tool{extra("effect", func(context.Context) (string, error) { ran.Add(1); return "ok", nil })}
	store := s.mortal(written)
	s.open()
	store().left.Store(at)
	ask := office.Post{Event: "event-1", Person: office.DefaultOwner, Channel: office.General, Text: "@alice go"}
	_, err := s.o.Post(context.Background(), ask)
	until(t, "the process dies or is done", func() bool {
		a, err := s.o.Activity(context.Background())
		return err != nil || a.Idle()
	})
	s.shut(s.o, s.store)()

	s.open()
	if err != nil {
		s.take(ask) // the platform was not told that it is here, and sends it again
	}
	s.idle()
	wantTexts(t, "general", s.texts(office.General), "user: @alice go", "alice: finished")
	wantTexts(t, "dev", s.texts("dev"), "alice: started", "alice: half way")
	if n := ran.Load(); n > 2 {
		t.Errorf("a tool with effects ran %d times for 2 calls", n)
	}
	stored(t, s)
	// The next turn of the same context works as well.
	s.post("@alice more?")
	s.idle()
	if got := s.texts(office.General); got[len(got)-1] != "alice: finished" || len(got) != 4 {
		t.Errorf("general %q", got)
	}
	if err := pairs(m.last()); err != nil {
		t.Error(err)
	}
}

// The demo's turns, with calls of every class, survive a kill as well.
func TestAKillInTheMiddleOfADemoLeavesAWholeTranscript(t *testing.T) {
	t.Parallel()
	for at := int64(2); at <= 8; at++ {
		t.Run(fmt.Sprintf("commit %d", at), func(t *testing.T) {
			t.Parallel()
			s, _ := newScene(t, func(ctx context.Context, _ int, req *model.Request) (*model.Response, error) {
				return demo.Model{}.Generate(ctx, req, nil)
			})
			store := s.mortal(at%2 == 0)
			s.open()
			store().left.Store(at)
			for _, text := range []string{"@alice list files", "@alice say hello to bob", "@alice write a.txt: milk"} {
				_, _ = s.o.Post(context.Background(), office.Post{Event: text, Person: office.DefaultOwner, Channel: office.General, Text: text})
			}
			until(t, "the process dies or is done", func() bool {
				a, err := s.o.Activity(context.Background())
				return err != nil || a.Idle()
			})
			s.shut(s.o, s.store)()
			s.open()
			for _, text := range []string{"@alice list files", "@alice say hello to bob", "@alice write a.txt: milk"} {
				s.take(office.Post{Event: text, Person: office.DefaultOwner, Channel: office.General, Text: text})
			}
			s.idle()
			stored(t, s)
			counts := map[string]int{}
			for _, line := range s.texts(office.General) {
				counts[line]++
			}
			for _, line := range []string{"user: @alice list files", "user: @alice say hello to bob", "alice: Hello bob!", "user: @alice write a.txt: milk"} {
				if counts[line] != 1 {
					t.Errorf("%q stands %d times in %q", line, counts[line], s.texts(office.General))
				}
			}
		})
	}
}

// mortal puts a mortal store under the scene, which the function gives once
// the office is open.
func (s *scene) mortal(written bool) func() *mortal {
	var store *mortal
	s.wrap = func(under office.Store) office.Store {
		store = &mortal{Store: under, written: written}
		store.left.Store(1 << 40)
		return store
	}
	return func() *mortal { return store }
}

// stored checks the pairs of the record itself: a repair that is only done in
// memory is none.
func stored(t testing.TB, s *scene) { t.Helper(); storedOf(t, s, "c1") }

func storedOf(t testing.TB, s *scene, id office.ColleagueID) {
	t.Helper()
	entries, err := s.o.Transcript(context.Background(), office.ContextID{Colleague: id}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var messages []model.Message
	for _, e := range entries {
		m := model.Message{Role: model.RoleUser, Text: e.Text}
		switch e.Kind {
		case office.EntryReply:
			m.Role = model.RoleAssistant
			for _, c := range e.Calls {
				m.Calls = append(m.Calls, model.Call{ID: c.ID, Name: c.Name})
			}
		case office.EntryResult:
			m.Role, m.CallID = model.RoleTool, e.CallID
		}
		messages = append(messages, m)
	}
	if err := pairs(messages); err != nil {
		t.Errorf("the stored transcript: %v\n%s", err, shown(messages))
	}
}

func TestAfterAKillTheColleagueIsToldThatItsCallMayHaveRun(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	s, m := newScene(t, inTurn(calls("ls", `{}`, "effect", `{}`, "ls", `{}`), say("I looked")))
	var ran atomic.Int64
	s.tools = []tool.Tool{extra("effect", func(ctx context.Context) (string, error) {
		ran.Add(1)
		close(began)
		<-ctx.Done()
		return "", ctx.Err()
	})}
	store := s.mortal(false)
	s.open()
	s.post("@alice go")
	<-began
	store().left.Store(0)
	s.shut(s.o, s.store)()
	s.open()
	s.idle()
	results := 0
	var notice string
	for _, e := range m.last() {
		switch {
		case e.Role == model.RoleTool:
			results++
			if e.CallID == "call_1" && (!e.Failed || !strings.Contains(e.Text, "may have run")) {
				t.Errorf("the cut call says %q", e.Text)
			}
		case e.Role == model.RoleUser:
			notice = e.Text
		}
	}
	if results != 3 || ran.Load() != 1 {
		t.Errorf("%d results, the tool ran %d times", results, ran.Load())
	}
	if !strings.Contains(notice, "attempt 2") {
		t.Errorf("the colleague was told %q", notice)
	}
	wantTexts(t, "general", s.texts(office.General), "user: @alice go", "alice: I looked")
}

// A turn with more entries than a transcript is read at once goes on whole.
func TestALongTurnGoesOnWholeAfterAKill(t *testing.T) {
	t.Parallel()
	const steps, width = 12, 45
	var store func() *mortal
	s, m := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n <= steps {
			var ask []string
			for range width {
				ask = append(ask, "office_colleagues", `{}`)
			}
			return calls(ask...), nil
		}
		if n == steps+1 {
			store().left.Store(0)
		}
		return say("finished"), nil
	})
	store = s.mortal(false)
	s.open()
	s.post("@alice go")
	<-s.o.Done()
	s.shut(s.o, s.store)()
	s.open()
	s.idle()
	wantTexts(t, "general", s.texts(office.General), "user: @alice go", "alice: finished")
	if got := m.last(); !strings.Contains(got[0].Text, "@alice go") {
		t.Errorf("the turn lost what it is about: it begins with %.200q", got[0].Text)
	}
}

// sick is a store that takes no batch while it is ill.
type sick struct {
	office.Store
	ill atomic.Bool
}

func (s *sick) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	if s.ill.Load() {
		return errors.New("no space left on device")
	}
	return s.Store.Commit(ctx, l, b)
}

// A disk that is full for a while costs that while, and leaves no colleague stuck.
func TestATurnEndsOnceTheStoreWorksAgain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		end  any
		want string
	}{
		{"an answer", say("42"), "alice: 42"},
		{"calls", calls("ls", `{}`), "alice: 42"},
		{"a failure", fails(model.Refused, 0), "office: alice could not finish general-1: provider says refused."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var store *sick
				answers := inTurn(tc.end, say("42"))
				s, m := newScene(t, func(ctx context.Context, n int, req *model.Request) (*model.Response, error) {
					if n == 1 {
						store.ill.Store(true)
						time.AfterFunc(time.Minute, func() { store.ill.Store(false) })
					}
					return answers(ctx, n, req)
				})
				s.wrap = func(under office.Store) office.Store { store = &sick{Store: under}; return store }
				s.open()
				s.post("@alice what is it?")
				s.idle()
				wantTexts(t, "general", s.texts(office.General), "user: @alice what is it?", tc.want)
				if n := len(m.requests()); n > 2 {
					t.Errorf("the model was asked %d times; what it had said was to be kept", n)
				}
				stored(t, s)
			})
		})
	}
}
