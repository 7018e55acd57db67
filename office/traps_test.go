package office

import (
	"fmt"
	"strings"
	"testing"
)

func TestAChannelMaySayWhereFinalTextsGo(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		final, text string
		posted      bool
	}{
		{"", "@alice hi", true},
		{"", "#dev hi", false},
		{FinalReply, "@alice hi", true},
		{FinalReply, "#dev hi", true},
		{FinalPrivate, "@alice hi", false},
		{FinalPrivate, "#dev hi", false},
	} {
		k := newDesk(t, func(s *Setup) { s.Channels[0].FinalText = tc.final })
		k.say("dev", tc.text)
		k.finish("alice", "my last words")
		if got := strings.Contains(strings.Join(k.texts("dev"), "\n"), "alice: my last words"); got != tc.posted {
			t.Errorf("%q, %q: posted %v", tc.final, tc.text, got)
		}
	}
}

func TestMergeAllMakesOneTurnOfAllThatWaits(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		k := newDesk(t, withKim, func(s *Setup) { s.MergeAll = all })
		k.must(pause{On: true, By: DefaultOwner})
		k.say("dev", "#dev one")
		k.say("general", "#general two")
		k.say("general", "@alice three?") // which has a turn of its own, to be answered there
		k.direct(kim, "alice", "four")
		k.must(pause{On: false, By: DefaultOwner})
		want := "[dev-1]"
		if all {
			want = "[dev-1 general-1]"
		}
		if got := fmt.Sprint(k.shown(k.running("alice").ID)); all && got != want {
			t.Errorf("merged: %s, want %s", got, want)
		} else if !all && strings.Contains(got, "dev-1") && strings.Contains(got, "general-1") {
			t.Errorf("not merged: %s", got)
		}
	}
}

func TestManyDeliveriesAreCountedByOutcome(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) {
		for i := range 25 {
			s.Colleagues = append(s.Colleagues, ColleagueSetup{Name: fmt.Sprintf("helper%d", i), Role: Member, Model: "demo"})
		}
		s.Limits.ConcurrentTurns = 1
	})
	k.say("general", "@alice call them")
	k.call("alice", verb(PostCall{Channel: "general", Text: "all hands", Wake: []string{"$member"}}))
	if got := k.lastResult("alice"); !strings.Contains(got, "delivered 27") || strings.Contains(got, "helper3") {
		t.Errorf("the result is %s", got)
	}
}

// Trap of reading: a mailbox is refused under every spelling, and no wildcard
// reaches it.
func TestAMailboxIsNeverRead(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.say("general", "@user for your eyes")
	by := Reader{Colleague: k.id("carol")}
	for _, name := range []string{"mailbox", "#mailbox", "mailbox-user", "Mailbox-User", "user's mailbox", "#user's mailbox", "@user", "user", "kim", "mailbox-kim", "dm-c2-user", "dm-c2-kim"} {
		ids, err := k.s.readable(by, name)
		for _, id := range ids {
			if k.s.Channels[id].Kind == MailboxChannel || k.s.Channels[id].Kind == DirectChannel {
				t.Errorf("%q reads %s", name, id)
			}
		}
		if err == nil && len(ids) == 0 {
			t.Errorf("%q is nothing, and that is not said", name)
		}
	}
	ids, err := k.s.readable(by, "*")
	if err != nil || fmt.Sprint(ids) != "[general]" {
		t.Errorf("* reads %v, %v", ids, err)
	}
}

// Case B06: two who always answer each other stop, are told of once, hold nobody
// up, and a person starts them again.
func TestTwoThatThankEachOtherStop(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("dev", "@alice start")
	turns := 0
	play := func() {
		for range 200 {
			name := ""
			for _, n := range []string{"alice", "bob"} {
				if k.running(n) != nil {
					name = n
				}
			}
			if name == "" {
				return
			}
			other := map[string]string{"alice": "@bob", "bob": "@alice"}[name]
			k.now = k.now.Add(31e9) // so that it is not the rate that stops them
			k.call(name, verb(PostCall{Channel: "dev", Text: "thanks", Wake: []string{other}}))
			k.finish(name, "NO_REPLY")
			turns++
		}
	}
	play()
	if turns == 0 || turns > k.s.Limits.Depth+1 {
		t.Errorf("%d turns without a person", turns)
	}
	if mail := k.mail(); len(mail) != 1 || !strings.Contains(mail[0], "have woken each other") {
		t.Errorf("mail: %q", mail)
	}
	k.say("general", "@carol hello")
	if k.running("carol") == nil {
		t.Error("others wait for them")
	}
	before := turns
	k.say("dev", "@alice @bob go on")
	play()
	if turns == before || turns > 3*(k.s.Limits.Depth+1) {
		t.Errorf("%d more turns after a person wrote", turns-before)
	}
}

// Case B08: the office's own notices wake nobody, whomever they name, and are in
// no turn.
func TestNoticesWakeNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("dev", "@bob go")
	k.must(fail{Ref: k.ref("bob"), Reason: "limit reached, @alice was waiting, $leader #dev"})
	k.must(interrupt{Colleague: "bob", By: DefaultOwner})
	for _, name := range []string{"alice", "bob", "carol"} {
		if k.running(name) != nil {
			t.Errorf("%s was woken by a notice", name)
		}
	}
	if len(k.rec.items) != 0 {
		t.Errorf("a notice is delivered: %+v", k.rec.items)
	}
	k.say("dev", "@alice what happened?")
	if f := k.frame(k.running("alice").ID); strings.Contains(f, "limit reached") {
		t.Errorf("alice is given the notice: %s", f)
	}
}

// Case B45: what reaches a paused office is kept over a restart and given once,
// in order, with its age, when that ends.
func TestAPausedOfficeKeepsEverything(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.must(pause{On: true, Note: "holiday", By: DefaultOwner})
	first := k.say("dev", "@alice one")
	k.say("dev", "#dev two")
	k.direct(DefaultOwner, "alice", "three")
	if got := first.Deliveries[0]; got.Outcome != Paused || !strings.Contains(got.Detail, "holiday") {
		t.Errorf("the writer is told %+v", got)
	}
	k.restart()
	k.now = k.now.Add(3600e9)
	out := k.must(pause{On: false, By: DefaultOwner}).(Resumed)
	if fmt.Sprint(out.Woken) != "[alice (3) bob (1)]" {
		t.Errorf("woken: %v", out.Woken)
	}
	turn := k.running("alice").ID
	wantLines(t, "first", k.shown(turn), "dev-1", "dev-2")
	if f := k.frame(turn); !strings.Contains(f, "1h0m0s ago") && !strings.Contains(f, "1h1m0s ago") {
		t.Errorf("no age in %s", f)
	}
	k.finish("alice", "done")
	wantLines(t, "then", k.shown(k.running("alice").ID), "dm-c2-user-1")
	k.finish("alice", "done")
	if k.running("alice") != nil || len(k.s.queues[k.id("alice")]) != 0 {
		t.Error("something is given twice")
	}
}

// Case B81: the closing text of whom a colleague asked reaches it; a message to
// nobody fails at once and says who there is.
func TestAColleaguesClosingTextReachesItsAsker(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "count them"}))
	k.call("alice", verb(DMCall{Wake: []string{"@bobb"}, Text: "hello?"}))
	if got := k.lastResult("alice"); !strings.Contains(got, "Refused") || !strings.Contains(got, "bob") {
		t.Errorf("to nobody: %s", got)
	}
	k.finish("bob", "There are 42.")
	k.call("alice", verb(ColleaguesCall{}))
	if f := k.frame(k.running("alice").ID); !strings.Contains(f, "There are 42.") {
		t.Errorf("alice is given %s", f)
	}
}

// Case B37: however a turn is cut off, what was queued meanwhile starts the next
// one, in order, and whoever asked is told.
func TestWhatIsQueuedOutlivesEveryEndOfATurn(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(k *desk){
		"its time is up":      func(k *desk) { k.must(fail{Ref: k.ref("alice"), Reason: "it took longer than 30s"}) },
		"the provider fails":  func(k *desk) { k.must(fail{Ref: k.ref("alice"), Reason: "HTTP 500"}) },
		"its runner gives up": func(k *desk) { k.must(fail{Ref: k.ref("alice"), Reason: "an internal error", Left: true}) },
		"an admin stops it":   func(k *desk) { k.must(interrupt{Colleague: "alice", By: DefaultOwner}) },
		"while it asks": func(k *desk) {
			k.askUser("alice", AskCall{Text: "which one?"})
			k.must(interrupt{Colleague: "alice", By: DefaultOwner})
		},
		"it crashes too often": func(k *desk) {
			for range k.s.Limits.Attempts {
				k.restart()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, asking)
			k.say("dev", "@alice go")
			first := k.running("alice").ID
			k.say("general", "@alice one")
			k.say("general", "@alice two")
			end(k)
			next := k.running("alice")
			if next == nil || next.ID == first {
				t.Fatalf("alice runs %+v", next)
			}
			wantLines(t, "the next turn", k.shown(next.ID), "general-1", "general-2")
			told := k.texts("dev")
			if last := told[len(told)-1]; !strings.HasPrefix(last, "office: alice could not finish dev-1") {
				t.Errorf("whoever asked is told %q", last)
			}
		})
	}
}

// Traps of addressing: nobody is in their own audience, however it is written,
// and nobody writes to itself.
func TestNobodyWakesItself(t *testing.T) {
	t.Parallel()
	for _, wake := range [][]string{{"@alice"}, {"@alice", "@bob"}, {"$member"}, {"#dev"}, {"#general"}} {
		k := newDesk(t)
		k.say("general", "@alice go")
		k.call("alice", verb(PostCall{Channel: "dev", Text: "hello", Wake: wake}))
		if n := len(k.s.queues[k.id("alice")]); n != 0 {
			t.Errorf("%v wakes its writer", wake)
		}
	}
	k := newDesk(t)
	k.say("general", "@alice go")
	k.call("alice", verb(DMCall{Text: "hello", Wake: []string{"@alice"}}))
	if got := k.lastResult("alice"); !strings.Contains(got, "cannot write to itself") {
		t.Errorf("a message to itself: %s", got)
	}
}

// The owner and the admins may read what colleagues say to each other directly;
// what a person says to a colleague is for nobody else.
func TestWhoReadsWhatColleaguesSayToEachOther(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.say("general", "@alice go")
	k.call("alice", verb(DMCall{Text: "between us", Wake: []string{"@bob"}}))
	alice, bob := k.id("alice"), k.id("bob")
	for _, who := range []PersonID{DefaultOwner, kim, "stranger"} {
		id, err := k.s.overhear(who, bob, alice)
		if who != DefaultOwner {
			if err == nil {
				t.Errorf("%s may read it", who)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wantLines(t, "what they said", k.texts(id), "alice: between us")
	}
}
