package office

import (
	"fmt"
	"strings"
	"testing"

	"bullpen/office/wake"
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
			k.must(fail{Ref: k.ref("alice"), Reason: "the model is gone"})
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

// A native reply within a thread addresses the colleague whose message it answers,
// not the last that spoke there, also where it had to wait.
func TestANativeReplyWithinAThreadAddressesWhomItAnswers(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]func(k *desk){
		"at once":          nil,
		"behind a gap":     func(k *desk) { k.must(fill{slackDev, true}) },
		"over a take-over": func(k *desk) { k.must(fill{slackDev, true}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(threadedPortal())
			k.hear(slackDev, "1.0", "", "@alice what is it?")
			k.finish("alice", "42")
			k.arrived(k.onWire(slackDev), "1.1", "1.0")
			k.hear(slackDev, "1.2", "1.0", "@bob is that so?")
			k.finish("bob", "it is")
			k.arrived(k.onWire(slackDev), "1.3", "1.0")
			if wait != nil {
				wait(k)
			}
			rec, err := k.arrive(Inbound{Portal: slackDev, Person: DefaultOwner, Native: "2.0", Thread: "1.0", Answers: "1.1", Text: "are you sure?"})
			if err != nil || rec.Parked != (wait != nil) {
				t.Fatalf("%+v, %v", rec, err)
			}
			if name == "over a take-over" {
				k.takeOver()
			}
			if wait != nil {
				k.must(fill{slackDev, false})
			}
			if k.running("alice") == nil || k.running("bob") != nil {
				t.Error("it did not go to alice, whom it answers")
			}
		})
	}
}

// A native reply addresses the colleague whose message it answers, whoever has
// spoken there since.
func TestANativeReplyAddressesWhomItAnswers(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		k := newDesk(t)
		p := chatPortal()
		p.Strict = strict
		k.link(p)
		k.hear(chatDev, "1", "", "@alice what is it?")
		k.finish("alice", "42")
		k.arrived(k.onWire(chatDev), "2", "")
		k.hear(chatDev, "3", "2", "@bob do you agree?")
		k.finish("bob", "no")
		k.arrived(k.onWire(chatDev), "4", "")
		for i, reply := range []struct{ to, want string }{{"2", "alice delivered"}, {"4", "bob delivered"}, {"2", "alice steered"}} {
			rec, err := k.arrive(Inbound{Portal: chatDev, Person: DefaultOwner, Native: fmt.Sprintf("5%d", i), Thread: reply.to, Reply: true, Text: "are you sure?"})
			if err != nil {
				t.Fatal(err)
			}
			if strict {
				reply.want = ""
			}
			if got := outcomes(rec); got != reply.want {
				t.Errorf("strict %v, a reply to %s woke %q, want %q", strict, reply.to, got, reply.want)
			}
		}
	}
}

// A person whom the platform itself tells of a message has no copy of it in the
// mailbox; one whose name is only written has.
func TestWhoIsMentionedNativelyHasNoCopy(t *testing.T) {
	t.Parallel()
	for _, native := range []bool{false, true} {
		k := newDesk(t, withKim)
		k.link(chatPortal())
		in := Inbound{Portal: chatDev, Person: DefaultOwner, Native: "1", Text: "@kim look"}
		if native {
			in.Spans = []wake.Span{{Start: 0, End: 4, Kind: wake.SpanPerson, ID: string(kim)}}
		}
		rec, err := k.arrive(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(k.texts(MailboxOf(kim))); got != map[bool]int{false: 1, true: 0}[native] || len(rec.Deliveries) != got {
			t.Errorf("native %v: %d copies, told %v", native, got, rec.Deliveries)
		}
		if fmt.Sprint(rec.Wake.People) != "[kim]" {
			t.Errorf("native %v: it addresses %v", native, rec.Wake.People)
		}
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

func TestRule8AnotherPersonsContextIsNeverJoined(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	private := k.must(postRequest{Post{Person: kim, To: k.id("alice"), Text: "between us"}}).(Receipt)
	if got := outcomes(private); got != "alice queued" {
		t.Errorf("%s", got)
	}
	k.call("alice", verb(ColleaguesCall{}))
	wantLines(t, "shown in the working context", k.shown(turn), "general-1")
	k.finish("alice", "done")
	if next := k.running("alice"); next.Person != kim {
		t.Errorf("the next turn is of the context of %q", next.Person)
	}
}
