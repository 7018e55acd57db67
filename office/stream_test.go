package office

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// streaming is a desk at which alice's answer grows on chat: the stream is committed,
// and nobody has said yet whether it began.
func streaming(t testing.TB) (*desk, Send) {
	t.Helper()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice hi")
	s := k.must(beginStream{Turn: k.running("alice").ID, Portal: chatDev, Head: "Once upon"}).(Send)
	if s.ID == 0 || !s.LeaveBy.Equal(k.now.Add(leave)) || s.Parts[0] != "Once upon" {
		t.Fatalf("%+v", s)
	}
	return k, s
}

// began says how the stream's beginning ended.
func (k *desk) began(turn int64, s Send, v Verdict) {
	k.Helper()
	k.must(streamed{Turn: turn, Stream: s.ID, Verdict: v})
}

func TestAStreamIsInTheRecordBeforeItLeaves(t *testing.T) {
	t.Parallel()
	k, s := streaming(t)
	turn := k.running("alice")
	if len(k.rec.sends) != 0 || len(turn.Streams) != 1 || turn.Streams[0].ID != s.ID || turn.Streams[0].Native != "" {
		t.Errorf("the record holds %+v and %+v", k.rec.sends, turn.Streams)
	}
	if again := k.must(beginStream{Turn: turn.ID, Portal: chatDev, Head: "Once more"}).(Send); again.ID != 0 {
		t.Error("it begins twice in one place")
	}
	// What others say goes on meanwhile.
	k.say("dev", "hello")
	k.wantWire("while it grows", "chat:dev going hello")
}

func TestWhereNoStreamMayBegin(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(k *desk){
		"something is owed before it": func(k *desk) { k.say("dev", "hello") },
		"the office closes":           func(k *desk) { k.s.Closing = true },
		"it has answered by a post": func(k *desk) {
			k.call("alice", verb(PostCall{Wake: []string{}, Text: "here"}))
			k.arrived(k.onWire(chatDev), "9", "")
		},
		"the turn is over":              func(k *desk) { k.finish("alice", "NO_REPLY") },
		"the place is no longer linked": func(k *desk) { k.must(unlink{chatDev}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			k.hear(chatDev, "1.0", "", "@alice hi")
			id := k.running("alice").ID
			prepare(k)
			if s := k.must(beginStream{Turn: id, Portal: chatDev, Head: "Once"}).(Send); s.ID != 0 {
				t.Errorf("it begins: %+v", s)
			}
		})
	}
}

func TestTheAnswerTakesTheStreamOver(t *testing.T) {
	t.Parallel()
	k, s := streaming(t)
	k.link(threadedPortal())
	k.s.split = lines
	k.began(k.running("alice").ID, s, Verdict{Kind: Sent, Native: "77"})
	k.finish("alice", "Once upon a time\nthey lived")
	k.wantWire("at the end", "chat:dev going Once upon a time", "slack:dev going Once upon a time")
	x := k.onWire(chatDev)
	if x.Stream == nil || x.Stream.Native != "77" || k.onWire(threadedPortal().ID).Stream != nil || len(k.rec.ended[1].Streams) != 0 {
		t.Fatalf("%+v", x)
	}
	k.arrived(x, "77", "")
	k.wantWire("the part behind it", "chat:dev going they lived")
	if x = k.onWire(chatDev); x.Stream != nil {
		t.Error("the second part takes it over as well")
	}
	if n := k.rec.natives[nativeKey(chatDev, "77")]; n.Anchor != x.Message {
		t.Errorf("the message is known as %+v", n)
	}
}

func TestAStreamOfUnknownBeginningIsLookedForAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		then func(k *desk, s Send)
		want string // what leaves then
		on   string // the message that it finishes
	}{
		"it is there":                   {func(k *desk, _ Send) { k.settleLook(Verdict{Kind: Found, Native: "77"}) }, "chat:dev going done", "77"},
		"it is not there":               {func(k *desk, _ Send) { k.settleLook(Verdict{Kind: Clean}) }, "chat:dev going done", ""},
		"it is told late that it began": {func(k *desk, s Send) { k.began(1, s, Verdict{Kind: Sent, Native: "77"}) }, "chat:dev going done", "77"},
		"and that it did not":           {func(k *desk, s Send) { k.began(1, s, Verdict{Kind: NotSent}) }, "chat:dev going done", ""},
		"the office was down": {func(k *desk, _ Send) {
			k.now = k.now.Add(time.Hour)
			k.takeOver() // it has settled long ago
			k.ended(k.onWire(chatDev), Verdict{Kind: Found, Native: "77"})
		}, "chat:dev going done", "77"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, s := streaming(t)
			k.finish("alice", "done")
			k.wantWire("before it is known whether there is something to finish")
			tc.then(k, s)
			k.wantWire("then", tc.want)
			x := k.onWire(chatDev)
			if on := x.Stream; (on != nil) != (tc.on != "") || on != nil && on.Native != tc.on {
				t.Errorf("it finishes %+v", on)
			}
			k.arrived(x, "78", "")
			if len(k.rec.sends) != 0 {
				t.Errorf("still owed: %+v", k.rec.sends)
			}
		})
	}
}

// settleLook waits until what is in doubt may be looked for, and says what is found.
func (k *desk) settleLook(v Verdict) {
	k.Helper()
	k.wait(leave + settled + time.Second)
	if s := k.onWire(chatDev); s.State != SendLooking {
		k.Fatalf("%+v", s)
	}
	k.ended(k.onWire(chatDev), v)
}

func TestWhatIsInDoubtAboutTheEndIsDoneAgain(t *testing.T) {
	t.Parallel()
	k, s := streaming(t)
	k.began(1, s, Verdict{Kind: Sent, Native: "77"})
	k.finish("alice", "done")
	for range 3 {
		k.ended(k.onWire(chatDev), Verdict{Kind: Uncertain})
		k.settleLook(Verdict{Kind: Clean})
		if x := k.onWire(chatDev); x.State != SendGoing || x.Stream == nil || x.Stream.Native != "77" {
			t.Fatalf("%+v", x)
		}
	}
}

func TestAnAnswerThatCannotTakeItsStreamOverIsShownAnew(t *testing.T) {
	t.Parallel()
	k, s := streaming(t)
	k.began(1, s, Verdict{Kind: Sent, Native: "77"})
	k.finish("alice", "done")
	k.ended(k.onWire(chatDev), Verdict{Kind: Refused, Reason: "it was deleted"})
	k.wantWire("then", "chat:dev going done")
	if x := k.onWire(chatDev); x.Stream != nil || len(k.mail()) != 0 {
		t.Errorf("%+v, the owner was told %q", x, k.mail())
	}
}

func TestAStreamWithoutAnAnswerIsEnded(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(k *desk){
		"there is none":      func(k *desk) { k.finish("alice", "NO_REPLY") },
		"it was interrupted": func(k *desk) { k.must(interrupt{Colleague: "alice", By: DefaultOwner}) },
		"it failed":          func(k *desk) { k.must(fail{Ref: k.ref("alice"), Reason: "no"}) },
		"it was given by a post": func(k *desk) {
			k.call("alice", verb(PostCall{Wake: []string{}, Text: "here"}))
			k.finish("alice", "done")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, s := streaming(t)
			k.began(1, s, Verdict{Kind: Sent, Native: "77"})
			end(k)
			var ends []Send
			for _, x := range k.rec.sends {
				if x.Change && x.Stream != nil && x.Stream.Native == "77" {
					ends = append(ends, x)
				}
			}
			if len(ends) != 1 || k.running("alice") != nil {
				t.Fatalf("%+v", k.rec.sends)
			}
			for len(k.rec.sends) > 0 {
				lane := k.s.lanes[chatDev][0]
				k.ended(*lane, Verdict{Kind: Sent, Native: "78"})
			}
			if slices.ContainsFunc(k.texts("dev"), func(s string) bool { return strings.Contains(s, "done") }) {
				t.Errorf("%q", k.texts("dev"))
			}
		})
	}
}

func TestATurnThatIsAttemptedAgainKeepsItsStream(t *testing.T) {
	t.Parallel()
	k, s := streaming(t)
	k.now = k.now.Add(time.Hour)
	k.takeOver()
	turn := k.running("alice")
	if turn.Attempt != 2 || len(turn.Streams) != 1 || !turn.Streams[0].LeaveBy.Equal(k.now.Add(leave)) {
		t.Fatalf("%+v", turn.Streams)
	}
	if again := k.must(beginStream{Turn: turn.ID, Portal: chatDev, Head: "Once"}).(Send); again.ID != 0 {
		t.Error("a second attempt begins another")
	}
	k.began(turn.ID, s, Verdict{Kind: NotSent})
	if again := k.must(beginStream{Turn: turn.ID, Portal: chatDev, Head: "Once"}).(Send); again.ID == 0 {
		t.Error("where there is none, none may begin")
	}
}
