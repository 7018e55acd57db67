package office

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// asking lets everybody ask people and wait.
func asking(s *Setup) {
	withKim(s)
	for i := range s.Colleagues {
		s.Colleagues[i].AskUser = true
	}
}

// approving lets alice's bash run only with leave.
func approving(s *Setup) {
	withKim(s)
	s.Colleagues[1].Approve = []string{"bash", "office_post"}
}

// askUser lets a colleague's model ask, and gives the question.
func (k *desk) askUser(name string, p AskCall) Question {
	k.Helper()
	prog := k.call(name, verb(p))
	if !prog.Waits || len(prog.Open) != 0 || prog.Ended {
		k.Fatalf("the call does not wait: %+v, results %q", prog, k.results(k.running(name).ID))
	}
	return k.question(name)
}

// question is what a colleague's turn waits for.
func (k *desk) question(name string) Question {
	k.Helper()
	q := k.s.Questions[k.running(name).asks()]
	if q == nil {
		k.Fatalf("%s asks nothing", name)
	}
	return *q
}

// goOn is what the runner does when its wait is over.
func (k *desk) goOn(name string, calls ...PreparedCall) Progress {
	k.Helper()
	if k.running(name).asks() != "" {
		k.Fatalf("%s still waits", name)
	}
	return k.must(proceed{k.ref(name), calls}).(Progress)
}

func (k *desk) lastResult(name string) string {
	k.Helper()
	all := k.results(k.running(name).ID)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

func TestAQuestionIsAskedWhereTheTurnWorksAndItsAnswerIsTheCallsResult(t *testing.T) {
	t.Parallel()
	deploy := AskCall{Text: "Deploy now?", Options: []string{"Yes", "No"}, Free: true}
	for _, tc := range []struct {
		name   string
		answer func(k *desk, q Question)
		want   string
	}{
		{"a button", func(k *desk, q Question) { k.must(press{ID: q.ID, Option: 1, By: kim}) }, `"kim" answered:` + "\n~~~~\nNo\n"},
		{"a text by a press of a form", func(k *desk, q Question) { k.must(press{ID: q.ID, Text: "at noon", By: kim}) }, "at noon"},
		{"an option's label in the conversation", func(k *desk, _ Question) {
			k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice YES"}})
		}, "\nYes\n"},
		{"an option's number", func(k *desk, _ Question) {
			k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice 2"}})
		}, "\nNo\n"},
		{"a text in the conversation", func(k *desk, _ Question) {
			k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice tomorrow"}})
		}, "tomorrow"},
		{"a native reply", func(k *desk, q Question) {
			k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice later", Root: 77, ReplyTo: q.Message.Seq}})
		}, "later"},
		{"the owner, who may as well", func(k *desk, q Question) { k.must(press{ID: q.ID, By: DefaultOwner}) }, `"user" answered:`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, asking)
			k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice ship it"}})
			q := k.askUser("alice", deploy)
			if q.Conv != (Conversation{Channel: "dev"}) || !slices.Equal(q.For, []PersonID{kim, DefaultOwner}) {
				t.Fatalf("asked in %v of %v", q.Conv, q.For)
			}
			m := k.rec.messages[q.Message]
			if m.Question != q.ID || m.Author.Name != "alice" || !strings.Contains(m.Text, "2. No") {
				t.Fatalf("the question is shown as %+v", m)
			}
			turn := k.running("alice").ID
			tc.answer(k, q)
			if got := k.running("alice").ID; got != turn {
				t.Fatalf("turn %d runs, not %d", got, turn)
			}
			k.goOn("alice")
			if got := k.lastResult("alice"); !strings.Contains(got, tc.want) {
				t.Errorf("the call returned %q, want %q", got, tc.want)
			}
			if len(k.s.queues[k.id("alice")]) != 0 {
				t.Error("the answer is delivered a second time")
			}
			if _, err := k.do(press{ID: q.ID, By: kim}); err == nil || !strings.Contains(err.Error(), "decided already") {
				t.Errorf("a second press: %v", err)
			}
		})
	}
}

func TestAQuestionOfATurnWithoutAPersonGoesToTheOwnersMailbox(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking)
	k.say("general", "@alice tell bob")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "look"}))
	k.finish("alice", "done")
	q := k.askUser("bob", AskCall{Text: "May I?"})
	if q.Conv.Channel != MailboxOf(DefaultOwner) {
		t.Fatalf("asked in %v", q.Conv)
	}
	if _, err := k.do(press{ID: q.ID, Text: "no", By: kim}); err == nil || !strings.Contains(err.Error(), "only user may") {
		t.Errorf("kim decided it: %v", err)
	}
	k.must(press{ID: q.ID, Text: "yes", By: DefaultOwner})
	k.goOn("bob")
	if got := k.lastResult("bob"); !strings.Contains(got, "yes") {
		t.Errorf("bob got %q", got)
	}
}

func TestOnlyWhoMayAskAsksAndOnlyWhatCanBeAnswered(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		may  bool
		ask  AskCall
		want string
	}{
		"a role that may not": {false, AskCall{Text: "?"}, "ask_user_roles"},
		"nothing":             {true, AskCall{Text: " "}, "empty"},
		"too many options":    {true, AskCall{Text: "?", Options: []string{"1", "2", "3", "4", "5", "6"}}, "at most 5"},
		"a long option":       {true, AskCall{Text: "?", Options: []string{strings.Repeat("x", 41)}}, "40 characters"},
		"an option twice":     {true, AskCall{Text: "?", Options: []string{"yes", "YES"}}, "twice"},
		"too long a wait":     {true, AskCall{Text: "?", Wait: time.Hour}, "at most 15m"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, func(s *Setup) { s.Colleagues[1].AskUser = tc.may })
			k.say("general", "@alice go")
			k.call("alice", verb(tc.ask))
			if got := k.lastResult("alice"); !strings.HasPrefix(got, "[office] Refused") || !strings.Contains(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if len(k.rec.questions) != 0 {
				t.Error("it is asked all the same")
			}
		})
	}
}

func TestAnAnswerAfterTheTimeIsMail(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"dev", "direct", "mailbox"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, asking)
			who := kim
			switch where {
			case "dev":
				k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice go"}})
			case "direct":
				k.must(postRequest{Post: Post{Person: kim, To: k.id("alice"), Text: "go"}})
			default:
				who = DefaultOwner
				k.say("general", "@bob go")
				k.call("bob", verb(DMCall{Wake: []string{"@alice"}, Text: "go"}))
				k.finish("bob", "asked")
			}
			q := k.askUser("alice", AskCall{Text: "Which one?", Wait: time.Minute})
			if at := k.s.nextDeadline(k.now); !at.Equal(q.Until) {
				t.Fatalf("the office wakes at %s, want %s", at, q.Until)
			}
			k.wait(time.Minute)
			k.goOn("alice")
			if got := k.lastResult("alice"); !strings.Contains(got, "will come as mail") {
				t.Fatalf("the call returned %q", got)
			}
			person := k.running("alice").Person
			k.finish("alice", "I go on.")
			k.must(press{ID: q.ID, Text: "the red one", By: who})
			turn := k.running("alice")
			if turn == nil || turn.Person != person || !turn.Ask {
				t.Fatalf("the answer started %+v", turn)
			}
			if f := k.frame(turn.ID); !strings.Contains(f, `My answer to "Which one?": the red one`) {
				t.Errorf("the frame says %s", f)
			}
		})
	}
}

func TestAWaitSurvivesARestartUntilItsDeadline(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking)
	k.say("general", "@alice go")
	calls := []PreparedCall{verb(AskCall{Text: "Which one?"}), outside("bash", EffectCall), verb(PostCall{Text: "bye", Wake: []string{}})}
	if p := k.call("alice", calls...); !p.Waits || len(p.Open) != 0 {
		t.Fatalf("%+v: what is behind a call that waits must not run", p)
	}
	q := k.question("alice")
	k.restart()
	if p := k.must(proceed{k.ref("alice"), calls}).(Progress); !p.Waits || len(p.Open) != 0 || len(p.Entries) != 0 {
		t.Fatalf("after the restart %+v", p)
	}
	if got := k.question("alice"); got.ID != q.ID || !got.Until.Equal(q.Until) {
		t.Errorf("waits for %+v, not %+v", got, q)
	}
	k.must(press{ID: q.ID, Text: "the red one", By: DefaultOwner})
	k.restart() // before the runner heard of it
	p := k.goOn("alice", calls...)
	if fmt.Sprint(p.Open) != "[1 2]" || !strings.Contains(k.lastResult("alice"), "the red one") {
		t.Errorf("goes on with %+v, result %q", p, k.lastResult("alice"))
	}
}

func TestAnInterruptEndsTheWait(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking)
	k.say("general", "@alice go")
	q := k.askUser("alice", AskCall{Text: "Which one?"})
	k.must(interrupt{Colleague: "alice", By: DefaultOwner})
	if k.running("alice") != nil || len(k.rec.questions) != 0 {
		t.Error("it still waits")
	}
	if _, err := k.do(press{ID: q.ID, Text: "red", By: DefaultOwner}); err == nil {
		t.Error("a question that nobody asks any more was decided")
	}
}

func TestNobodyIsAskedForWhoHasLeft(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking)
	k.say("general", "@alice go")
	q := k.askUser("alice", AskCall{Text: "Which one?", Wait: time.Minute})
	k.wait(time.Minute)
	k.goOn("alice")
	k.finish("alice", "I go on.")
	if len(k.rec.questions) != 1 {
		t.Fatal("a late answer is not waited for")
	}
	k.without("alice")
	if len(k.rec.questions) != 0 {
		t.Error("alice has left, and is answered still")
	}
	if _, err := k.do(press{ID: q.ID, Text: "red", By: DefaultOwner}); err == nil {
		t.Error("a question that nobody asks any more was decided")
	}
}

func TestACallRunsOnlyWithLeave(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		decide func(k *desk, q Question)
		open   string // what the runner may run afterwards
		want   string
	}{
		{"allowed", func(k *desk, q Question) { k.must(press{ID: q.ID, Option: 0, By: DefaultOwner}) }, "[0]", ""},
		{"refused", func(k *desk, q Question) { k.must(press{ID: q.ID, Option: 1, By: DefaultOwner}) }, "[]", "did not allow"},
		{"no answer", func(k *desk, q Question) { k.wait(AskMost) }, "[]", "nobody allowed"},
		{"allowed by a word", func(k *desk, q Question) { k.say("general", "@alice allow") }, "[0]", ""},
		{"allowed before a restart", func(k *desk, q Question) { k.restart(); k.must(press{ID: q.ID, By: DefaultOwner}) }, "[0]", ""},
		{"refused before a restart", func(k *desk, q Question) { k.must(press{ID: q.ID, Option: 1, By: DefaultOwner}); k.restart() }, "[]", "did not allow"},
		{"only admins may", func(k *desk, q Question) {
			if _, err := k.do(press{ID: q.ID, By: kim}); err == nil {
				t.Error("kim allowed it")
			}
			k.must(press{ID: q.ID, By: DefaultOwner})
		}, "[0]", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, approving)
			k.say("general", "@alice go")
			bash := outside("bash", EffectCall)
			bash.Args = []byte(`{"script":"rm -rf x"}`)
			if p := k.call("alice", bash); !p.Waits {
				t.Fatalf("%+v: it runs without leave", p)
			}
			q := k.question("alice")
			if m := k.rec.messages[q.Message]; m.Channel != General || !strings.Contains(m.Text, "rm -rf x") || !strings.Contains(m.Text, "run bash") {
				t.Fatalf("asked with %+v", m)
			}
			tc.decide(k, q)
			p := k.goOn("alice", bash)
			if fmt.Sprint(p.Open) != tc.open {
				t.Errorf("open %v, want %s", p.Open, tc.open)
			}
			if tc.want != "" && !strings.Contains(k.lastResult("alice"), tc.want) {
				t.Errorf("result %q, want %q", k.lastResult("alice"), tc.want)
			}
		})
	}
}

func TestAnOfficeCallRunsWithLeaveInItsPlace(t *testing.T) {
	t.Parallel()
	k := newDesk(t, approving)
	k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice go"}})
	calls := []PreparedCall{verb(ColleaguesCall{}), verb(PostCall{Text: "hello", Wake: []string{}})}
	calls[0].Name = "office_colleagues"
	k.call("alice", calls...)
	q := k.question("alice")
	if q.Conv.Channel != MailboxOf(DefaultOwner) {
		t.Errorf("kim, who may not allow it, is asked in %v", q.Conv)
	}
	wantLines(t, "dev", k.texts("dev"), "kim: @alice go")
	k.must(press{ID: q.ID, By: DefaultOwner})
	k.goOn("alice", calls...)
	wantLines(t, "dev", k.texts("dev"), "kim: @alice go", "alice: hello")
}

func TestAWaitHoldsNoSlot(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@alice go")
	q := k.askUser("alice", AskCall{Text: "Which one?"})
	if r := k.say("general", "@bob go"); k.running("bob") == nil || r.Deliveries[0].Detail != "" {
		t.Fatalf("bob waits for alice's answer: %+v", r.Deliveries)
	}
	k.must(press{ID: q.ID, Text: "red", By: DefaultOwner})
	if r := k.say("general", "@carol go"); k.running("carol") != nil || r.Deliveries[0].Detail == "" {
		t.Errorf("carol runs beside two others in one slot: %+v", r.Deliveries)
	}
}

func TestAQuestionThatNeedsLeaveIsAskedAfterIt(t *testing.T) {
	t.Parallel()
	k := newDesk(t, asking, func(s *Setup) { s.Colleagues[1].Approve = []string{"ask_user"} })
	k.say("general", "@alice go")
	ask := verb(AskCall{Text: "Which one?"})
	ask.Name = "ask_user"
	k.call("alice", ask)
	leave := k.question("alice")
	k.must(press{ID: leave.ID, By: DefaultOwner})
	if p := k.goOn("alice", ask); !p.Waits {
		t.Fatalf("%+v: the question itself is not waited for", p)
	}
	q := k.question("alice")
	if q.Kind != AskQuestion {
		t.Fatalf("it asks %+v", q)
	}
	k.restart()
	k.must(press{ID: q.ID, Text: "red", By: DefaultOwner})
	k.goOn("alice", ask)
	if got := k.lastResult("alice"); !strings.Contains(got, "red") || len(k.rec.questions) != 0 {
		t.Errorf("the call returned %q; asked are %+v", got, k.rec.questions)
	}
}
