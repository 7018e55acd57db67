package office

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// What went wrong in other offices: each of these is something that this one must
// not do.

// A dismissal that leaves somebody in channels' member lists: nobody could take
// them out again, and a wake there would reach nobody.
func TestTrapWhoLeftIsInNoChannel(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	id := k.id("alice")
	k.without("alice")
	for _, ch := range k.s.Channels {
		if ch.Kind == GroupChannel && slices.Contains(ch.Members, id) {
			t.Errorf("alice is in #%s still", ch.Name)
		}
	}
	if got := outcomes(k.say("general", "#dev who is there?")); got != "bob delivered" {
		t.Errorf("woken: %s", got)
	}
	if r := k.say("general", "@alice hello"); outcomes(r) != "" {
		t.Errorf("one who left is addressed: %s", outcomes(r))
	}
}

// A post whose identity is forgotten at a restart, or that notifies and counts
// again although it is stored once.
func TestTrapARepeatedCallNotifiesAndCountsOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	calls := []PreparedCall{verb(PostCall{Channel: "dev", Text: "done", Wake: []string{"@bob", "@user"}}), outside("bash", EffectCall)}
	k.call("alice", calls...)
	sent := len(k.s.rates[rateKey{k.id("alice"), "dev"}])
	for range 3 {
		k.must(proceed{k.ref("alice"), calls}) // its runner asks again
	}
	if again := len(k.s.rates[rateKey{k.id("alice"), "dev"}]); again != sent {
		t.Errorf("the repetition counts: %d, then %d", sent, again)
	}
	k.restart()
	k.must(proceed{k.ref("alice"), calls})
	wantLines(t, "dev", k.texts("dev"), "alice: done")
	wantLines(t, "mail", k.mail(), "alice: done")
	woken := 0
	for _, it := range k.rec.items {
		if it.To == k.id("bob") {
			woken++
		}
	}
	if woken != 1 {
		t.Errorf("bob was woken %d times", woken)
	}
}

// A message that is compacted away while somebody waits for it, and silently
// drops out of what is handed over.
func TestTrapWhatIsHeldIsNotCompactedAway(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(k *desk){
		"paused":  func(k *desk) { k.pause(true, "") },
		"running": func(k *desk) { k.say("general", "@alice go") },
	} {
		k := newDesk(t)
		hold(k)
		k.say("dev", "@alice read this")
		if _, err := k.do(compactRange{Channel: "dev", From: 1, To: 1, Summary: "nothing", By: DefaultOwner}); err == nil || !strings.Contains(err.Error(), "waits") {
			t.Errorf("%s: it was compacted: %v", name, err)
		}
		if k.s.Meta.Pause.On {
			k.pause(false, "")
		} else {
			k.finish("alice", "done")
		}
		wantLines(t, name, k.shown(k.running("alice").ID), "dev-1")
	}
}

// A limit of the rate that a refusal does not count in, or that begins anew when
// somebody is dismissed and comes back.
func TestTrapTheRateIsTheColleagues(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	post := func() string {
		k.call("alice", verb(PostCall{Text: "x", Wake: []string{}}))
		return k.lastResult("alice")
	}
	for range 5 {
		post()
	}
	k.now = k.now.Add(20 * time.Second)
	if got := post(); !strings.Contains(got, "rate-limited") || !strings.Contains(got, "nothing was posted") {
		t.Fatalf("the sixth: %s", got)
	}
	id := k.id("alice")
	before := len(k.s.rates[rateKey{id, General}])
	k.without("alice")
	c := *k.s.Colleagues[id]
	c.Gone = false
	k.put(PutColleague{c}) // as an adoption leaves it
	k.say("general", "@alice go on")
	if after := len(k.s.rates[rateKey{id, General}]); after != before {
		t.Errorf("%d messages counted, after it came back %d", before, after)
	}
	if got := post(); !strings.Contains(got, "rate-limited") {
		t.Errorf("after it came back: %s", got)
	}
}

// office_dm says what its recipient was doing when the message arrived; office_post
// has several, and says nothing of the kind.
func TestTrapADirectMessageSaysWhatItsRecipientWasDoing(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		set  func(k *desk)
		want Status
	}{
		{"never ran", func(*desk) {}, Inactive},
		{"idle", func(k *desk) { k.say("dev", "@bob go"); k.finish("bob", "done") }, Idle},
		{"running", func(k *desk) { k.say("dev", "@bob go") }, Running},
		{"quota", func(k *desk) { k.say("dev", "@bob go"); k.must(waiting{k.ref("bob"), k.now.Add(time.Hour)}) }, QuotaRetry},
		{"stuck", func(k *desk) { k.say("dev", "@bob go"); k.must(stuck{k.ref("bob")}) }, Stuck},
		{"dead", func(k *desk) {
			c := *k.s.Colleagues[k.id("bob")]
			c.Dead = Death{Since: k.now, Why: "of the test"}
			k.put(PutColleague{c})
		}, Dead},
	} {
		k := newDesk(t)
		tc.set(k)
		k.say("general", "@alice go")
		k.call("alice", verb(DMCall{Text: "hello", Wake: []string{"@bob"}}))
		want := "(bob was " + string(tc.want) + " when it arrived)"
		if got := k.lastResult("alice"); !strings.Contains(got, want) {
			t.Errorf("%s: %s", tc.name, got)
		}
		k.call("alice", verb(PostCall{Text: "hello", Wake: []string{"@bob"}}))
		if got := k.lastResult("alice"); strings.Contains(got, "when it arrived") {
			t.Errorf("%s: office_post says %s", tc.name, got)
		}
	}
}

// A wake list that is guessed at: united, dropped or silently empty.
func TestTrapAWakeListIsNeverGuessedAt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	for _, list := range [][]string{
		nil,
		{""},
		{" "},
		{"@"},
		{"bob"},
		{"$"},
		{"#"},
		{"$boss"},
		{"#nowhere"},
		{"#mailbox"},
		{"#dm-c1-c2"},
		{"@nobody"},
		{"$leader", "@bob"},
		{"#dev", "@bob"},
		{"$leader", "$member"},
		{"#dev", "#general"},
		{"@bob", "@nobody"},
	} {
		before := k.s.Meta.Message
		k.call("alice", verb(PostCall{Text: "hello", Wake: list}))
		if got := k.lastResult("alice"); !strings.Contains(got, "Refused") || k.s.Meta.Message != before {
			t.Errorf("%q: %s", list, got)
		}
	}
	for _, list := range [][]string{{"@bob", "@BOB", " @bob "}, {"@bob", "@user"}, {"$LEADER"}, {"#Dev"}, {}} {
		k.now = k.now.Add(time.Minute)
		k.call("alice", verb(PostCall{Text: "hello", Wake: list}))
		if got := k.lastResult("alice"); strings.Contains(got, "Refused") {
			t.Errorf("%q: %s", list, got)
		}
	}
}

// The end of a turn that brings a dead colleague back to life.
func TestTrapTheEndOfATurnRevivesNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	for k.running("alice") != nil {
		ref := k.ref("alice")
		k.must(stuck{ref})
		if _, err := k.do(Reply{Ref: ref, Text: "late"}); err == nil {
			t.Error("an attempt that was given up still answers")
		}
	}
	if c := k.s.Colleagues[k.id("alice")]; k.s.status(c) != Dead {
		t.Errorf("alice is %s", k.s.status(c))
	}
	if got := outcomes(k.say("general", "@alice again")); got != "alice dead" || k.running("alice") != nil {
		t.Errorf("what reaches it is %s", got)
	}
}

// Changes of the roster that are told again and again, to those whom they do not
// concern, or to one leader for all.
func TestTrapEachLeaderIsToldOfTheRosterOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) {
		s.Colleagues = append(s.Colleagues, ColleagueSetup{Name: "dora", Role: Leader, Model: "demo"})
	})
	told := func(name string) bool {
		k.say("general", "@"+name+" hello")
		turn := k.running(name).ID
		k.finish(name, "NO_REPLY")
		return strings.Contains(k.frame(turn), "roster has changed")
	}
	for _, name := range []string{"carol", "dora", "alice"} {
		told(name)
	}
	k.without("bob")
	for _, tc := range []struct {
		name string
		want bool
	}{{"carol", true}, {"carol", false}, {"dora", true}, {"dora", false}, {"alice", false}} {
		if got := told(tc.name); got != tc.want {
			t.Errorf("%s is told: %v, want %v", tc.name, got, tc.want)
		}
	}
}
