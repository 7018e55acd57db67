package office

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Each rule at the end of the specification of the office has its own smallest test.

func TestRule1AnEventTakenInAgainGivesTheFirstReceipt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	post := postRequest{Post: Post{Event: "e1", Person: DefaultOwner, Channel: General, Text: "@alice hi"}}
	first := k.must(post).(Receipt)
	k.finish("alice", "hello")
	again := k.must(post).(Receipt)
	if !again.Again || again.Anchor != first.Anchor || outcomes(again) != outcomes(first) {
		t.Errorf("again %+v, first %+v", again, first)
	}
	if k.running("alice") != nil {
		t.Error("the event started a second turn")
	}
	wantLines(t, "general", k.texts(General), "user: @alice hi", "alice: hello")
	if k.rec.seen["e1"] != first.Anchor {
		t.Error("the event's identity was not committed with its message")
	}
}

func TestRule1WhatDidNotBecomeDurableIsNotRemembered(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	post := postRequest{Post: Post{Event: "e1", Person: DefaultOwner, Channel: General, Text: "@alice hi"}}
	d := newDecision(k.s, k.now, k.random)
	if _, err := d.request(post); err != nil {
		t.Fatal(err)
	}
	d.forget() // the commit failed, and the state is loaded afresh
	fresh := restore(k.s.Setup, k.rec.snapshot())
	fresh.keep(k.s)
	k.s = fresh
	if r := k.must(post).(Receipt); r.Again {
		t.Error("the event counts as taken in, and is in no record")
	}
}

func TestRule2OrderIsTheOfficesOwn(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	k.now = k.now.Add(-2e9 * 3600) // the clock is set back
	k.say("general", "@alice second")
	k.say("general", "@alice third")
	k.call("alice", verb(ColleaguesCall{}))
	wantLines(t, "shown", k.shown(turn), "general-1", "general-2", "general-3")
}

func TestRule5AnAnswerIsRecordedBeforeItsCallsAndEachWritesOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	ref := k.ref("alice")
	calls := []PreparedCall{
		verb(PostCall{Text: "one", Wake: []string{}}), outside("bash", EffectCall), outside("read", PureCall), verb(PostCall{Text: "two", Wake: []string{"@bob"}}),
	}
	p := k.call("alice", calls...)
	if fmt.Sprint(p.Open) != "[1 2 3]" {
		t.Fatalf("open calls %v: the office's own first one runs with the answer", p.Open)
	}
	wantLines(t, "general", k.texts(General), "user: @alice go", "alice: one")

	k.restart()
	if _, err := k.do(Reply{Ref: ref, Text: "late"}); !errors.Is(err, ErrStale) {
		t.Errorf("the retired attempt wrote: %v", err)
	}
	ref = k.ref("alice")
	if ref.Attempt != 2 {
		t.Errorf("attempt %d", ref.Attempt)
	}
	p = k.must(proceed{ref, calls}).(Progress)
	if fmt.Sprint(p.Open) != "[2 3]" {
		t.Errorf("open %v: what may have run is never run again, what has no effects is", p.Open)
	}
	p = k.must(callResult{ref, 2, Result{Text: "contents"}, calls}).(Progress)
	if len(p.Open) != 0 {
		t.Errorf("open %v: the office's call behind it runs in the same commit", p.Open)
	}
	k.must(callResult{ref, 2, Result{Text: "contents"}, calls}) // the answer to it was lost
	wantLines(t, "general", k.texts(General), "user: @alice go", "alice: one", "alice: two")
	results := k.results(ref.Turn)
	if len(results) != 4 || !strings.Contains(results[1], "may have run") {
		t.Errorf("results %q", results)
	}
	if n := len(k.s.queues[k.id("bob")]); n != 0 || k.running("bob") == nil {
		t.Error("bob was woken not once")
	}
}

func TestRule7TheEndPostsTheFinalTextOrTellsWhoAsked(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		end  func(k *desk)
		want []string // of general behind the question
	}{
		{"answer", func(k *desk) { k.finish("alice", "42") }, []string{"alice: 42"}},
		{"silence", func(k *desk) { k.finish("alice", "NO_REPLY") }, nil},
		{"nothing", func(k *desk) { k.finish("alice", " \n") }, nil},
		{"failure", func(k *desk) { k.must(fail{Ref: k.ref("alice"), Reason: "the model is gone"}) }, []string{"office: alice could not finish general-1: the model is gone."}},
		{"answered by a post already", func(k *desk) {
			k.call("alice", verb(PostCall{Text: "42", Wake: []string{}}))
			k.finish("alice", "I have answered.")
		}, []string{"alice: 42"}},
		{"a post that wakes is no answer", func(k *desk) {
			k.call("alice", verb(PostCall{Text: "bob, look", Wake: []string{"@bob"}}))
			k.finish("alice", "I asked bob.")
		}, []string{"alice: bob, look", "alice: I asked bob."}},
		{"only the last step with calls counts", func(k *desk) {
			k.call("alice", verb(PostCall{Text: "working on it", Wake: []string{}}))
			k.call("alice", verb(ColleaguesCall{}))
			k.finish("alice", "42")
		}, []string{"alice: working on it", "alice: 42"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.say("general", "@alice what is it?")
			tc.end(k)
			wantLines(t, "general", k.texts(General)[1:], tc.want...)
			if k.running("alice") != nil {
				t.Error("the turn did not end")
			}
		})
	}
}

func TestRule7OneOfACrowdKeepsItsFinalText(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "$member anybody?")
	k.finish("alice", "not me")
	wantLines(t, "general", k.texts(General), "user: $member anybody?")
}

func TestRule7AColleagueThatAskedGetsTheFinalTextOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice ask bob")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
	k.finish("alice", "I asked bob.")
	k.finish("bob", "half way")
	turn := k.running("alice")
	if turn == nil {
		t.Fatal("a person waits for what bob said, and alice was not woken with it")
	}
	if turn.Conv.Channel != General || !turn.Ask {
		t.Errorf("alice's turn answers in %v, ask %v; the person waits in general", turn.Conv, turn.Ask)
	}
	k.finish("alice", "bob is half way")
	wantLines(t, "general", k.texts(General), "user: @alice ask bob", "alice: I asked bob.", "alice: bob is half way")
	if len(k.s.Turns) != 0 {
		t.Error("the note went back and forth")
	}
}

func TestRule9NothingOvertakesWithinAConversation(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob go")
	k.say("dev", "@alice go")
	turn := k.running("alice").ID
	// Of general: one that waits for a turn of its own, then one that could be read now.
	k.call("bob", verb(PostCall{Text: "later", Wake: []string{"@alice"}, Notify: TurnEnd}))
	k.call("bob", verb(PostCall{Text: "now", Wake: []string{"@alice"}}))
	if got := k.results(k.running("bob").ID)[1]; !strings.Contains(got, "queued") {
		t.Errorf("the second was %q, and would overtake the first", got)
	}
	k.call("alice", verb(ColleaguesCall{}))
	wantLines(t, "shown in dev", k.shown(turn), "dev-1")
	k.finish("alice", "done")
	wantLines(t, "shown next", k.shown(k.running("alice").ID), "general-2", "general-3")
}

func TestRule9APersonTakesAlongWhatTheDepthLimitHeld(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.Depth = 1 })
	k.say("general", "@alice go")
	k.call("alice", verb(PostCall{Text: "bob?", Wake: []string{"@bob"}}))
	k.finish("alice", "NO_REPLY")
	k.call("bob", verb(PostCall{Text: "alice?", Wake: []string{"@alice"}})) // depth 2
	k.finish("bob", "NO_REPLY")
	if k.running("alice") != nil {
		t.Fatal("the chain went on over the limit")
	}
	notices := k.texts(MailboxOf(DefaultOwner))
	if len(notices) != 1 || !strings.Contains(notices[0], "held for alice") {
		t.Errorf("the owner was told %q", notices)
	}
	k.say("general", "@alice what now?")
	wantLines(t, "shown", k.shown(k.running("alice").ID), "general-3", "general-5")
}

func TestRule10JoiningIsJudgedAtTheBoundary(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	r := k.say("general", "@alice and then?")
	if outcomes(r) != "alice steered" {
		t.Fatalf("%s", outcomes(r))
	}
	first := k.running("alice").ID
	k.finish("alice", "first done") // the answer had no calls: the turn ends
	second := k.running("alice")
	if second == nil || second.ID == first {
		t.Fatal("what the turn ended without reading did not start the next one in the same commit")
	}
	wantLines(t, "first", k.shown(first), "general-1")
	wantLines(t, "second", k.shown(second.ID), "general-2")
}

func TestRule10APersonsMessageElsewhereDoesNotJoin(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	first := k.running("alice").ID
	r := k.say("dev", "@alice there")
	if outcomes(r) != "alice queued" {
		t.Errorf("%s: a final text in general would not answer it", outcomes(r))
	}
	k.call("alice", verb(ColleaguesCall{}))
	wantLines(t, "first", k.shown(first), "general-1")
	k.finish("alice", "done")
	k.finish("alice", "there as well")
	wantLines(t, "dev", k.texts("dev"), "user: @alice there", "alice: there as well")
}

func TestRule11ATurnThatAPersonJoinedAnswersThePerson(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob go")
	k.call("bob", verb(PostCall{Text: "alice, look", Wake: []string{"@alice"}}))
	r := k.say("general", "@alice what is it?")
	if outcomes(r) != "alice steered" {
		t.Fatalf("%s", outcomes(r))
	}
	k.call("alice", verb(ColleaguesCall{}))
	k.finish("alice", "it is fine")
	wantLines(t, "general", k.texts(General), "user: @bob go", "bob: alice, look", "user: @alice what is it?", "alice: it is fine")
}

func TestRule17WhatJoinedUnseenReturnsWhenTheTurnFails(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice first")
	k.say("general", "@alice second")
	first := k.running("alice").ID
	k.call("alice", verb(ColleaguesCall{})) // second joins
	k.say("general", "@alice third")
	k.call("alice", verb(ColleaguesCall{})) // an answer saw second; third joins
	k.must(fail{Ref: k.ref("alice"), Reason: "the model is gone"})
	wantLines(t, "shown by the failed turn", k.shown(first), "general-1", "general-2")
	wantLines(t, "shown next", k.shown(k.running("alice").ID), "general-3")
	wantLines(t, "general", k.texts(General), "user: @alice first", "user: @alice second", "user: @alice third",
		"office: alice could not finish general-1: the model is gone.")
}

func TestRule18ReadyIsDerivedAfterARestart(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.s.Closing = true // stored, and the process ends before a turn starts
	k.say("general", "@alice hi")
	if k.running("alice") != nil {
		t.Fatal("a closing office started a turn")
	}
	k.restart()
	if k.running("alice") == nil {
		t.Error("alice has mail, is idle, and nobody starts her turn")
	}
}

func TestATurnFailsAfterFiveCrashes(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice crash")
	for i := range 4 {
		k.restart()
		if got := k.ref("alice").Attempt; got != i+2 {
			t.Fatalf("attempt %d after %d crashes", got, i+1)
		}
	}
	k.restart()
	if k.running("alice") != nil {
		t.Error("a sixth attempt")
	}
	wantLines(t, "general", k.texts(General), "user: @alice crash", "office: alice could not finish general-1: the office stopped 5 times in the middle of it.")
}

func TestAnOrderlyStopIsNoCrash(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice take your time")
	for range 10 {
		k.must(park{})
		k.restart()
	}
	if k.running("alice") == nil {
		t.Error("ten orderly stops failed the turn")
	}
}

func TestEveryCallHasAResultWhateverEndsATurn(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	k.call("alice", outside("bash", EffectCall), outside("read", PureCall))
	k.must(fail{Ref: k.ref("alice"), Reason: "its time is up"})
	calls, results := 0, 0
	for _, e := range k.grow[turn] {
		calls += len(e.Calls)
		if e.Kind == EntryResult {
			results++
		}
	}
	if calls != 2 || results != 2 {
		t.Errorf("%d calls and %d results", calls, results)
	}
}

func TestOneThatNeverStopsCallingToolsEnds(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.Steps = 5 })
	k.say("general", "@alice loop")
	for range 4 {
		k.call("alice", verb(ColleaguesCall{}))
	}
	if p := k.call("alice", outside("read", PureCall)); !p.Ended {
		t.Error("the fifth step did not end the turn")
	}
	if got := k.texts(General); len(got) != 2 || !strings.Contains(got[1], "5 steps") {
		t.Errorf("the person was told %q", got)
	}
}
