package office

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func (k *desk) pause(on bool, note string) Resumed {
	k.Helper()
	return k.must(pause{On: on, Note: note, By: DefaultOwner}).(Resumed)
}

func TestAPauseHoldsEveryWakeAndResumingWakesWhoHasMail(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go on with it")
	k.pause(true, "back at noon")
	r := k.say("general", "@bob look")
	if outcomes(r) != "bob paused" || !strings.Contains(r.Deliveries[0].Detail, "back at noon") || !strings.Contains(r.Deliveries[0].Detail, "by user") {
		t.Errorf("receipt %q %q: it quotes since when, by whom and why", outcomes(r), r.Deliveries)
	}
	if k.running("bob") != nil {
		t.Fatal("a turn started in a paused office")
	}
	k.finish("alice", "done") // what runs goes on
	k.say("general", "@bob and this")
	k.restart()
	if !k.s.Meta.Pause.On || k.running("bob") != nil {
		t.Fatal("the pause did not survive a restart")
	}
	if got := k.pause(false, "").Woken; len(got) != 1 || got[0] != "bob (2)" {
		t.Errorf("woken %v, want bob (2) and nobody else", got)
	}
	wantLines(t, "shown to bob", k.shown(k.running("bob").ID), "general-2", "general-4")
}

func TestRule13NothingJoinsARunningTurnDuringAPause(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	turn := k.running("alice").ID
	r := k.say("general", "@alice second") // steered, and then the office is paused
	if outcomes(r) != "alice steered" {
		t.Fatal(outcomes(r))
	}
	k.pause(true, "")
	k.call("alice", verb(ColleaguesCall{}))
	k.finish("alice", "done")
	wantLines(t, "shown", k.shown(turn), "general-1")
	if k.running("alice") != nil {
		t.Fatal("a turn started in a paused office")
	}
	k.pause(false, "") // rule 14: also what was steered before the pause
	wantLines(t, "shown next", k.shown(k.running("alice").ID), "general-2")
}

func TestOnlyAdminsAndLeadersPause(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) {
		s.People = []Person{{ID: "ann", Name: "ann", Owner: true}, {ID: "ben", Name: "ben"}}
	})
	if _, err := k.do(pause{On: true, By: "ben"}); err == nil {
		t.Error("an ordinary person paused the office")
	}
	k.must(postRequest{Post{Person: "ann", Channel: General, Text: "@carol go"}})
	k.call("carol", verb(PauseCall{On: true, Note: "release"}))
	if !k.s.Meta.Pause.On || k.s.Meta.Pause.By != "carol" {
		t.Errorf("pause %+v", k.s.Meta.Pause)
	}
}

func TestDoNotDisturbHoldsUntilItIsReleased(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		end  func(k *desk)
	}{
		{"by the colleague", func(k *desk) { k.call("alice", verb(DisturbCall{})); k.finish("alice", "NO_REPLY") }},
		{"by speaking", func(k *desk) {
			k.call("alice", verb(PostCall{Text: "back", Wake: []string{}}))
			k.finish("alice", "NO_REPLY")
		}},
		{"by its time", func(k *desk) {
			k.finish("alice", "NO_REPLY")
			k.now = k.now.Add(time.Hour)
			k.must(tick{})
		}},
		{"by a person", func(k *desk) { k.finish("alice", "NO_REPLY"); k.must(disturb{Colleague: "alice", By: DefaultOwner}) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.say("general", "@alice review it")
			k.call("alice", verb(DisturbCall{On: true, Note: "reviewing", For: time.Hour}))
			first := k.running("alice").ID
			r := k.say("general", "@alice quick question")
			if outcomes(r) != "alice do-not-disturb" || !strings.Contains(r.Deliveries[0].Detail, "reviewing") {
				t.Errorf("receipt %q %v", outcomes(r), r.Deliveries)
			}
			k.call("alice", verb(ColleaguesCall{}))
			wantLines(t, "shown in the quiet turn", k.shown(first), "general-1")
			tc.end(k)
			shown := k.shown(first)[1:] // it may still join this turn, or start the next
			if next := k.running("alice"); next != nil && next.ID != first {
				shown = append(shown, k.shown(next.ID)...)
			}
			wantLines(t, "shown at last", shown, r.Anchor.String())
		})
	}
}

func TestARefusedCallReleasesNothing(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice review it")
	k.call("alice", verb(DisturbCall{On: true}))
	k.call("alice", verb(PostCall{Text: "x", Wake: []string{"@nobody"}}), verb(PostCall{Text: "x", Channel: "nowhere", Wake: []string{}}))
	if !k.s.Colleagues[k.id("alice")].Quiet.On {
		t.Error("a refused call released it")
	}
	if until := k.s.Colleagues[k.id("alice")].Quiet.Until.Sub(k.now); until > 4*time.Hour {
		t.Errorf("it lasts %s", until)
	}
	for _, bad := range []DisturbCall{{On: true, For: 5 * time.Hour}, {On: true, Note: strings.Repeat("x", 501)}, {Note: "no"}} {
		k.call("alice", verb(bad))
		results := k.results(k.running("alice").ID)
		if got := results[len(results)-1]; !strings.Contains(got, "Refused") {
			t.Errorf("%+v gave %q", bad, got)
		}
	}
}

func TestAnItemHeldForTwoReasonsWaitsForBoth(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	k.call("alice", verb(DisturbCall{On: true, For: time.Hour}))
	k.finish("alice", "NO_REPLY")
	k.pause(true, "")
	k.say("general", "@alice wait")
	k.pause(false, "") // rule 15
	if k.running("alice") != nil {
		t.Fatal("the end of the pause woke a colleague that is not to be disturbed")
	}
	k.must(disturb{Colleague: "alice", By: DefaultOwner})
	if k.running("alice") == nil {
		t.Error("nothing holds it any more")
	}
}

func TestRule6And12ReadingNotificationsTakesWhatWaits(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob go")
	k.say("dev", "@alice go")
	turn := k.running("alice").ID
	k.call("bob", verb(PostCall{Text: "for later", Wake: []string{"@alice"}, Notify: TurnEnd}))
	k.say("general", "@alice a question")
	k.call("bob", verb(PostCall{Text: "behind the question", Wake: []string{"@alice"}}))
	k.call("alice", verb(NotificationsCall{}))
	got := k.results(turn)[0]
	for _, want := range []string{"for later", "general-3 from user", "general-4 from bob"} {
		if !strings.Contains(got, want) {
			t.Errorf("the result does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "a question\n") || strings.Contains(got, "behind the question\n") {
		t.Errorf("a person's question of another conversation was taken:\n%s", got)
	}
	k.call("alice", verb(NotificationsCall{}))
	if again := k.results(turn)[1]; strings.Contains(again, "for later") {
		t.Error("it was taken twice")
	}
	k.finish("alice", "done")
	wantLines(t, "shown next", k.shown(k.running("alice").ID), "general-3", "general-4")
}

func TestTooManyPostsAreRefusedAndCount(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	for range 7 {
		k.call("alice", verb(PostCall{Text: "x", Wake: []string{}}))
	}
	stored := len(k.texts(General)) - 1
	if stored != 5 {
		t.Errorf("%d posts within 30 s, want 5", stored)
	}
	results := k.results(turn)
	if !strings.Contains(results[5], "rate-limited") || !strings.Contains(results[6], "rate-limited") {
		t.Errorf("results %q", results[5:])
	}
	k.call("alice", verb(PostCall{Text: "elsewhere", Channel: "dev", Wake: []string{}}))
	k.now = k.now.Add(time.Minute)
	k.call("alice", verb(PostCall{Text: "later", Wake: []string{}}))
	if got := len(k.texts(General)) - 1; got != 6 {
		t.Errorf("after the window %d posts, want 6", got)
	}
}

// Who leads whom: a leader those who report to it, directly or through others, and
// those who report to nobody; nobody those that it reports to itself.
func TestALeaderLeadsItsOwnReports(t *testing.T) {
	t.Parallel()
	who := func(name string, role Role, to string) ColleagueSetup {
		return ColleagueSetup{Name: name, Role: role, Model: "m", ReportsTo: to}
	}
	k := newDesk(t, func(s *Setup) {
		s.Colleagues = []ColleagueSetup{
			who("top", Leader, ""), who("mid", Leader, "top"), who("low", Member, "mid"),
			who("other", Leader, ""), who("theirs", Member, "other"), who("free", Member, ""),
		}
		s.Channels, s.FrontDesk = nil, ""
	})
	k.say("general", "@top @mid @other go")
	leads := map[string]string{"top": "mid low other free", "mid": "low other free", "other": "theirs top free"}
	for leader, led := range leads {
		for _, name := range []string{"top", "mid", "low", "other", "theirs", "free"} {
			want := slices.Contains(strings.Fields(led), name)
			if k.running(name) != nil {
				continue
			}
			k.call(leader, verb(InterruptCall{name}))
			said := k.results(k.running(leader).ID)
			if got := strings.Contains(said[len(said)-1], "interrupted: "); got != want {
				t.Errorf("%s interrupts %s: %s", leader, name, said[len(said)-1])
			}
		}
	}
}

func TestALeaderInterruptsAnotherAndNeverItself(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice work")
	k.say("general", "@carol stop alice")
	k.call("carol", verb(InterruptCall{Colleague: "@alice"}), verb(InterruptCall{Colleague: "bob"}), verb(InterruptCall{Colleague: "carol"}))
	if k.running("alice") != nil {
		t.Error("alice still runs")
	}
	got := k.results(k.running("carol").ID)
	for i, want := range []string{"interrupted: true", "interrupted: false", "yourself"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("result %q, want %q", got[i], want)
		}
	}
	wantLines(t, "general", k.texts(General), "user: @alice work", "user: @carol stop alice", "office: alice could not finish general-1: it was interrupted by carol.")
}
