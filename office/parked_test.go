package office

import (
	"fmt"
	"testing"
)

func TestRule2WhatComesWhileAGapIsFilledWaitsBehindIt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal())
	k.must(fill{chatDev, true})
	if rec := k.hear(chatDev, "3.0", "", "three"); !rec.Parked {
		t.Errorf("it was taken in: %+v", rec)
	}
	if rec := k.hear(chatDev, "3.0", "", "three"); !rec.Parked || !rec.Again {
		t.Errorf("delivered again while it waits: %+v", rec)
	}
	k.hear(slackDev, "s1", "", "on the other platform")
	k.fillIn(chatDev, "1.0", "one")
	k.fillIn(chatDev, "2.0", "two")
	k.hear(chatDev, "4.0", "", "four")
	wantLines(t, "dev before the gap is filled", k.texts("dev"), "user: on the other platform", "user: one", "user: two")
	k.must(fill{chatDev, false})
	wantLines(t, "dev after it", k.texts("dev"),
		"user: on the other platform", "user: one", "user: two", "user: three", "user: four")
	k.hear(chatDev, "5.0", "", "five")
	if n := len(k.texts("dev")); n != 6 || len(k.rec.parked) != 0 {
		t.Errorf("%d messages, %d parked", n, len(k.rec.parked))
	}
}

func TestWhatIsParkedSurvivesARestart(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.must(fill{chatDev, true})
	k.hear(chatDev, "2.0", "", "@alice two")
	k.takeOver()
	// Nothing says yet that the gap is filled, and nothing overtakes.
	if rec := k.hear(chatDev, "3.0", "", "@alice three"); !rec.Parked {
		t.Errorf("it overtook what was parked: %+v", rec)
	}
	k.must(fill{chatDev, true})
	k.fillIn(chatDev, "1.0", "@alice one")
	k.fillIn(chatDev, "2.0", "@alice two") // the history has it as well
	k.takeOver()
	k.must(fill{chatDev, false})
	wantLines(t, "dev", k.texts("dev"), "user: @alice one", "user: @alice two", "user: @alice three")
}

func TestParkedEventsAreBounded(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.Parked = 2 })
	k.link(chatPortal())
	k.must(fill{chatDev, true})
	k.hear(chatDev, "1.0", "", "one")
	k.hear(chatDev, "2.0", "", "two")
	if _, err := k.arrive(Inbound{Portal: chatDev, Person: DefaultOwner, Native: "3.0", Text: "three"}); err == nil {
		t.Error("a third one was parked")
	}
	k.must(fill{chatDev, false})
	k.hear(chatDev, "3.0", "", "three") // as the platform delivers it again
	wantLines(t, "dev", k.texts("dev"), "user: one", "user: two", "user: three")
}

func TestAPersonRemovedMeanwhileHoldsUpNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.link(chatPortal())
	k.must(fill{chatDev, true})
	if _, err := k.arrive(Inbound{Portal: chatDev, Person: kim, Native: "1.0", Text: "from kim"}); err != nil {
		t.Fatal(err)
	}
	k.hear(chatDev, "2.0", "", "from the owner")
	less := k.s.Setup
	less.People = less.People[:1]
	k.must(configure{less})
	k.must(fill{chatDev, false})
	wantLines(t, "dev", k.texts("dev"), "user: from the owner")
}

// answering is a desk where alice's answer to 1.0 is on its way.
func answering(t testing.TB) (*desk, Send) {
	t.Helper()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice what is it?")
	k.finish("alice", "42")
	return k, k.onWire(chatDev)
}

func TestRule23AReplyToWhatHasNoIDYetIsParkedUntilTheVerdict(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		restart bool
		end     func(k *desk, s Send)
		root    int64
	}{
		{"sent", false, func(k *desk, s Send) { k.arrived(s, "2.0", "") }, 2},
		{"found after a restart", true, func(k *desk, _ Send) {
			k.wait(leave + settled)
			k.ended(k.onWire(chatDev), Verdict{Kind: Found, Native: "2.0"})
		}, 2},
		{"refused: it was of another thread", false, func(k *desk, s Send) { k.ended(s, Verdict{Kind: Refused, Reason: "no"}) }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, s := answering(t)
			if rec := k.hear(chatDev, "3.0", "2.0", "are you sure?"); !rec.Parked {
				t.Fatalf("it was taken in before anybody knows what it answers: %+v", rec)
			}
			if rec := k.hear(chatDev, "4.0", "", "@bob hi"); !rec.Parked {
				t.Errorf("it overtook a parked one of its lane: %+v", rec)
			}
			if tc.restart {
				k.takeOver()
			}
			tc.end(k, s)
			got := k.texts("dev")
			wantLines(t, "dev", got, "user: @alice what is it?", "alice: 42", "user: are you sure?", "user: @bob hi")
			if len(got) < 3 {
				return
			}
			m := k.rec.messages[Anchor{"dev", 3}]
			if m.Root != tc.root {
				t.Errorf("it stands in the thread of %d, want %d", m.Root, tc.root)
			}
			if tc.root != 0 && outcomes(receiptOf(m)) != "alice delivered" {
				t.Errorf("a reply to alice woke %q", outcomes(receiptOf(m)))
			}
		})
	}
}

func TestRule23TheRootIsKnownWhenItsVerdictCameAfterTheLookUp(t *testing.T) {
	t.Parallel()
	k, s := answering(t)
	r, _ := k.lookUp(Inbound{Portal: chatDev, Person: DefaultOwner, Native: "3.0", Thread: "2.0", Text: "are you sure?"})
	k.arrived(s, "2.0", "") // between the caller's look and the decision
	rec := k.must(r).(Receipt)
	if m := k.rec.messages[rec.Anchor]; m.Root != 2 || outcomes(rec) != "alice delivered" {
		t.Errorf("root %d, woke %q", m.Root, outcomes(rec))
	}
}

func TestAParkedReplyKeepsItsThread(t *testing.T) {
	t.Parallel()
	for _, restart := range []bool{false, true} {
		t.Run(fmt.Sprintf("restart %v", restart), func(t *testing.T) {
			t.Parallel()
			k, s := answering(t)
			k.arrived(s, "2.0", "1.0") // answered in the thread of the question
			k.takeOver()               // what the process remembered is gone
			k.must(fill{chatDev, true})
			k.hear(chatDev, "3.0", "1.0", "are you sure?")
			if restart {
				k.takeOver()
				k.must(fill{chatDev, true})
			}
			k.must(fill{chatDev, false})
			m := k.rec.messages[Anchor{"dev", 3}]
			if m == nil || m.Root != 1 {
				t.Fatalf("taken in as %+v, want it in the thread of dev-1", m)
			}
			if n := k.rec.natives[nativeKey(chatDev, "1.0")]; n.Alias || n.Anchor.Seq != 1 {
				t.Errorf("the question's own place is now %+v", n)
			}
		})
	}
}

func TestAParkedReplyReachesWhoSpokeLastInItsThread(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(threadedPortal())
	k.hear(slackDev, "1.0", "", "@alice what is it?")
	k.finish("alice", "42")
	k.arrived(k.onWire(slackDev), "2.0", "1.0")
	k.must(fill{slackDev, true})
	k.hear(slackDev, "3.0", "1.0", "are you sure?")
	k.must(fill{slackDev, false})
	if got := outcomes(receiptOf(k.rec.messages[Anchor{"dev", 3}])); got != "alice delivered" {
		t.Errorf("woke %q", got)
	}
}

func TestRule23AReplyReadBackAfterAGapWaitsAsWell(t *testing.T) {
	t.Parallel()
	k, _ := answering(t)
	k.takeOver()
	k.must(fill{chatDev, true})
	for _, in := range []Inbound{
		{Portal: chatDev, Person: DefaultOwner, Native: "3.0", Thread: "2.0", Text: "sure?"},
		{Portal: chatDev, Person: DefaultOwner, Native: "4.0", Text: "next"},
	} {
		r, _ := k.lookUp(in)
		if rec := k.must(filled{r}).(Receipt); !rec.Parked {
			t.Fatalf("%s was taken in before the platform's id of what it answers was known", in.Native)
		}
	}
	k.must(fill{chatDev, false})
	k.wait(leave + settled)
	k.ended(k.onWire(chatDev), Verdict{Kind: Found, Native: "2.0"})
	wantLines(t, "dev", k.texts("dev"), "user: @alice what is it?", "alice: 42", "user: sure?", "user: next")
	if m := k.rec.messages[Anchor{Channel: "dev", Seq: 3}]; m.Root != 2 {
		t.Errorf("it stands in the thread of %d", m.Root)
	}
}
