package office

import "testing"

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
