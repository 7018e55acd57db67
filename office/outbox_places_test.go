package office

import (
	"strings"
	"testing"
)

func TestAClosedPlaceIsOwedNothingAndItsOwnerIsToldOnce(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one")
	k.say("dev", "two")
	k.say("dev", "three")
	k.ended(s, Verdict{Kind: Refused, Reason: "the channel is archived", Close: true})
	k.wantWire("what waited behind it")
	if len(k.rec.sends) != 0 {
		t.Errorf("still owed: %v", k.rec.sends)
	}
	k.say("dev", "four")
	k.wantWire("later")
	k.takeOver()
	k.wantWire("after a restart")
	if got := k.mail(); len(got) != 1 || !strings.Contains(got[0], "archived") {
		t.Errorf("the owner was told %q, want one line with the reason", got)
	}
	k.link(chatPortal())
	k.say("dev", "five")
	k.wantWire("once it is linked again", "chat:dev going five")
}

func TestAMessageIsNotShownWhereItCameFrom(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal())
	k.hear(chatDev, "1.0", "", "hello")
	k.wantWire("of a message that came from chat", "slack:dev going hello")
}

func TestMailGoesToThePersonsDirectTalk(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.link(dmPortal(), Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
	k.say("general", "@alice report")
	k.call("alice", verb(DMCall{Wake: []string{"@kim"}, Text: "for kim"}))
	k.wantWire("mail for kim", "slack:kim going for kim")
	k.call("alice", verb(PostCall{Wake: []string{"@user"}, Text: "look, user"}))
	k.wantWire("a copy for the owner", "slack:user going look, user")
}

func TestMailTakesThePlatformThatIsOpen(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	other := Portal{ID: "zulip:user", Platform: "zulip", Place: "user", Kind: DMPortal, Person: DefaultOwner}
	k.link(dmPortal(), other)
	k.say("general", "@alice report")
	k.call("alice", verb(DMCall{Wake: []string{"@user"}, Text: "one"}))
	k.wantWire("on the first platform alone", "slack:user going one")
	k.ended(k.onWire(slackUser), Verdict{Kind: Refused, Reason: "the account is gone", Close: true})
	k.wantWire("the same mail, when that one is closed", "zulip:user going one")
	k.arrived(k.onWire(other.ID), "7", "")
	k.call("alice", verb(DMCall{Wake: []string{"@user"}, Text: "two"}))
	k.wantWire("and the next one there at once", "zulip:user going two")
}

func TestADirectTalkIsNotEchoedToItsPerson(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal())
	k.hear(slackUser, "1.0", "", "@alice hi")
	k.wantWire("of what was said there")
	k.finish("alice", "hello")
	k.wantWire("of the answer", "slack:user going hello")
	k.arrived(k.onWire(slackUser), "2.0", "")
	// Said in a terminal, it is not repeated on the phone; the answer is shown there.
	k.must(postRequest{Post: Post{Person: DefaultOwner, To: k.id("alice"), Text: "and now?"}})
	k.wantWire("of what was said elsewhere")
	k.finish("alice", "fine")
	k.wantWire("of the answer to that", "slack:user going fine")
}

func TestThreadsOfTwoPlatformsAreOne(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal())
	k.hear(slackDev, "1.0", "", "@alice what is it?")
	k.arrived(k.onWire(chatDev), "c1", "")
	k.finish("alice", "42")
	k.wantWire("the answer", "chat:dev going 42", "slack:dev going 42")
	k.arrived(k.onWire(chatDev), "c2", "c1")
	rec := k.hear(chatDev, "c3", "c1", "are you sure?")
	if m := k.rec.messages[rec.Anchor]; m.Root != 1 || outcomes(rec) != "alice delivered" {
		t.Errorf("a reply in the other platform's thread: root %d, %s", m.Root, outcomes(rec))
	}
}

func TestMailThatAPersonsPlatformRefusesIsToldToTheOwner(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.link(dmPortal(), Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
	k.say("general", "@alice report")
	k.call("alice", verb(DMCall{Wake: []string{"@kim"}, Text: "for kim"}))
	k.ended(k.onWire("slack:kim"), Verdict{Kind: Refused, Reason: "kim has left"})
	k.wantWire("in the owner's direct talk", "slack:user going mailbox-kim-1 is not shown on slack: kim has left.")
	k.ended(k.onWire(slackUser), Verdict{Kind: Refused, Reason: "no"})
	k.wantWire("a refused notice brings no other")
}

func TestAnUnlinkedPlaceIsNeitherHeardNorOwedAnything(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice hi")
	k.finish("alice", "hello")
	k.must(unlink{chatDev})
	if len(k.s.Sends) != 0 {
		t.Error("something is still owed to it")
	}
	if _, err := k.do(inbound{Inbound: Inbound{Portal: chatDev, Person: DefaultOwner, Native: "2.0", Text: "@alice hi"}}); err == nil {
		t.Error("it is still heard")
	}
	k.say("dev", "@alice here")
	k.finish("alice", "yes")
	if len(k.s.Sends) != 0 {
		t.Error("something new is owed to it")
	}
	k.link(chatPortal()) // and linked again
	k.say("dev", "a note")
	if len(k.s.Sends) != 1 {
		t.Error("nothing is owed to a place that is linked again")
	}
}

func TestWhatWeSayMovesNoMarkOfWhatWasHeard(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice hi")
	k.finish("alice", "hello")
	k.arrived(k.onWire(chatDev), "9.0", "1.0")
	if p := k.s.Portals[chatDev]; p.Mark != "1.0" || len(p.Threads) != 1 || p.Threads[0].Mark != "1.0" {
		t.Errorf("mark %s, threads %v: what was said between 1.0 and 9.0 may not have been heard", p.Mark, p.Threads)
	}
}

func TestRule22AnotherPlatformOfThePersonOnlyAfterARefusal(t *testing.T) {
	t.Parallel()
	other := Portal{ID: "zulip:user", Platform: "zulip", Place: "user", Kind: DMPortal, Person: DefaultOwner}
	for _, tc := range []struct {
		name  string
		end   Verdict
		moves bool
	}{
		{"refused", Verdict{Kind: Refused, Reason: "no"}, true},
		{"refused, and the place is closed", Verdict{Kind: Refused, Reason: "blocked", Close: true}, true},
		{"unknown", Verdict{Kind: Uncertain}, false},
		{"not sent", Verdict{Kind: NotSent}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(dmPortal(), other)
			k.say("general", "@alice tell me")
			k.call("alice", verb(DMCall{Wake: []string{"@user"}, Text: "all green"}), verb(DMCall{Wake: []string{"@user"}, Text: "and more"}))
			k.ended(k.onWire(slackUser), tc.end)
			moved := k.s.lanes[other.ID]
			if !tc.moves {
				if len(moved) != 0 {
					t.Errorf("%d entries are owed to the other platform", len(moved))
				}
				return
			}
			if len(moved) == 0 || moved[0].Parts[0] != "all green" {
				t.Fatalf("owed to the other platform: %v", moved)
			}
			k.ended(k.onWire(other.ID), Verdict{Kind: Refused, Reason: "no as well"})
			if n := len(k.s.lanes[slackUser]); tc.end.Close && n != 0 {
				t.Errorf("%d entries go back to the closed place", n)
			}
		})
	}
}
