package office

import (
	"strings"
	"testing"
	"time"
)

func edit(native, version, text string) Revision {
	return Revision{Portal: chatDev, Native: native, Version: version, Text: text}
}

func deletion(native, version string) Revision {
	return Revision{Portal: chatDev, Native: native, Version: version, Deleted: true}
}

func TestRule3TheNewestVersionWins(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		changes []Revision
		want    string // as the record has it afterwards
		took    []bool // which of them changed something
	}{
		{"in order", []Revision{edit("1.0", "5", "b"), edit("1.0", "6", "c")}, "c", []bool{true, true}},
		{"out of order", []Revision{edit("1.0", "6", "c"), edit("1.0", "5", "b")}, "c", []bool{true, false}},
		{"equal stamps by arrival", []Revision{edit("1.0", "5", "b"), edit("1.0", "5", "c")}, "c", []bool{true, true}},
		{"the same one again", []Revision{edit("1.0", "5", "b"), edit("1.0", "5", "b")}, "b", []bool{true, false}},
		{"nothing that can be seen", []Revision{edit("1.0", "5", "a")}, "a", []bool{false}},
		{"deleted", []Revision{edit("1.0", "5", "b"), deletion("1.0", "6")}, deletedText, []bool{true, true}},
		{"edited with the stamp of its deletion", []Revision{deletion("1.0", "6"), edit("1.0", "6", "b")}, deletedText, []bool{true, false}},
		{"deleted and then an older edit", []Revision{deletion("1.0", "6"), edit("1.0", "5", "b")}, deletedText, []bool{true, false}},
		{"deleted twice", []Revision{deletion("1.0", "6"), deletion("1.0", "7")}, deletedText, []bool{true, false}},
		{"deleted with an older stamp", []Revision{edit("1.0", "6", "b"), deletion("1.0", "5")}, deletedText, []bool{true, true}},
		{"deleted without a stamp", []Revision{edit("1.0", "6", "b"), deletion("1.0", "")}, deletedText, []bool{true, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			rec := k.hear(chatDev, "1.0", "", "a")
			for i, c := range tc.changes {
				if got := k.change(c); got != tc.took[i] {
					t.Errorf("change %d: changed something: %v, want %v", i, got, tc.took[i])
				}
			}
			if m := k.rec.messages[rec.Anchor]; m.Text != tc.want {
				t.Errorf("it reads %q, want %q", m.Text, tc.want)
			}
		})
	}
}

func TestTheTextThatAChangeReplacedIsArchived(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "a")
	k.change(edit("1.0", "5", "b"))
	k.change(edit("1.0", "5", "b"))
	k.change(deletion("1.0", "6"))
	var got []string
	for _, r := range k.rec.revisions {
		got = append(got, r.Version+" "+r.Text)
	}
	wantLines(t, "archived", got, " a", "5 b")
}

func TestRule3AnEditBeforeItsMessageIsKeptForADay(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	if k.change(edit("1.0", "5", "b")) || k.change(edit("1.0", "7", "d")) || k.change(edit("1.0", "6", "c")) {
		t.Error("an edit of nothing changed something")
	}
	if len(k.rec.messages) != 0 || len(k.rec.revisions) != 3 {
		t.Fatalf("%d messages, %d kept", len(k.rec.messages), len(k.rec.revisions))
	}
	rec := k.hear(chatDev, "1.0", "", "a")
	r, ok := early(k.rec.revisions, k.now)
	if !ok || r.Text != "d" {
		t.Fatalf("kept for it: %+v, want the newest", r)
	}
	if _, late := early(k.rec.revisions, k.now.Add(earlyLife)); late {
		t.Error("it is still kept after a day")
	}
	if _, still := early(k.rec.revisions, k.now.Add(earlyLife-time.Minute)); !still {
		t.Error("it is gone before the day is over")
	}
	r.Early = false
	if !k.change(r) || k.rec.messages[rec.Anchor].Text != "d" {
		t.Error("it was not applied")
	}
	// What the change replaced does not count as one that came early.
	if r, ok := early(k.rec.revisions[3:], k.now); ok {
		t.Errorf("the archive was taken for a change: %+v", r)
	}
}

func TestRule3OfTwoEarlyEditsWithOneStampTheLaterHolds(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.change(edit("1.0", "5", "b"))
	k.change(edit("1.0", "5", "c"))
	if r, _ := early(k.rec.revisions, k.now); r.Text != "c" {
		t.Errorf("%q holds", r.Text)
	}
}

func TestRule3AnEditWhoseMessageCameInMeanwhileIsLookedUpAgain(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	r := revise{Revision: edit("1.0", "5", "b")} // nothing was found
	k.hear(chatDev, "1.0", "", "a")
	if _, err := k.do(r); err != errLookAgain { //nolint:errorlint // it is never wrapped
		t.Errorf("%v: the edit would be kept for a message that is here, and lost", err)
	}
}

func TestRule3AnotherPlacesMessageOfTheSameIDIsAnother(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal())
	a := k.hear(chatDev, "1.0", "", "a")
	b := k.hear(slackDev, "1.0", "", "b")
	k.change(edit("1.0", "5", "changed"))
	if k.rec.messages[a.Anchor].Text != "changed" || k.rec.messages[b.Anchor].Text != "b" {
		t.Errorf("%q and %q", k.rec.messages[a.Anchor].Text, k.rec.messages[b.Anchor].Text)
	}
}

func TestAQueuedMessageIsDeliveredAsEditedOrMarkedAsDeleted(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		rev  Revision
		want string
	}{
		{"edited", edit("2.0", "5", "@alice the mended question"), "the mended question"},
		{"deleted", deletion("2.0", "5"), deletedText},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			k.say("general", "@alice go")
			k.hear(chatDev, "2.0", "", "@alice the quextion")
			k.change(tc.rev)
			k.takeOver()
			k.finish("alice", "done")
			frame := k.frame(k.running("alice").ID)
			if !strings.Contains(frame, tc.want) || strings.Contains(frame, "quextion") {
				t.Errorf("alice reads:\n%s", frame)
			}
		})
	}
}

func TestAnEditOfTheFirstOfManyKeepsTheOrder(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.say("general", "@alice go")
	for _, n := range []string{"1.0", "2.0", "3.0", "4.0", "5.0"} {
		k.hear(chatDev, n, "", "@alice "+n)
	}
	k.change(edit("1.0", "9", "@alice mended"))
	k.change(edit("4.0", "9", "@alice mended too"))
	k.finish("alice", "done")
	wantLines(t, "shown", k.shown(k.running("alice").ID), "dev-1", "dev-2", "dev-3", "dev-4", "dev-5")
}

func TestAnEditWakesNobody(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after, want string }{
		{"that adds an address", "just a note", "@bob a note", ""},
		{"that adds another address", "@alice a note", "@alice @bob a note", "alice delivered"},
		{"that takes an address away", "@alice a note", "a note", "alice delivered"},
		{"with a command", "just a note", "/office pause", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			rec := k.hear(chatDev, "1.0", "", tc.before)
			turns := len(k.s.Turns)
			k.change(edit("1.0", "5", tc.after))
			m := k.rec.messages[rec.Anchor]
			if outcomes(receiptOf(m)) != tc.want || k.running("bob") != nil || len(k.s.Turns) != turns {
				t.Errorf("woke %q; %d turns", outcomes(receiptOf(m)), len(k.s.Turns))
			}
			if m.Text != tc.after || m.Seq != 1 || len(k.rec.messages) != 1 {
				t.Errorf("the record has %+v, of %d messages", m, len(k.rec.messages))
			}
			if k.takeOver(); k.running("bob") != nil {
				t.Error("bob was woken by the next owner")
			}
		})
	}
}

func TestAChangeOfAParkedMessageIsTakenInWithIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		changes []Revision
		want    string
	}{
		{"edited", []Revision{edit("1.0", "5", "@alice @bob mended")}, "@alice @bob mended"},
		{"edited twice, out of order", []Revision{edit("1.0", "6", "new"), edit("1.0", "5", "old")}, "new"},
		{"deleted", []Revision{edit("1.0", "6", "new"), deletion("1.0", "5")}, deletedText},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			k.must(fill{chatDev, true})
			k.hear(chatDev, "1.0", "", "@alice hi")
			k.hear(chatDev, "2.0", "", "next")
			for _, c := range tc.changes {
				k.change(c)
			}
			k.takeOver()
			k.must(fill{chatDev, false})
			wantLines(t, "dev", k.texts("dev"), "user: "+tc.want, "user: next")
			if k.running("bob") != nil || k.running("alice") == nil {
				t.Error("it wakes whom it addressed when it was written, and nobody else")
			}
			if frame := k.frame(k.running("alice").ID); !strings.Contains(frame, tc.want) {
				t.Errorf("alice reads:\n%s", frame)
			}
		})
	}
}

func TestAnEditOfACommandIsTheEditOfNoMessage(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.must(once{event: Inbound{Portal: chatDev, Native: "1.0"}.event()})
	if k.change(edit("1.0", "5", "/office pause")) || len(k.rec.messages) != 0 {
		t.Error("the edit of a command did something")
	}
}
