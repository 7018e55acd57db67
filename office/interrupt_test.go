package office

import (
	"errors"
	"strings"
	"testing"
)

func TestRule16AnInterruptOfAnIdleColleagueDoesNotTouchItsNextTurn(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	k.finish("alice", "done")
	out := k.must(interrupt{Colleague: "alice", By: DefaultOwner}).(Interrupted)
	if out.Was || out.Name != "alice" {
		t.Errorf("%+v", out)
	}
	k.say("general", "@alice again")
	turn := k.running("alice")
	if turn == nil || turn.Attempt != 1 {
		t.Fatalf("the next turn is %+v", turn)
	}
	k.finish("alice", "fine")
	wantLines(t, "general", k.texts(General), "user: @alice go", "alice: done", "user: @alice again", "alice: fine")
}

func TestRule16AnInterruptEndsTheTurnAtOnceAndFencesItsAttempt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	k.say("dev", "@alice second")
	first := k.running("alice")
	calls := []PreparedCall{outside("bash", EffectCall)}
	k.call("alice", calls...)
	out := k.must(interrupt{Colleague: "Alice", By: DefaultOwner, From: "slack"}).(Interrupted)
	if !out.Was {
		t.Error("nothing was interrupted")
	}
	second := k.running("alice")
	if second == nil || second.ID == first.ID || second.Conv.Channel != "dev" {
		t.Fatalf("what waited was not handed over in the same commit: %+v", second)
	}
	for _, late := range []request{
		Reply{Ref: first.Ref(), Text: "late"},
		callResult{first.Ref(), 0, Result{Text: "late"}, calls},
		fail{Ref: first.Ref(), Reason: "cancelled"},
		proceed{first.Ref(), calls},
	} {
		if _, err := k.do(late); !errors.Is(err, ErrStale) {
			t.Errorf("%T of the interrupted attempt: %v", late, err)
		}
	}
	if got := k.rec.ended[first.ID]; got.State != TurnInterrupted {
		t.Errorf("the turn ended as %s", got.State)
	}
	if got := k.results(first.ID); len(got) != 1 {
		t.Errorf("%d results of one call", len(got))
	}
	wantLines(t, "general", k.texts(General), "user: @alice first", "office: alice could not finish general-1: it was interrupted by user.")
	k.finish("alice", "second done")
	if got := k.texts("dev"); got[len(got)-1] != "alice: second done" {
		t.Errorf("the turn that followed was touched: %q", got)
	}
	if n := len(k.rec.audit); n != 1 || k.rec.audit[0].By != "user" || k.rec.audit[0].From != "slack" || k.rec.audit[0].Outcome != "interrupted" {
		t.Errorf("audit %+v", k.rec.audit)
	}
}

func TestAnInterruptStopsTheRunnerOfTheTurnThatEnded(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	k.say("dev", "@alice second")
	id := k.running("alice").ID
	d := newDecision(k.s, k.now, k.random)
	if _, err := d.request(interrupt{Colleague: "alice", By: DefaultOwner}); err != nil {
		t.Fatal(err)
	}
	if len(d.stopped) != 1 || d.stopped[0].Turn != id || len(d.begun) != 1 {
		t.Errorf("stopped %v, begun %v", d.stopped, d.begun)
	}
}

func TestAnInterruptTwice(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	if !k.must(interrupt{Colleague: "alice", By: DefaultOwner}).(Interrupted).Was {
		t.Error("the first found nothing")
	}
	if k.must(interrupt{Colleague: "alice", By: DefaultOwner}).(Interrupted).Was {
		t.Error("the second found a turn")
	}
	wantLines(t, "general", k.texts(General), "user: @alice first", "office: alice could not finish general-1: it was interrupted by user.")
}

func TestATurnBetweenTwoAttemptsCountsAsRunning(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	k.must(park{})
	k.s = restore(k.s.Setup, k.rec.snapshot()) // loaded, and nothing taken up yet
	if !k.must(interrupt{Colleague: "alice", By: DefaultOwner}).(Interrupted).Was {
		t.Error("it was not found running")
	}
	k.takeOver()
	if k.running("alice") != nil {
		t.Error("the interrupted turn came back")
	}
}

func TestWhatJoinedUnseenReturnsWhenTheTurnIsInterrupted(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	k.say("general", "@alice second")
	k.call("alice", verb(ColleaguesCall{})) // second joins, no answer sees it
	k.must(interrupt{Colleague: "alice", By: DefaultOwner})
	wantLines(t, "shown next", k.shown(k.running("alice").ID), "general-2")
}

func TestWhoMayInterrupt(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim, func(s *Setup) {
		s.People = append(s.People, Person{ID: "ada", Name: "ada", Admin: true})
	})
	k.say("general", "@alice first")
	for _, by := range []PersonID{kim, "nobody", ""} {
		if _, err := k.do(interrupt{Colleague: "alice", By: by}); err == nil || k.running("alice") == nil {
			t.Errorf("%q interrupted alice", by)
		}
	}
	if _, err := k.do(interrupt{Colleague: "dora", By: "ada"}); err == nil || !strings.Contains(err.Error(), "alice") {
		t.Errorf("an unknown colleague: %v; it should name whom there is", err)
	}
	if !k.must(interrupt{Colleague: "alice", By: "ada"}).(Interrupted).Was {
		t.Error("an admin may")
	}
}
