package office

import (
	"fmt"
	"strings"
	"testing"
)

func TestRule1AMessageOfAPlatformTakenInAgainGivesTheFirstReceipt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	in := Inbound{Portal: chatDev, Person: DefaultOwner, Native: "1.0", Text: "@alice hi"}
	r, _ := k.lookUp(in)
	first := k.must(r).(Receipt)
	k.finish("alice", "hello")
	check := func(what string, again Receipt) {
		t.Helper()
		if !again.Again || again.Anchor != first.Anchor || outcomes(again) != outcomes(first) {
			t.Errorf("%s: again %+v, first %+v", what, again, first)
		}
	}
	check("looked up before it was committed", k.must(r).(Receipt))
	check("read from the history meanwhile", k.must(filled{r}).(Receipt))
	check("found in the record", k.hear(chatDev, "1.0", "", "@alice hi"))
	k.takeOver()
	check("after a restart", k.hear(chatDev, "1.0", "", "@alice hi"))
	wantLines(t, "dev", k.texts("dev"), "user: @alice hi", "alice: hello")
	if k.running("alice") != nil {
		t.Error("it started a second turn")
	}
}

func TestRule4ARefusedMessageLeavesNothingSoThatItIsStillNew(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		in   Inbound
		want string
	}{
		{"unknown person", Inbound{Portal: chatDev, Person: "nobody", Native: "1.0", Text: "@alice hi"}, "nobody"},
		{"unknown portal", Inbound{Portal: "chat:other", Person: DefaultOwner, Native: "1.0", Text: "@alice hi"}, "chat:other"},
		{"too long", Inbound{Portal: chatDev, Person: DefaultOwner, Native: "1.0", Text: strings.Repeat("a", MaxPersonText+1)}, "bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			for range 2 {
				if _, err := k.arrive(tc.in); err == nil || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("refused with %v, want it to name %q", err, tc.want)
				}
			}
			r, _ := k.lookUp(tc.in)
			if tc.name != "too long" {
				if _, err := k.do(filled{r}); err == nil {
					t.Error("it was taken in from the history")
				}
			}
			if len(k.rec.natives)+len(k.rec.parked)+len(k.rec.messages) != 0 {
				t.Errorf("left behind: %v %v %v", k.rec.natives, k.rec.parked, k.rec.messages)
			}
			// Another form of it is taken in.
			if rec := k.hear(chatDev, "1.0", "", "@alice hi"); rec.Again || outcomes(rec) != "alice delivered" {
				t.Errorf("another form of it: %+v", rec)
			}
		})
	}
}

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

func TestWhomAReplyInAThreadAddresses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		strict bool
		last   func(k *desk) // who speaks last in the thread of 1.0
		text   string
		want   string
	}{
		{"a colleague spoke last", false, nil, "are you sure?", "alice delivered"},
		{"strict threads address nobody", true, nil, "are you sure?", ""},
		{"addressing others wins", false, nil, "@bob is that so?", "bob delivered"},
		{"strict threads take names", true, nil, "@alice is that so?", "alice delivered"},
		{"a person spoke last", false, func(k *desk) { k.hear(slackDev, "1.5", "1.0", "@user note") }, "hm", ""},
		{"the office's notices do not count", false, func(k *desk) {
			k.hear(slackDev, "1.5", "1.0", "@alice go on")
			k.call("alice", verb(PostCall{Text: "on it", Wake: []string{}}))
			k.must(fail{k.ref("alice"), "the model is gone"})
		}, "what now?", "alice delivered"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			p := threadedPortal()
			p.Strict = tc.strict
			k.link(p)
			k.hear(slackDev, "1.0", "", "@alice what is it?")
			k.finish("alice", "42")
			k.arrived(k.onWire(slackDev), "1.1", "1.0")
			if tc.last != nil {
				tc.last(k)
			}
			rec := k.hear(slackDev, "2.0", "1.0", tc.text)
			if outcomes(rec) != tc.want {
				t.Errorf("woke %q, want %q", outcomes(rec), tc.want)
			}
			if m := k.rec.messages[rec.Anchor]; m.Root != 1 {
				t.Errorf("it stands in the thread of %d", m.Root)
			}
		})
	}
}

func TestWithReplyInThreadEachTopLevelMessageIsItsOwnConversation(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(threadedPortal())
	k.hear(slackDev, "1.0", "", "@alice first")
	if got := outcomes(k.hear(slackDev, "2.0", "", "@alice second")); got != "alice queued" {
		t.Errorf("the second is %q; the first one's turn would not answer it in its thread", got)
	}
	k.finish("alice", "one")
	k.finish("alice", "two")
	for seq, root := range map[int64]int64{1: 0, 2: 0, 3: 1, 4: 2} {
		if m := k.rec.messages[Anchor{"dev", seq}]; m == nil || m.Root != root {
			t.Errorf("dev-%d is %+v, want it in the thread of %d", seq, m, root)
		}
	}
}

func TestWithoutReplyInThreadTheChannelIsOneConversation(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice first")
	if got := outcomes(k.hear(chatDev, "2.0", "", "@alice second")); got != "alice steered" {
		t.Errorf("the second is %q", got)
	}
	k.call("alice", verb(ColleaguesCall{}))
	k.finish("alice", "both")
	if m := k.rec.messages[Anchor{"dev", 3}]; m.Root != 0 || m.ReplyTo != 2 {
		t.Errorf("the answer stands in thread %d, answers %d; want a reply to dev-2 in the channel", m.Root, m.ReplyTo)
	}
}

func TestAThreadThatBeganBeforeUsBeginsWithItsFirstMessageHere(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		before func(k *desk)
		after  func(k *desk)
	}{
		{"one after the other", func(*desk) {}, func(*desk) {}},
		{"parked together", func(k *desk) { k.must(fill{chatDev, true}) }, func(k *desk) { k.must(fill{chatDev, false}) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			tc.before(k)
			k.hear(chatDev, "2.0", "1.0", "@alice look at this thread")
			k.hear(chatDev, "3.0", "1.0", "@alice and this")
			tc.after(k)
			if m := k.rec.messages[Anchor{"dev", 2}]; m.Root != 1 {
				t.Errorf("the second stands in the thread of %d, want dev-1", m.Root)
			}
			k.call("alice", verb(ColleaguesCall{}))
			k.finish("alice", "seen")
			if m := k.rec.messages[Anchor{"dev", 3}]; m.Root != 1 {
				t.Errorf("the answer stands in the thread of %d, want dev-1", m.Root)
			}
			n := k.rec.natives[nativeKey(chatDev, "1.0")]
			if !n.Alias || n.Anchor.Seq != 1 {
				t.Errorf("the thread is known as %+v", n)
			}
			// Should the first message itself turn up, it is new.
			if rec := k.fillIn(chatDev, "1.0", "the beginning"); rec.Again {
				t.Error("the thread's first message was taken for one that is here")
			}
		})
	}
}

func TestADirectTalkReachesWhomItNames(t *testing.T) {
	t.Parallel()
	type say struct{ native, thread, text, want string }
	for _, tc := range []struct {
		name string
		says []say
	}{
		{"the front desk is a leader until somebody is named", []say{{"1", "", "hi", "carol delivered"}}},
		{"a name chooses and stays", []say{{"1", "", "@alice hi", "alice delivered"}, {"2", "", "and?", "alice steered"}, {"3", "", "@bob hi", "bob delivered"}, {"4", "", "and?", "bob steered"}}},
		{"several names: a copy each, the partner stays", []say{{"1", "", "@bob hi", "bob delivered"}, {"2", "", "@alice and @carol", "alice delivered, carol delivered"}, {"3", "", "and?", "bob steered"}}},
		{"a level is a note", []say{{"1", "", "$member all of you", ""}}},
		{"a channel is a note", []say{{"1", "", "#dev all of you", ""}}},
		{"conflicting spellings are a note", []say{{"1", "", "@alice and $leader", ""}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(dmPortal())
			for _, s := range tc.says {
				rec := k.hear(slackUser, s.native, s.thread, s.text)
				if got := outcomes(rec); got != s.want {
					t.Errorf("%s woke %q, want %q", s.text, got, s.want)
				}
				if (rec.Note == "") != (s.want != "") {
					t.Errorf("%s: note %q", s.text, rec.Note)
				}
			}
			k.takeOver()
			if again := k.hear(slackUser, tc.says[0].native, "", tc.says[0].text); !again.Again {
				t.Error("the first was taken in twice")
			}
		})
	}
}

func TestTheFrontDeskIsWhomTheOfficeNames(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.FrontDesk = "bob" })
	k.link(dmPortal())
	if got := outcomes(k.hear(slackUser, "1", "", "hi")); got != "bob delivered" {
		t.Errorf("woke %q", got)
	}
}

func TestThePartnerOfADirectTalkSurvivesARestart(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal())
	k.hear(slackUser, "1", "", "@alice hi")
	k.finish("alice", "hello")
	k.takeOver()
	k.link(dmPortal()) // as an adapter does at every start
	if got := outcomes(k.hear(slackUser, "2", "", "and?")); got != "alice delivered" {
		t.Errorf("woke %q", got)
	}
}

func TestAReplyToMailReachesItsSender(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal())
	k.hear(slackUser, "1", "", "@carol hi")
	k.finish("carol", "NO_REPLY")
	k.say("general", "@alice report")
	k.call("alice", verb(DMCall{Wake: []string{"@user"}, Text: "all green"}))
	k.arrived(k.onWire(slackUser), "m1", "")
	k.finish("alice", "NO_REPLY")
	k.takeOver()
	for i, native := range []string{"2", "3"} {
		if got := outcomes(k.hear(slackUser, native, "m1", "thanks")); got != []string{"alice delivered", "alice steered"}[i] {
			t.Errorf("reply %d to alice's mail woke %q", i+1, got)
		}
	}
	if n := k.rec.natives[nativeKey(slackUser, "m1")]; n.Alias || n.Anchor.Channel != MailboxOf(DefaultOwner) {
		t.Errorf("the mail's place on the platform is now %+v", n)
	}
	k.finish("alice", "you are welcome")
	// A reply in a thread chooses nobody for the rest.
	if got := outcomes(k.hear(slackUser, "4", "", "and?")); got != "carol delivered" {
		t.Errorf("without a thread it woke %q", got)
	}
}

func TestAReplyInADirectTalkDoesNotHideItsOwnFirstMessage(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal())
	k.hear(slackUser, "1", "", "@alice hi")
	k.finish("alice", "hello")
	k.hear(slackUser, "2", "1", "in its thread")
	k.takeOver()
	if rec := k.hear(slackUser, "1", "", "@alice hi"); !rec.Again {
		t.Errorf("the first message, delivered again, was taken in twice: %+v", rec)
	}
}

func TestADirectTalkWithADismissedColleagueGoesToTheFrontDesk(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal())
	k.hear(slackUser, "1", "", "@bob hi")
	less := k.s.Setup
	less.Colleagues = less.Colleagues[:2]
	less.Channels = nil
	k.must(configure{less})
	if got := outcomes(k.hear(slackUser, "2", "", "still there?")); got != "carol delivered" {
		t.Errorf("woke %q", got)
	}
}

func TestAPersonWhoIsNotTheOwnerHasAContextOfTheirOwn(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.link(Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
	if _, err := k.arrive(Inbound{Portal: "slack:kim", Person: kim, Native: "1", Text: "@alice between us"}); err != nil {
		t.Fatal(err)
	}
	if got := k.running("alice").Person; got != kim {
		t.Errorf("the turn is in the context of %q", got)
	}
	k.finish("alice", "sure")
	k.wantWire("the answer", "slack:kim going sure")
}
