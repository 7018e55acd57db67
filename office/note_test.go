package office

import (
	"fmt"
	"strings"
	"testing"
)

// What comes of a question to a colleague belongs to the context in which it was
// asked, and to the person there.
func TestANoteGoesToTheContextInWhichItWasAsked(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		k := newDesk(t, withKim)
		k.direct(kim, "alice", "how far is bob?")
		k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
		k.finish("alice", "I asked bob.")
		if fails {
			k.must(fail{Ref: k.ref("bob"), Reason: "half way broken"})
		} else {
			k.finish("bob", "half way")
		}
		turn := k.running("alice")
		if turn == nil || turn.Person != kim || turn.Conv.Channel != DirectWithPerson(k.id("alice"), kim) {
			t.Fatalf("fails %v: the note starts %+v", fails, turn)
		}
		if got := k.transcript("alice", ""); strings.Contains(got, "half way") {
			t.Errorf("fails %v: the working context holds it:\n%s", fails, got)
		}
		k.finish("alice", "bob is half way")
		if got := k.texts(DirectWithPerson(k.id("alice"), kim)); got[len(got)-1] != "alice: bob is half way" {
			t.Errorf("fails %v: kim's talk is %q", fails, got)
		}
	}
}

// Whoever asked directly gets the final text once, also one whose message joined the
// turn; each for the person for whom it asked.
func TestEachAskerOfATurnGetsItsFinalTextOnce(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		k := newDesk(t)
		k.say("general", "@alice ask bob")
		k.say("dev", "@carol ask bob")
		ask := verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"})
		k.call("alice", ask)
		k.call("carol", ask, ask)
		if got := k.lastResult("carol"); !strings.Contains(got, "bob: steered") {
			t.Fatalf("carol's question does not join: %s", got)
		}
		k.finish("alice", "NO_REPLY")
		k.finish("carol", "NO_REPLY")
		k.call("bob", outside("read", PureCall)) // takes carol's in
		k.must(callResult{k.ref("bob"), 0, Result{Text: "a"}, []PreparedCall{outside("read", PureCall)}})
		k.call("bob", verb(ColleaguesCall{}))
		if fails {
			k.must(fail{Ref: k.ref("bob"), Reason: "half way broken"})
		} else {
			k.finish("bob", "half way")
		}
		for name, channel := range map[string]ChannelID{"alice": General, "carol": "dev"} {
			talk := k.texts(DirectBetween(k.id("bob"), k.id(name)))
			if n := strings.Count(strings.Join(talk, "\n"), "half way"); n != 1 {
				t.Errorf("fails %v: %s was told %d times: %q", fails, name, n, talk)
			}
			if turn := k.running(name); turn == nil || turn.Conv.Channel != channel || !turn.Ask {
				t.Errorf("fails %v: the note starts %+v of %s, want one that answers in %s", fails, turn, name, channel)
			}
		}
	}
}

// What was sent before a question is no answer to it.
func TestWhatWasSentBeforeAQuestionIsNoAnswer(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol tell bob to go on")
	k.call("carol", verb(DMCall{Wake: []string{"@bob"}, Text: "go on"}))
	k.finish("carol", "NO_REPLY")
	k.call("bob", verb(DMCall{Wake: []string{"@alice"}, Text: "I begin"}))
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "when are you done?"}))
	k.finish("alice", "NO_REPLY")
	k.call("bob", verb(ColleaguesCall{})) // takes it in
	k.call("bob", verb(ColleaguesCall{}))
	k.finish("bob", "at noon")
	if talk := k.texts(DirectBetween(k.id("bob"), k.id("alice"))); talk[len(talk)-1] != "bob: at noon" {
		t.Errorf("alice and bob say %q", talk)
	}
	// One who was answered gets nothing more.
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "where?"}))
	k.finish("alice", "NO_REPLY")
	for k.running("bob") != nil && k.running("alice") == nil {
		k.call("bob", verb(DMCall{Wake: []string{"@alice"}, Text: "here"}))
		k.finish("bob", "I told alice.")
	}
	if talk := strings.Join(k.texts(DirectBetween(k.id("bob"), k.id("alice"))), "\n"); strings.Contains(talk, "I told alice") {
		t.Errorf("a note follows what was sent back: %s", talk)
	}
}

// A note rides with the next step of an asker that works.
func TestANoteRidesWithTheAskersNextStep(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "$member go") // one of a crowd: nobody waits for an answer
	k.finish("carol", "NO_REPLY")
	k.finish("bob", "NO_REPLY")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
	k.finish("bob", "half way")
	k.call("alice", verb(ColleaguesCall{}))
	if got := k.transcript("alice", ""); !strings.Contains(got, "half way") || !strings.Contains(got, "| note]") {
		t.Errorf("at its step's end alice knows\n%s", got)
	}
}

// Reading what a chain's limit holds decides its question.
func TestReadingWhatTheDepthLimitHoldsEndsItsQuestion(t *testing.T) {
	t.Parallel()
	k := newDesk(t, shortChain)
	k.heldIn("dev")
	if len(k.s.Questions) != 1 {
		t.Fatalf("%d questions", len(k.s.Questions))
	}
	k.say("general", "@alice look")
	k.call("alice", verb(NotificationsCall{}))
	if got := k.lastResult("alice"); !strings.Contains(got, "1 message(s) were waiting") {
		t.Fatalf("it reads %s", got)
	}
	if len(k.s.Questions) != 0 {
		t.Error("the button is still there, though nothing is held")
	}
	// It wakes others no further than the chain may go.
	k.call("alice", verb(PostCall{Channel: "dev", Text: "on", Wake: []string{"@bob"}}))
	if got := k.lastResult("alice"); !strings.Contains(got, string(HopLimited)) {
		t.Errorf("the chain goes on: %s", got)
	}
}

// Every wake that a colleague causes is one deeper, however it is addressed and
// whatever the shape of the ring.
func TestEveryCauseOfAWakeIsOneDeeper(t *testing.T) {
	t.Parallel()
	const limit = 5
	post := func(channel string, wake ...string) func(string) Verb {
		return func(string) Verb { return PostCall{Channel: channel, Text: "on", Wake: wake} }
	}
	next := map[string]string{"alice": "bob", "bob": "carol", "carol": "alice"}
	for name, cause := range map[string]func(who string) Verb{
		"a level":       post("general", "$member"),
		"a channel":     post("dev", "#dev"),
		"its sender":    func(who string) Verb { return PostCall{Channel: "dev", Text: "on", Wake: []string{"@" + next[who]}} },
		"a direct talk": func(who string) Verb { return DMCall{Text: "on", Wake: []string{"@" + next[who]}} },
		"one at a turn's end": func(who string) Verb {
			return DMCall{Text: "on", Wake: []string{"@" + next[who]}, Notify: TurnEnd}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t, func(s *Setup) { s.Limits.Depth, s.Limits.Posts, s.Limits.Messages = limit, 1000, 1000 })
			k.say("dev", "@alice @bob @carol start")
			steps := 0
			for ; steps < 400; steps++ {
				var who string
				for _, c := range []string{"alice", "bob", "carol"} {
					if k.running(c) != nil && who == "" {
						who = c
					}
				}
				if who == "" {
					break
				}
				k.call(who, verb(cause(who)))
				k.finish(who, "NO_REPLY")
			}
			if steps == 400 {
				t.Fatal("they go on for ever")
			}
			deepest := 0
			for _, it := range k.s.Items {
				deepest = max(deepest, it.Depth)
				if !it.Hop {
					t.Errorf("%+v is held by nothing", it)
				}
			}
			if deepest != limit+1 {
				t.Errorf("what is held is %d deep, want %d", deepest, limit+1)
			}
		})
	}
}

// A colleague's message holds 16,384 characters of any script.
func TestAColleaguesMessageIsBounded(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	for _, n := range []int{16_384, 16_385} {
		for _, call := range []Verb{
			PostCall{Channel: "general", Text: strings.Repeat("語", n), Wake: []string{}},
			DMCall{Text: strings.Repeat("語", n), Wake: []string{"@bob"}},
		} {
			k.call("alice", verb(call))
			got := k.lastResult("alice")
			if refused := strings.Contains(got, "Refused: the text has 16385 characters and a message holds 16384"); refused != (n > 16_384) {
				t.Errorf("%T of %d characters: %.100s", call, n, got)
			}
		}
	}
	k.finish("alice", strings.Repeat("語", 40_000)) // a final text becomes several messages
	var parts []string
	for _, text := range k.texts(General) {
		if said, ok := strings.CutPrefix(text, "alice: "); ok {
			parts = append(parts, fmt.Sprint(len([]rune(said))))
		}
	}
	wantLines(t, "alice's messages", parts, "16384", "16384", "16384", "7232")
}

// What a person waits for goes before what colleagues want of each other.
func TestANoteForWhichAPersonWaitsIsUrgent(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@alice ask bob")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "how far?"}))
	k.finish("alice", "I asked bob.")
	k.call("bob", verb(PostCall{Channel: "general", Text: "done", Wake: []string{"@carol"}}))
	k.finish("bob", "half way")
	if k.running("alice") == nil || k.running("carol") != nil {
		t.Error("carol goes first, though a person waits for alice")
	}
}
