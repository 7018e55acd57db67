package office

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// What is on the wire must leave within leave; nobody looks before settled.
const (
	leave   = 10 * time.Second
	settled = 10 * time.Second
)

// owing is a desk with one message on its way to one place.
func owing(t testing.TB, text string) (*desk, Send) {
	t.Helper()
	k := newDesk(t)
	k.link(chatPortal())
	k.s.split = lines
	k.say("dev", text)
	return k, k.onWire(chatDev)
}

func TestRule21AnAttemptIsCountedBeforeTheWire(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	stored := k.onlySend()
	if s.Attempt != 1 || stored.Attempt != 1 || stored.State != SendGoing {
		t.Errorf("what leaves is attempt %d, the record says attempt %d, %s", s.Attempt, stored.Attempt, stored.State)
	}
	if want := k.now.Add(leave); !s.LeaveBy.Equal(want) || !stored.LeaveBy.Equal(want) {
		t.Errorf("it must leave by %v (stored %v), want %v", s.LeaveBy, stored.LeaveBy, want)
	}
}

func TestRule20NobodyLooksBeforeASendHasSettled(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	k.wait(time.Hour)
	k.wantWire("while an attempt is out")
	k.ended(s, Verdict{Kind: Uncertain})
	k.wantWire("at once after an unknown end")
	k.wait(settled - time.Second)
	k.wantWire("just before it has settled")
	if at := k.s.nextDeadline(k.now); !at.Equal(k.now.Add(time.Second)) {
		t.Errorf("the office sleeps until %v, want %v", at, k.now.Add(time.Second))
	}
	k.wait(time.Second)
	k.wantWire("when it has settled", "chat:dev looking hello")
	if got := k.onWire(chatDev).Attempt; got != 1 {
		t.Errorf("a look counts as attempt %d", got)
	}
	k.wait(time.Hour)
	k.wantWire("while it is looked for")
}

func TestRule20AnEarlyUnknownEndStillWaitsForTheTimeToLeave(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	k.ended(s, Verdict{Kind: Uncertain}) // a second later
	k.wait(leave + settled - 2*time.Second)
	k.wantWire("before the time to leave and to settle")
	k.wait(time.Second)
	k.wantWire("after it", "chat:dev looking hello")
}

func TestRule20AfterARestartTheWaitCountsFromTheLoading(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		do   func(k *desk, s Send)
	}{
		{"sending", func(*desk, Send) {}},
		{"unknown", func(k *desk, s Send) { k.ended(s, Verdict{Kind: Uncertain}) }},
		{"looking", func(k *desk, s Send) {
			k.ended(s, Verdict{Kind: Uncertain})
			k.wait(leave + settled)
			k.onWire(chatDev)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k, s := owing(t, "hello")
			tc.do(k, s)
			k.now = k.now.Add(time.Hour) // the office was down
			k.takeOver()
			if tc.name == "unknown" {
				// Its end is in the record and it settled long ago.
				k.wantWire("after the restart", "chat:dev looking hello")
				return
			}
			k.wantWire("after the restart")
			k.wait(leave + settled - time.Second)
			k.wantWire("before the predecessor's send has settled")
			k.wait(time.Second)
			k.wantWire("then", "chat:dev looking hello")
		})
	}
}

func TestWhatHadNotLeftIsSentAtOnceAfterARestart(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.s.Closing = true // stored, and the process ends before it is sent
	k.say("dev", "hello")
	k.wantWire("of a closing office")
	k.takeOver()
	k.wantWire("of the next owner", "chat:dev going hello")
	if s := k.onWire(chatDev); s.Attempt != 1 || k.onlySend().State != SendGoing {
		t.Errorf("attempt %d, recorded as %s: a first attempt is nothing to doubt", s.Attempt, k.onlySend().State)
	}
}

func TestWhatStartsAtATakeOverIsAFirstAttempt(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.s.Closing = true
	k.say("general", "@alice hi")
	k.takeOver()
	if turn := k.running("alice"); turn.Attempt != 1 || turn.Crashes != 0 || turn.Notice != "" {
		t.Errorf("attempt %d, %d crashes, notice %q: nobody had begun it", turn.Attempt, turn.Crashes, turn.Notice)
	}
}

func TestRule21ACleanLookIsSentAgainAndAFoundOneIsDone(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	k.ended(s, Verdict{Kind: Uncertain})
	k.wait(leave + settled)
	k.ended(k.onWire(chatDev), Verdict{Kind: Clean})
	k.wantWire("after a clean look", "chat:dev going hello")
	again := k.onWire(chatDev)
	if again.Attempt != 2 {
		t.Errorf("attempt %d, want the second", again.Attempt)
	}
	k.ended(again, Verdict{Kind: Uncertain})
	k.wait(leave + settled)
	k.ended(k.onWire(chatDev), Verdict{Kind: Found, Native: "5.0"})
	k.wantWire("after it was found")
	if len(k.rec.sends) != 0 || k.rec.natives[nativeKey(chatDev, "5.0")].Anchor.String() != "dev-1" {
		t.Errorf("outbox %v, natives %v", k.rec.sends, k.rec.natives)
	}
}

func TestAnUnknownEndMayRepeatWithoutTwoAttemptsAtOnce(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	for i := range 5 {
		k.ended(s, Verdict{Kind: Uncertain})
		k.wait(leave + settled)
		look := k.onWire(chatDev)
		k.ended(look, Verdict{Kind: NoLook, RetryAt: k.now.Add(30 * time.Second)})
		k.wait(10 * time.Second)
		k.wantWire("before the look may be repeated")
		k.wait(20 * time.Second)
		k.wantWire("when it may", "chat:dev looking hello")
		k.ended(k.onWire(chatDev), Verdict{Kind: Clean})
		s = k.onWire(chatDev)
		if s.Attempt != i+2 || s.Doubts != i+1 {
			t.Fatalf("attempt %d with %d doubts after %d unknown ends", s.Attempt, s.Doubts, i+1)
		}
	}
}

func TestRule22ARefusedPartCancelsTheLaterOnesAndIsToldOnce(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one\ntwo\nthree")
	k.arrived(s, "1.0", "")
	k.wantWire("after the first part", "chat:dev going two")
	two := k.onWire(chatDev)
	k.say("dev", "next")
	k.ended(two, Verdict{Kind: Refused, Reason: "too long"})
	// In the same commit the lane goes on with the next message, not with "three".
	k.wantWire("after the refusal", "chat:dev going next")
	wantLines(t, "mailbox", k.mail(), "office: dev-1 is not shown on chat: too long.")
}

func TestRule22NotSentGivesTheAttemptBackAndWaitsAsAsked(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	k.ended(s, Verdict{Kind: NotSent, RetryAt: k.now.Add(40 * time.Second)})
	if got := k.onlySend(); got.Attempt != 0 || got.State != SendOwed {
		t.Errorf("attempt %d, %s; it never left", got.Attempt, got.State)
	}
	k.wait(20 * time.Second)
	k.wantWire("before the platform allows it")
	k.takeOver()
	k.wantWire("after a restart in between")
	k.wait(20 * time.Second)
	k.wantWire("when it allows it", "chat:dev going hello")
	if got := k.onWire(chatDev).Attempt; got != 1 {
		t.Errorf("attempt %d, want the first", got)
	}
}

func TestNotSentWithoutATimeBacksOffToAMinute(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "hello")
	var waits []time.Duration
	for range 9 {
		k.ended(s, Verdict{Kind: NotSent})
		waits = append(waits, k.onlySend().NotBefore.Sub(k.now))
		k.wait(waits[len(waits)-1])
		s = k.onWire(chatDev)
	}
	for i := 1; i < len(waits); i++ {
		if waits[i] < waits[i-1] || waits[i] > time.Minute {
			t.Errorf("waits %v", waits)
		}
	}
	if waits[0] != time.Second || waits[8] != time.Minute {
		t.Errorf("waits %v, want 1 s to 1 min", waits)
	}
}

func TestLanesAreIndependent(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal())
	k.say("dev", "one")
	k.wantWire("at first", "chat:dev going one", "slack:dev going one")
	chat, slack := k.onWire(chatDev), k.onWire(slackDev)
	k.ended(chat, Verdict{Kind: NotSent, RetryAt: k.now.Add(time.Hour)})
	k.say("dev", "two")
	k.wantWire("while both lanes are taken")
	k.arrived(slack, "1.0", "")
	k.wantWire("in the free lane", "slack:dev going two")
	k.arrived(k.onWire(slackDev), "2.0", "")
	k.wantWire("nothing overtakes in the other lane")
	k.wait(time.Hour)
	k.wantWire("when it is open again", "chat:dev going one")
}

func TestPartsGoOneAfterTheOtherInOrderWithinALane(t *testing.T) {
	t.Parallel()
	k, s := owing(t, strings.Join(numbered(3), "\n"))
	k.say("dev", "last")
	var got []string
	for i := range 4 {
		got = append(got, s.Parts[s.Part])
		k.arrived(s, "n"+string(rune('1'+i)), "")
		if i < 3 {
			s = k.onWire(chatDev)
		}
	}
	wantLines(t, "sent", got, "line 1", "line 2", "line 3", "last")
	for i, id := range []string{"n1", "n2", "n3"} {
		if n := k.rec.natives[nativeKey(chatDev, id)]; n.Anchor.String() != "dev-1" || n.Part != i {
			t.Errorf("%s is recorded as %+v", id, n)
		}
	}
}

func TestAStaleVerdictIsRefused(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one\ntwo")
	late := Verdict{Send: s.ID, Attempt: s.Attempt, Kind: Sent, Native: "9.9"}
	k.ended(s, Verdict{Kind: Uncertain})
	for _, tc := range []struct {
		name string
		to   func()
	}{
		{"while it waits to be looked up", func() {}},
		{"when it is being sent again", func() { k.wait(leave + settled); k.ended(k.onWire(chatDev), Verdict{Kind: Clean}) }},
		{"when the next part is on its way", func() { k.arrived(k.onWire(chatDev), "1.0", "") }},
		{"when all is sent", func() { k.arrived(k.onWire(chatDev), "2.0", "") }},
	} {
		tc.to()
		before := k.going
		if _, err := k.do(late); !errors.Is(err, ErrStale) {
			t.Errorf("%s: %v", tc.name, err)
		}
		k.going = before
	}
	if n, ok := k.rec.natives[nativeKey(chatDev, "9.9")]; ok {
		t.Errorf("a stale verdict was recorded: %+v", n)
	}
}

func TestAVerdictOfAnEarlierPartIsNotTakenForTheNextOne(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one\ntwo")
	v := Verdict{Send: s.ID, Attempt: s.Attempt, Kind: Sent, Native: "1.0"}
	k.must(v)
	if _, err := k.do(v); !errors.Is(err, ErrStale) {
		t.Errorf("the second part counts as sent by the first one's verdict: %v", err)
	}
}

func TestAnUnknownKindOfVerdictIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one")
	if _, err := k.do(Verdict{Send: s.ID, Attempt: s.Attempt, Kind: "perhaps"}); err == nil {
		t.Error("it was taken")
	}
	if k.onlySend().State != SendGoing {
		t.Error("it changed the entry")
	}
}

func TestReplyEndAndSendingShareABatch(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(threadedPortal())
	k.hear(slackDev, "1.0", "", "@alice what is it?") // batch 1: event and turn
	if k.running("alice") == nil {
		t.Fatal("the turn is not in the event's commit")
	}
	k.finish("alice", "42") // batch 2: reply, end and sending
	k.wantWire("after the answer", "slack:dev going 42")
	if k.running("alice") != nil {
		t.Error("the turn's end is not in the commit of the reply")
	}
	k.arrived(k.onWire(slackDev), "2.0", "1.0") // batch 3: verdict
	if len(k.rec.sends) != 0 || len(k.s.Turns) != 0 {
		t.Error("three batches were not enough")
	}
}

func TestAVerdictAndTheNextSendingShareABatch(t *testing.T) {
	t.Parallel()
	k, s := owing(t, "one")
	k.say("dev", "two")
	k.wantWire("while the first is out")
	k.arrived(s, "1.0", "")
	k.wantWire("with the verdict", "chat:dev going two")
}

func TestRule21WhereNothingCanBeReadBackOneCopyMoreAndThenItIsFinal(t *testing.T) {
	t.Parallel()
	k, s := answering(t)
	k.ended(s, Verdict{Kind: Uncertain})
	k.wait(leave + settled)
	k.ended(k.onWire(chatDev), Verdict{Kind: Blind})
	again := k.onWire(chatDev)
	if !again.Again || again.State != SendGoing {
		t.Fatalf("%+v: one more copy, marked", again)
	}
	k.takeOver() // and the process dies in the middle of it
	k.wait(leave + settled)
	k.ended(k.onWire(chatDev), Verdict{Kind: Blind})
	if len(k.s.Sends) != 0 {
		t.Error("a third copy is owed")
	}
	mail := k.texts(MailboxOf(DefaultOwner))
	if len(mail) != 1 || !strings.Contains(mail[0], "may not have been shown") {
		t.Errorf("the owner was told %q", mail)
	}
}
