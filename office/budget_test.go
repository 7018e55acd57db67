package office

import (
	"strings"
	"testing"
	"time"
)

// perColleague bounds each colleague to n tokens a day, all bounds the office.
func perColleague(n int64) func(*Setup) {
	return func(s *Setup) { s.Limits.ColleagueTokens = n }
}

func all(n int64) func(*Setup) {
	return func(s *Setup) { s.Limits.Tokens = n }
}

// spend lets a colleague's model answer for n tokens.
func (k *desk) spend(name string, n int64, text string, calls ...PreparedCall) Progress {
	k.Helper()
	return k.must(Reply{Ref: k.ref(name), Text: text, Calls: calls, Usage: []Usage{{Input: n - 1, Output: 1}}}).(Progress)
}

func TestOverItsBudgetAColleaguesMailIsHeldUntilTheDayResets(t *testing.T) {
	t.Parallel()
	k := newDesk(t, perColleague(100))
	k.say("general", "@alice one")
	k.spend("alice", 99, "done")
	if got := outcomes(k.say("general", "@alice two")); got != "alice delivered" {
		t.Fatalf("below the limit: %s", got)
	}
	k.spend("alice", 1, "done") // the turn's last answer is still posted
	rec := k.say("general", "@alice three @bob")
	if outcomes(rec) != "alice over-budget, bob delivered" {
		t.Fatalf("at the limit: %s", outcomes(rec))
	}
	if why := rec.Deliveries[0].Detail; !strings.Contains(why, "100 tokens") || !strings.Contains(why, "2026-12-01 00:00 UTC") {
		t.Errorf("the receipt says %q; it should name the limit and when it goes on", why)
	}
	k.say("general", "@alice four")
	if k.running("alice") != nil {
		t.Fatal("a turn started over the budget")
	}
	k.takeOver()
	midnight := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if at := k.s.nextDeadline(k.now); !at.Equal(midnight) {
		t.Errorf("the office sleeps until %v, want midnight", at)
	}
	k.now = midnight.Add(-2 * time.Second)
	k.must(tick{})
	if k.running("alice") != nil {
		t.Error("it went on before midnight")
	}
	k.must(tick{})
	if k.running("alice") == nil {
		t.Fatal("it did not go on at midnight")
	}
	wantLines(t, "shown", k.shown(k.running("alice").ID), "general-5", "general-6")
}

func TestOverTheOfficesBudgetEverybodyIsHeld(t *testing.T) {
	t.Parallel()
	k := newDesk(t, all(100))
	k.say("general", "@alice @bob one")
	k.spend("alice", 60, "done")
	k.spend("bob", 60, "done")
	rec := k.say("general", "@carol hi")
	if outcomes(rec) != "carol over-budget" || !strings.Contains(rec.Deliveries[0].Detail, "the office") {
		t.Errorf("%s: %q", outcomes(rec), rec.Deliveries[0].Detail)
	}
	if k.rec.meta.Spent.Tokens != 120 {
		t.Errorf("%d tokens counted", k.rec.meta.Spent.Tokens)
	}
	k.now = k.now.Add(24 * time.Hour)
	if k.must(tick{}); k.running("carol") == nil {
		t.Error("it did not go on the next day")
	}
}

func TestTheOwnerIsToldOnceADayThatABudgetIsUsedUp(t *testing.T) {
	t.Parallel()
	k := newDesk(t, perColleague(100), all(150))
	spend := func(name string, n int64) {
		k.say("general", "@"+name+" go")
		k.spend(name, n, "NO_REPLY")
	}
	k.say("general", "@alice @bob go")
	k.spend("alice", 120, "NO_REPLY")
	k.say("general", "@alice again")
	k.spend("bob", 40, "NO_REPLY")
	k.say("general", "@bob again")
	told := k.mail()
	if len(told) != 3 || !strings.Contains(told[0], "alice has used its 100") || !strings.Contains(told[1], "The office has used 120 tokens of its 150") || !strings.Contains(told[2], "The office has used its 150") {
		t.Errorf("the owner was told %q", told)
	}
	k.now = k.now.Add(24 * time.Hour)
	k.must(tick{}) // what was held starts
	k.spend("alice", 1, "NO_REPLY")
	k.spend("bob", 1, "NO_REPLY")
	if len(k.mail()) != 3 {
		t.Errorf("told again below the limits: %q", k.mail())
	}
	k.takeOver()
	spend("alice", 100)
	if got := k.mail(); len(got) != 4 {
		t.Errorf("of the next day the owner was told %q", got[3:])
	}
}

func TestATurnThatUsesUpTheBudgetEndsWithItsCallsUnrun(t *testing.T) {
	t.Parallel()
	k := newDesk(t, perColleague(100))
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	p := k.spend("alice", 100, "", verb(PostCall{Text: "never said", Wake: []string{"@bob"}}), outside("bash", EffectCall))
	if !p.Ended || len(p.Open) != 0 || k.running("alice") != nil {
		t.Fatalf("the turn goes on: %+v", p)
	}
	if got := k.results(turn); len(got) != 2 || !strings.Contains(got[0], "not run") || !strings.Contains(got[1], "not run") {
		t.Errorf("results %q, want one for each call", got)
	}
	if got := k.texts(General); len(got) != 2 || !strings.Contains(got[1], "alice could not finish general-1") || !strings.Contains(got[1], "100 tokens") {
		t.Errorf("general: %q; whoever asked is told why", got)
	}
	if k.running("bob") != nil {
		t.Error("a call ran")
	}
}

func TestWhatAnotherTurnUsedUpEndsAtTheNextAnswer(t *testing.T) {
	t.Parallel()
	k := newDesk(t, all(100))
	k.say("general", "@alice @bob go")
	k.spend("alice", 100, "done")
	if p := k.spend("bob", 1, "", outside("read", PureCall)); !p.Ended {
		t.Error("bob goes on over the office's budget")
	}
}

func TestUsageIsBookedOncePerRequest(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	turn := k.running("alice").ID
	calls := []PreparedCall{outside("read", PureCall), outside("read", PureCall)}
	k.must(Reply{Ref: k.ref("alice"), Calls: calls, Usage: []Usage{{Model: "m", Input: 5, CacheRead: 7, CacheWrite: 11, Output: 13, Reasoning: 3}}})
	k.must(callResult{k.ref("alice"), 0, Result{Text: "a"}, calls})
	k.must(callResult{k.ref("alice"), 0, Result{Text: "a"}, calls}) // the answer to it was lost
	k.takeOver()
	k.must(proceed{k.ref("alice"), calls})
	k.must(callResult{k.ref("alice"), 1, Result{Text: "b"}, calls})
	k.finish("alice", "done") // a request without a count
	if len(k.rec.usage) != 1 {
		t.Fatalf("booked %d times: %+v", len(k.rec.usage), k.rec.usage)
	}
	u := k.rec.usage[0]
	if u.Total() != 36 || u.Colleague != k.id("alice") || u.Turn != turn || u.Step != 1 || u.At.IsZero() {
		t.Errorf("booked %+v", u)
	}
	if got := k.rec.colleagues[k.id("alice")].Spent.Tokens; got != 36 || k.rec.meta.Spent.Tokens != 36 {
		t.Errorf("counted %d of alice, %d of the office", got, k.rec.meta.Spent.Tokens)
	}
}

func TestAnAttemptInTheMiddleOfATurnIsExemptFromTheBudget(t *testing.T) {
	t.Parallel()
	k := newDesk(t, all(100))
	k.say("general", "@alice @bob go")
	k.call("bob", outside("read", PureCall))
	k.spend("alice", 100, "done")
	k.takeOver()
	if k.running("bob") == nil {
		t.Error("the open turn was dropped")
	}
}

// The other bound on what an office does by itself: how long colleagues wake
// each other without a person.

// shortChain lets one colleague wake another once.
func shortChain(s *Setup) { s.Limits.Depth = 1; s.Limits.Posts, s.Limits.Messages = 100, 100 }

// wakesInTurn lets a colleague post a wake and end its turn.
func (k *desk) wakesInTurn(name, channel, text, whom string) {
	k.Helper()
	k.call(name, verb(PostCall{Channel: channel, Text: text, Wake: []string{"@" + whom}}))
	k.finish(name, "NO_REPLY")
}

// heldIn brings about a chain over the limit in a channel: what bob says to
// alice there is held.
func (k *desk) heldIn(channel string) {
	k.Helper()
	k.say(channel, "@alice start")
	k.wakesInTurn("alice", channel, "noted", "bob")
	k.wakesInTurn("bob", channel, "thanks", "alice")
}

// asked are the ids of the questions that messages of a channel offer.
func (k *desk) asked(channel ChannelID) []string {
	var out []string
	for n := range k.rec.channels[channel].Last {
		if m := k.rec.messages[Anchor{channel, n + 1}]; m.Question != "" {
			out = append(out, m.Question)
		}
	}
	return out
}

func TestAChainOverItsLimitIsHeldAndToldOncePerConversation(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain)
	k.heldIn("dev")
	if k.running("alice") != nil {
		t.Fatal("the chain went on")
	}
	// Another one of the same conversation, held as well.
	k.say("dev", "@bob again")
	k.wakesInTurn("bob", "dev", "carol?", "carol")
	k.wakesInTurn("carol", "dev", "alice?", "alice")
	if n := len(k.s.queues[k.id("alice")]); n != 2 {
		t.Fatalf("%d held", n)
	}
	inDev, inMail := k.asked("dev"), k.asked(MailboxOf(DefaultOwner))
	if len(inDev) != 1 || len(inMail) != 1 || inDev[0] != inMail[0] {
		t.Errorf("asked in the channel %v, in the owner's mailbox %v; want the same question once each", inDev, inMail)
	}
	k.heldIn("general")
	if got := k.asked(General); len(got) != 1 || got[0] == inDev[0] {
		t.Errorf("of another conversation: %v", got)
	}
	if len(k.s.Turns) != 0 {
		t.Error("the office's own words woke somebody")
	}
}

func TestTheButtonReleasesExactlyItsConversationOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain, withKim)
	k.heldIn("dev")
	k.heldIn("general")
	id := k.asked("dev")[0]
	k.takeOver() // the buttons still work
	for _, by := range []PersonID{kim, "nobody"} {
		if _, err := k.do(press{ID: id, By: by}); err == nil || k.running("alice") != nil {
			t.Errorf("%q decided it: %v", by, err)
		}
	}
	k.must(press{ID: id, By: DefaultOwner})
	turn := k.running("alice")
	if turn == nil || turn.Conv.Channel != "dev" {
		t.Fatalf("alice runs %+v", turn)
	}
	if _, err := k.do(press{ID: id, By: DefaultOwner}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("pressed twice: %v", err)
	}
	k.finish("alice", "NO_REPLY")
	if k.running("alice") != nil {
		t.Error("the other conversation was released as well")
	}
	if a := k.rec.audit; len(a) != 1 || a[0].By != "user" {
		t.Errorf("audit %+v", a)
	}
}

func TestAChainThatWasAllowedBeginsAnew(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain)
	k.heldIn("dev")
	k.must(press{ID: k.asked("dev")[0], By: DefaultOwner})
	k.call("alice", verb(PostCall{Channel: "dev", Text: "on", Wake: []string{"@bob"}}))
	if k.running("bob") != nil {
		t.Error("with a limit of one, alice was woken by bob: what she wakes is held")
	}
	if len(k.asked("dev")) != 2 {
		t.Errorf("the new stop was told %d times in all", len(k.asked("dev")))
	}
}

func TestAPersonsMessageTakesAlongAllThatIsHeldBeforeIt(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 4, 5, 7} {
		k := newDesk(t, shortChain)
		k.say("dev", "@bob start")
		k.wakesInTurn("bob", "dev", "go", "carol")
		var want []string
		for range n {
			k.call("carol", verb(PostCall{Channel: "dev", Text: "alice?", Wake: []string{"@alice"}}))
		}
		k.finish("carol", "NO_REPLY")
		k.say("dev", "@alice what is it?")
		for _, m := range []int64{3, 5, 6, 7, 8, 9, 10}[:n] { // dev-4 is the notice
			want = append(want, Anchor{"dev", m}.String())
		}
		want = append(want, Anchor{"dev", int64(n) + 4}.String())
		wantLines(t, "shown", k.shown(k.running("alice").ID), want...)
		if len(k.s.Questions) != 0 {
			t.Error("the question is still open though nothing is held")
		}
	}
}

func TestThankingEachOtherForEverStops(t *testing.T) {
	t.Parallel()
	const limit = 4
	k := newDesk(t, func(s *Setup) { s.Limits.Depth = limit })
	exchange := func() (rounds int) {
		for ; rounds < 1000; rounds++ {
			switch {
			case k.running("alice") != nil:
				k.wakesInTurn("alice", "dev", "noted", "bob")
			case k.running("bob") != nil:
				k.wakesInTurn("bob", "dev", "thanks", "alice")
			default:
				return rounds
			}
		}
		return rounds
	}
	k.say("dev", "@alice start")
	if n := exchange(); n != limit+1 {
		t.Errorf("%d turns, want the person's and %d of the chain", n, limit)
	}
	k.wait(10 * time.Minute)
	if n := exchange(); n != 0 {
		t.Errorf("%d more turns by themselves", n)
	}
	if told := k.mail(); len(told) != 1 {
		t.Errorf("the owner was told %q", told)
	}
	k.say("dev", "@carol and you?") // others are not slowed
	k.finish("carol", "fine")
	k.say("dev", "@bob start again")
	if n := exchange(); n < limit {
		t.Errorf("a person's message started %d turns", n)
	}
}

func TestANoteOverTheChainsLimitIsNotLostSilently(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain)
	k.say("general", "@alice ask bob")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
	k.finish("alice", "I asked bob.")
	k.finish("bob", "half way") // one deeper than the limit, and a person waits for it
	if got := k.mail(); len(got) != 1 || !strings.Contains(got[0], "held for alice") {
		t.Fatalf("the owner was told %q", got)
	}
	k.must(press{ID: k.asked(MailboxOf(DefaultOwner))[0], By: DefaultOwner})
	k.finish("alice", "bob is half way")
	told := k.texts(General) // where the person waits it is told as well
	if len(told) != 4 || !strings.HasPrefix(told[2], "office: ") || !strings.Contains(told[2], "held for alice") {
		t.Fatalf("general: %q", told)
	}
	wantLines(t, "general", append(told[:2:2], told[3]), "user: @alice ask bob", "alice: I asked bob.", "alice: bob is half way")
}

func TestANoteThatWakesNobodyIsNeverHeld(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain)
	k.say("general", "$member go") // one of a crowd: nobody waits for an answer
	k.finish("bob", "NO_REPLY")
	k.finish("carol", "NO_REPLY")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
	k.finish("alice", "NO_REPLY")
	k.finish("bob", "half way")
	if k.running("alice") != nil || len(k.mail()) != 0 {
		t.Fatalf("the note woke somebody, or was held: %q", k.mail())
	}
	k.say("general", "@alice and?")
	if got := k.shown(k.running("alice").ID); len(got) != 2 {
		t.Errorf("shown %q, want bob's note to ride along", got)
	}
}
