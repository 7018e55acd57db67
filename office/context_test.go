package office

import (
	"strings"
	"testing"
)

// transcript is what the model of a colleague is shown in a context.
func (k *desk) transcript(name string, person PersonID) string {
	k.Helper()
	c := k.s.Colleagues[k.id(name)]
	var all []Entry
	for _, e := range k.rec.entries {
		if e.In == (ContextID{Colleague: c.ID, Person: person}) {
			all = append(all, e)
		}
	}
	var b strings.Builder
	for _, e := range c.Contexts[person].Shown(all) {
		b.WriteString(string(e.Kind) + ": " + e.Text + "\n")
	}
	return b.String()
}

func (k *desk) direct(who PersonID, to, text string) {
	k.Helper()
	k.must(postRequest{Post: Post{Person: who, To: k.id(to), Text: text}})
}

// lee is a second person beside kim.
const lee PersonID = "lee"

func withLee(s *Setup) {
	withKim(s)
	s.People = append(s.People, Person{ID: lee, Name: "lee", Accounts: []Account{{Platform: "slack", ID: "U8"}, {Platform: "telegram", ID: "8"}}})
}

// Case B33: what one person tells a colleague directly is in no other context,
// unless the office says that it has one for all.
func TestPrivateTalkStaysInItsContext(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		k := newDesk(t, withLee, func(s *Setup) { s.Colleagues[1].SharedDM = shared })
		k.direct(kim, "alice", "my code word is oak")
		k.finish("alice", "Noted, oak.")
		k.direct(lee, "alice", "what is the code word?")
		f, seen := k.frame(k.running("alice").ID), k.transcript("alice", k.running("alice").Person)
		if strings.Contains(f, "oak") {
			t.Errorf("the frame for lee holds kim's talk: %s", f)
		}
		if strings.Contains(seen, "oak") != shared {
			t.Errorf("shared %v, and the context for lee is\n%s", shared, seen)
		}
		by := Reader{Colleague: k.id("alice"), Person: k.running("alice").Person}
		if may := k.s.mayRead(by, k.s.Channels[DirectWithPerson(k.id("alice"), kim)]); may != shared {
			t.Errorf("shared %v, and what kim said can be read: %v", shared, may)
		}
		k.call("alice", verb(ColleaguesCall{}))
		if got := k.lastResult("alice"); strings.Contains(got, "one context for everybody") != shared {
			t.Errorf("shared %v, and who says %s", shared, got)
		}
		said := false
		for _, a := range k.rec.audit {
			said = said || strings.Contains(a.What, "dm_context of alice")
		}
		if said != shared {
			t.Errorf("shared %v, and the audit is %+v", shared, k.rec.audit)
		}
	}
}

// Case B33, variants: one person on two platforms, and in two threads of one
// talk, has one context; and mail of another context never joins a turn.
func TestOnePersonHasOneContextWhereverTheyWrite(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withLee)
	k.link(Portal{ID: "slack:lee", Platform: "slack", Place: "D8", Kind: DMPortal, Person: lee},
		Portal{ID: "tg:lee", Platform: "telegram", Place: "8", Kind: DMPortal, Person: lee})
	hear := func(p PortalID, native, thread, text string) {
		k.Helper()
		if _, err := k.arrive(Inbound{Portal: p, Person: lee, Native: native, Thread: thread, Text: text}); err != nil {
			k.Fatal(err)
		}
	}
	hear("slack:lee", "1", "", "@alice my code word is elm")
	k.finish("alice", "Noted.")
	for i, from := range []func(){
		func() { hear("tg:lee", "1", "", "@alice which word?") },
		func() { hear("slack:lee", "2", "1", "which word?") },
		func() { hear("slack:lee", "4", "", "@alice which word?") },
	} {
		from()
		turn := k.running("alice")
		if turn == nil || turn.Person != lee || !strings.Contains(k.transcript("alice", lee), "elm") {
			t.Fatalf("variant %d runs %+v in\n%s", i, turn, k.transcript("alice", lee))
		}
		k.direct(kim, "alice", "and mine is oak")
		k.say("general", "@alice hello")
		k.call("alice", verb(ColleaguesCall{}))
		if got := k.transcript("alice", lee); strings.Contains(got, "oak") || strings.Contains(got, "hello") {
			t.Fatalf("lee's turn was given %s", got)
		}
		k.finish("alice", "elm")
		k.finish("alice", "hello") // the owner's turn
		k.finish("alice", "oak")   // kim's
	}
}

// Case B32: where a turn answers is fixed when it begins, whoever writes
// meanwhile, and survives a restart.
func TestATurnAnswersWhereItBegan(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.say("dev", "@alice the figures?")
	k.direct(kim, "alice", "hi")
	k.must(pause{On: true, By: DefaultOwner})
	k.say("dev", "@bob wait")
	k.restart()
	k.must(pause{On: false, By: DefaultOwner}) // a held delivery is released at the same time
	k.finish("alice", "The figures: 42.")
	k.finish("alice", "Hi Kim.")
	dev, dm := strings.Join(k.texts("dev"), "\n"), strings.Join(k.texts(DirectWithPerson(k.id("alice"), kim)), "\n")
	if !strings.Contains(dev, "alice: The figures: 42.") || strings.Contains(dev, "Hi Kim") {
		t.Errorf("dev:\n%s", dev)
	}
	if !strings.Contains(dm, "alice: Hi Kim.") || strings.Contains(dm, "42") {
		t.Errorf("kim's talk:\n%s", dm)
	}
}

func TestANewContextBeginsEmptyWithTheNextTurn(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withLee)
	k.say("general", "@alice the word is oak")
	k.must(newContext{Colleague: "alice", By: DefaultOwner})
	k.call("alice", verb(ColleaguesCall{}))
	if got := k.transcript("alice", ""); !strings.Contains(got, "oak") {
		t.Errorf("the turn that runs lost its beginning: %s", got)
	}
	k.finish("alice", "Noted.")
	k.restart()
	k.say("general", "@alice which word?")
	if got := k.transcript("alice", ""); strings.Contains(got, "oak") || !strings.Contains(got, "which word?") {
		t.Errorf("the new context begins with %s", got)
	}
	k.finish("alice", "I do not know.")
	k.say("general", "@alice again")
	if got := k.transcript("alice", ""); !strings.Contains(got, "I do not know.") {
		t.Errorf("it is started afresh a second time: %s", got)
	}
	n := 0
	for _, e := range k.rec.entries {
		if strings.Contains(e.Text, "oak") {
			n++
		}
	}
	if n == 0 {
		t.Error("the old transcript is not kept")
	}
}

func TestWhoMayStartAContextAfresh(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		by, person PersonID
		may        bool
	}{
		{DefaultOwner, "", true},
		{DefaultOwner, DefaultOwner, true}, // which is the working one
		{DefaultOwner, lee, true},
		{lee, lee, true},
		{lee, kim, false},
		{lee, "", false},
		{"nobody", "", false},
		{DefaultOwner, "nobody", false},
	} {
		k := newDesk(t, withLee)
		_, err := k.do(newContext{Colleague: "alice", Person: tc.person, By: tc.by})
		if (err == nil) != tc.may {
			t.Errorf("%q for %q: %v", tc.by, tc.person, err)
		}
		want := tc.person
		if want == DefaultOwner {
			want = ""
		}
		if fresh := k.s.Colleagues[k.id("alice")].Contexts[want].Fresh; fresh != tc.may {
			t.Errorf("%q for %q: fresh is %v", tc.by, tc.person, fresh)
		}
	}
}

func TestASummaryStandsForTheOldestPart(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	for _, text := range []string{"one", "two", "three"} {
		k.say("general", "@alice "+text)
		k.finish("alice", "answer "+text)
	}
	k.say("general", "@alice four")
	ref := k.ref("alice")
	if _, err := k.do(Summarised{Ref: ref, Through: 99, Text: "x"}); err == nil {
		t.Error("it covers entries that there are not")
	}
	first := k.must(Summarised{Ref: ref, Through: 2, Text: "SUMMARY 1", Usage: []Usage{{Input: 10}}}).(Progress)
	if len(first.Entries) != 1 || k.rec.usage[len(k.rec.usage)-1].Input != 10 {
		t.Errorf("progress %+v, usage %+v", first, k.rec.usage)
	}
	if got := k.transcript("alice", ""); !strings.HasPrefix(got, "summary: SUMMARY 1") || strings.Contains(got, "answer one") || !strings.Contains(got, "answer two") {
		t.Errorf("shown: %s", got)
	}
	k.must(Summarised{Ref: ref, Through: 4, Text: "SUMMARY 2"})
	k.restart()
	got := k.transcript("alice", "")
	if !strings.HasPrefix(got, "summary: SUMMARY 2") || strings.Contains(got, "SUMMARY 1") || strings.Contains(got, "answer two") || !strings.Contains(got, "answer three") {
		t.Errorf("shown: %s", got)
	}
	if _, err := k.do(Summarised{Ref: k.ref("alice"), Through: 4, Text: "again"}); err == nil {
		t.Error("a part is summarised twice")
	}
}
