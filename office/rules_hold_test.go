package office

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Rule 6: what a colleague reads on request becomes its turn's, and the call's
// result says it, in one commit; a later attempt finds both.
func TestRule6ReadingMovesAndLogsInOneCommit(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob go")
	k.say("dev", "@alice go")
	k.call("bob", verb(PostCall{Text: "for later", Wake: []string{"@alice"}, Notify: TurnEnd}))
	ref := k.ref("alice")
	d := newDecision(k.s, k.now, k.random)
	if _, err := d.request(Reply{Ref: ref, Calls: []PreparedCall{verb(NotificationsCall{})}}); err != nil {
		t.Fatal(err)
	}
	moved, logged := false, false
	for _, c := range d.batch() {
		k.rec.apply(c)
		if p, ok := c.(PutItem); ok && p.Item.Turn == ref.Turn {
			moved = true
		}
		if e, ok := c.(AppendEntry); ok && e.Entry.Kind == EntryResult && strings.Contains(e.Entry.Text, "for later") {
			logged = true
		}
	}
	if !moved || !logged {
		t.Errorf("moved %v, logged %v", moved, logged)
	}
	k.restart()
	k.must(proceed{k.ref("alice"), nil})
	k.finish("alice", "done")
	if k.running("alice") != nil || len(k.s.queues[k.id("alice")]) != 0 {
		t.Error("what was read is delivered again")
	}
}

// Rule 17: what was read on request and not answered is handed over again when the
// turn fails, and stands in the transcript once; every call keeps a result.
func TestRule17WhatWasReadAndNotAnsweredReturns(t *testing.T) {
	t.Parallel()
	for _, answered := range []bool{false, true} {
		k := newDesk(t)
		k.say("general", "@bob go")
		k.say("dev", "@alice go")
		k.call("bob", verb(PostCall{Text: "for later", Wake: []string{"@alice"}, Notify: TurnEnd}))
		k.call("alice", verb(NotificationsCall{}), verb(ColleaguesCall{}))
		if answered {
			k.call("alice", verb(ColleaguesCall{}))
		}
		first := k.ref("alice")
		k.must(fail{Ref: first, Reason: "the model is gone"})
		if next := k.running("alice"); (next != nil) == answered {
			t.Errorf("answered %v: the next turn is %+v", answered, next)
		}
		shown, calls, results := 0, 0, 0
		for _, e := range k.rec.entries {
			if e.In.Colleague == k.id("alice") {
				shown += strings.Count(e.Text, "for later")
				calls += len(e.Calls)
			}
			if e.In.Colleague == k.id("alice") && e.Kind == EntryResult {
				results++
			}
		}
		if shown != 1 || calls != results {
			t.Errorf("answered %v: it stands there %d times, %d calls have %d results", answered, shown, calls, results)
		}
	}
}

// What a new attempt is told stands behind the results, whatever becomes of them:
// providers refuse a call whose result does not follow it.
func TestResultsFollowTheirCallsWhenARestartedTurnIsCutOff(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob go")
	k.say("dev", "@alice go")
	k.call("bob", verb(PostCall{Text: "for later", Wake: []string{"@alice"}, Notify: TurnEnd}))
	k.call("alice", verb(NotificationsCall{}))
	k.restart()
	k.must(proceed{k.ref("alice"), nil})
	k.must(interrupt{Colleague: "alice", By: DefaultOwner})
	missing := 0
	for _, e := range k.rec.entries {
		switch {
		case e.In.Colleague != k.id("alice"):
		case e.Kind == EntryReply:
			missing = len(e.Calls)
		case e.Kind == EntryResult:
			missing--
		case missing > 0:
			t.Fatalf("%q stands between a call and its result", e.Text)
		}
	}
	if missing != 0 {
		t.Errorf("%d results are missing", missing)
	}
}

// Rule 8: what belongs to another context is not read on request either, in
// whatever direction.
func TestRule8NothingOfAnotherContextIsReadOnRequest(t *testing.T) {
	t.Parallel()
	for _, private := range []bool{true, false} {
		k := newDesk(t, withKim)
		k.say("general", "@bob go")
		if private {
			k.direct(kim, "alice", "my code word is oak")
			k.call("bob", verb(PostCall{Text: "secret of the office", Wake: []string{"@alice"}}))
		} else {
			k.say("dev", "@alice go")
			k.direct(kim, "alice", "my code word is oak")
		}
		turn := k.running("alice")
		k.call("alice", verb(NotificationsCall{}))
		got := k.results(turn.ID)[0]
		if strings.Contains(got, "oak") || strings.Contains(got, "secret") {
			t.Errorf("private turn %v: %s", private, got)
		}
		k.finish("alice", "done")
		if next := k.running("alice"); next == nil || next.Person == turn.Person {
			t.Errorf("private turn %v: what waits in the other context has no turn: %+v", private, next)
		}
	}
}

// Rules 13 and 14: a turn starts with nothing that is held when it starts, though
// it was delivered at arrival; resuming starts it then.
func TestRule13And14WhatWasDeliveredAndHadNotBegunWaitsForTheResumption(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@alice go")
	r := k.say("general", "@bob go as well")
	if outcomes(r) != "bob delivered" {
		t.Fatal(outcomes(r))
	}
	k.pause(true, "")
	k.finish("alice", "done") // a slot is free
	if k.running("bob") != nil {
		t.Fatal("a turn started in a paused office")
	}
	k.restart()
	if got := k.pause(false, "").Woken; fmt.Sprint(got) != "[bob (1)]" || k.running("bob") == nil {
		t.Errorf("resuming wakes %v", got)
	}
}

// Rule 13: a later attempt of an open turn is no turn that starts.
func TestRule13ALaterAttemptIsExempt(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(k *desk){
		"paused": func(k *desk) { k.pause(true, "") },
		"do-not-disturb": func(k *desk) {
			k.call("alice", verb(DisturbCall{On: true}))
		},
	} {
		k := newDesk(t)
		k.say("general", "@alice go")
		hold(k)
		k.restart()
		if k.running("alice") == nil || k.ref("alice").Attempt != 2 {
			t.Errorf("%s: the turn is not attempted again", name)
		}
	}
}

// Rule 15: a moment of hand-over hands over only what no other reason holds:
// every moment, with every other reason.
func TestRule15AMomentOfHandOverLeavesWhatSomethingElseHolds(t *testing.T) {
	t.Parallel()
	dead := func(k *desk, on bool) {
		c := *k.s.Colleagues[k.id("alice")]
		if !on {
			k.must(revive{Colleague: "alice", By: DefaultOwner})
			return
		}
		c.Dead = Death{Since: k.now, Why: "of the test"}
		k.put(PutColleague{c})
	}
	reasons := map[Outcome]func(k *desk, on bool){
		Paused: func(k *desk, on bool) { k.pause(on, "") },
		OfDead: dead,
		DoNotDisturb: func(k *desk, on bool) {
			c := *k.s.Colleagues[k.id("alice")]
			if !on {
				k.must(disturb{Colleague: "alice", By: DefaultOwner})
				return
			}
			c.Quiet = Quiet{On: true, Since: k.now, Until: k.now.Add(100 * time.Hour)}
			k.put(PutColleague{c})
		},
		OverBudget: func(k *desk, on bool) {
			c := *k.s.Colleagues[k.id("alice")]
			if !on {
				k.wait(24 * time.Hour)
				return
			}
			c.Spent = Spent{Day: k.now.Format(time.DateOnly), Tokens: 1 << 40}
			k.put(PutColleague{c})
		},
	}
	for _, first := range keys(reasons) {
		for _, second := range keys(reasons) {
			if first == second {
				continue
			}
			t.Run(fmt.Sprintf("%s and %s", first, second), func(t *testing.T) {
				t.Parallel()
				k := newDesk(t, func(s *Setup) { s.Limits.ColleagueTokens = 1000 })
				reasons[first](k, true)
				reasons[second](k, true)
				k.say("general", "@alice wait")
				reasons[first](k, false)
				if k.running("alice") != nil {
					t.Fatalf("the end of %s hands over what %s holds", first, second)
				}
				k.must(interrupt{Colleague: "alice", By: DefaultOwner}) // which is a moment as well
				if k.running("alice") != nil {
					t.Fatalf("an interrupt hands over what %s holds", second)
				}
				reasons[second](k, false)
				if k.running("alice") == nil {
					t.Errorf("nothing holds it any more")
				}
			})
		}
	}
}

// Rule 26: receipts of more than 20 names count by outcome, wherever they are told.
func TestRule26ReceiptsOfManyNamesCount(t *testing.T) {
	t.Parallel()
	for _, n := range []int{20, 21} {
		var all []Delivery
		for i := range n {
			all = append(all, Delivery{Name: fmt.Sprintf("helper%d", i), Outcome: []Outcome{Delivered, Paused}[i%2], Detail: "why"})
		}
		m := &Message{Channel: General, Seq: 1, Deliveries: all}
		for what, said := range map[string]string{"to a person": Told(all), "to a colleague": rendered(m, "#general")} {
			named, counted := strings.Contains(said, "helper7"), strings.Contains(said, "delivered 11, paused 10")
			if named != (n == 20) || counted != (n == 21) {
				t.Errorf("%d names, %s: %s", n, what, said)
			}
		}
	}
}

// Rule 19 in the rules: what an attempt says counts only if it is the current
// one, whether it is older or newer.
func TestRule19AnAttemptIsComparedForEquality(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	ref := k.ref("alice")
	for _, off := range []int{-1, 1} {
		wrong := TurnRef{Turn: ref.Turn, Attempt: ref.Attempt + off}
		for _, r := range []request{Reply{Ref: wrong, Text: "late"}, fail{Ref: wrong}, proceed{Ref: wrong}, waiting{wrong, k.now}, stuck{wrong}} {
			if _, err := k.do(r); !errors.Is(err, ErrStale) {
				t.Errorf("%T of attempt %d: %v", r, wrong.Attempt, err)
			}
		}
	}
}

// put makes a change of the record without a request.
func (k *desk) put(c Change) {
	k.s.apply(c)
	k.rec.apply(c)
}

// Nothing waits on a tick: who starts later than at once is told how many are
// ahead, to a colleague as to a person.
func TestAReceiptSaysHowManyAreAhead(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@carol go")
	r := k.say("general", "@bob go")
	if said := Told(r.Deliveries); !strings.Contains(said, "bob delivered (as soon as") || !strings.Contains(said, "0 ahead of it") {
		t.Errorf("a person is told %s", said)
	}
	k.call("carol", verb(DMCall{Text: "hello", Wake: []string{"@alice"}}))
	if got := k.lastResult("carol"); !strings.Contains(got, "alice: delivered (as soon as") || !strings.Contains(got, "1 ahead of it") {
		t.Errorf("a colleague is told %s", got)
	}
}
