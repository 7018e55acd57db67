package office

import (
	"strings"
	"testing"
)

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

// A level or a channel in a direct talk is not posted silently: its writer is
// asked, there, whether it is to be posted where the room is.
func TestARoomCalledInADirectTalkIsAskedAbout(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, channel string
		option        int
		want          string // outcomes there, behind the answer
	}{
		{"$leader all of you", "general", 0, "carol delivered"},
		{"#dev all of you", "dev", 0, "alice delivered, bob delivered"},
		{"#dev all of you", "dev", 1, ""},
	} {
		k := newDesk(t, withKim)
		k.link(dmPortal(), Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
		rec, err := k.arrive(Inbound{Portal: "slack:kim", Person: kim, Native: "1", Text: tc.text})
		if err != nil || outcomes(rec) != "" || len(k.s.Questions) != 1 {
			t.Fatalf("%q: %v, %v, %d questions", tc.text, outcomes(rec), err, len(k.s.Questions))
		}
		k.wantWire(tc.text, "slack:kim going This calls a whole room, and this is a direct talk: nobody was woken. Post it in #"+tc.channel+"?")
		if len(k.texts(ChannelID(tc.channel))) != 0 {
			t.Errorf("%q was posted unasked", tc.text)
		}
		k.takeOver()
		id := keys(k.s.Questions)[0]
		if _, err := k.do(press{ID: id, Option: tc.option, By: DefaultOwner}); err == nil {
			t.Errorf("%q: somebody else decides it", tc.text)
		}
		said := k.must(press{ID: id, Option: tc.option, By: kim}).(string)
		if tc.want == "" {
			if posted := k.texts(ChannelID(tc.channel)); len(posted) != 0 {
				t.Errorf("%q is posted all the same: %q", tc.text, posted)
			}
			continue
		}
		wantLines(t, tc.channel, k.texts(ChannelID(tc.channel)), "kim: "+tc.text)
		if !strings.Contains(said, tc.want) {
			t.Errorf("%q: %s, want %s", tc.text, said, tc.want)
		}
		if _, err := k.do(press{ID: id, Option: 0, By: kim}); err == nil {
			t.Error("it was posted twice")
		}
	}
}

// An answer goes to the platform on which it was asked for.
func TestAnAnswerStandsOnThePlatformOfItsQuestion(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(dmPortal(), Portal{ID: "chat:user", Platform: "chat", Place: "user", Kind: DMPortal, Person: DefaultOwner})
	for _, portal := range []PortalID{slackUser, "chat:user"} {
		k.hear(portal, "1", "", "@alice hi")
		k.finish("alice", "hello")
		k.wantWire("hi on "+string(portal), string(portal)+" going hello")
		k.arrived(k.onWire(portal), "answer", "")
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
