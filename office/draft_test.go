package office

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// atDesk is an office without a loop, for what is written.
func atDesk() *Office { return &Office{done: make(chan struct{})} }

func TestADraftIsTheNewestOfItsTurn(t *testing.T) {
	t.Parallel()
	o, ref := atDesk(), TurnRef{Turn: 7, Attempt: 1}
	o.WriteDraft(ref, 1, "nobody writes yet")
	o.drafts.begin(ref)
	o.WriteDraft(ref, 1, "one")
	o.WriteDraft(ref, 1, "one two")
	o.WriteDraft(TurnRef{Turn: 7, Attempt: 2}, 1, "another attempt")
	o.WriteDraft(ref, 1, strings.Repeat("x", draftMost+1))
	d, err := o.Draft(t.Context(), 7, 0)
	if err != nil || d.Text != "one two" || d.Step != 1 {
		t.Fatalf("%+v (%v)", d, err)
	}
	waited := make(chan Draft)
	go func() {
		next, _ := o.Draft(t.Context(), 7, d.N)
		waited <- next
	}()
	o.WriteDraft(ref, 2, "three")
	if next := <-waited; next.Text != "three" || next.Step != 2 {
		t.Errorf("%+v", next)
	}
	o.drafts.end(7)
	if _, err := o.Draft(t.Context(), 7, 0); !errors.Is(err, ErrStale) {
		t.Errorf("after the end: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	o.drafts.begin(TurnRef{Turn: 8, Attempt: 1})
	if _, err := o.Draft(ended, 8, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing is written: %v", err)
	}
}

func TestADraftIsShownOnlyWhileItStands(t *testing.T) {
	t.Parallel()
	o, ref := atDesk(), TurnRef{Turn: 7, Attempt: 1}
	o.drafts.begin(ref)
	newest := func() int64 { return o.drafts.open[7].N }
	o.WriteDraft(ref, 1, "one")
	first := newest()
	if !o.WithdrawDraft(ref) || o.ShowDraft(7, first) {
		t.Error("what was taken back may be shown")
	}
	o.WriteDraft(ref, 1, "once more")
	if !o.ShowDraft(7, newest()) || o.WithdrawDraft(ref) {
		t.Error("what was shown can be taken back")
	}
	shown := newest()
	o.WriteDraft(ref, 2, "the next step")
	if o.ShowDraft(7, shown) || !o.WithdrawDraft(ref) {
		t.Error("a step is held to what the one before showed")
	}
	o.WriteDraft(ref, 2, "and again")
	before := newest()
	o.drafts.begin(TurnRef{Turn: 7, Attempt: 2})
	if o.ShowDraft(7, before) {
		t.Error("what an attempt wrote that was given up may be shown")
	}
	o.WriteDraft(TurnRef{Turn: 7, Attempt: 2}, 2, "a new attempt")
	d, err := o.Draft(t.Context(), 7, before)
	if err != nil || d.Text != "a new attempt" || d.Try != 3 {
		t.Errorf("%+v (%v)", d, err)
	}
	o.drafts.end(7)
	if o.ShowDraft(7, d.N) || !o.WithdrawDraft(TurnRef{Turn: 7, Attempt: 2}) {
		t.Error("something of it stands after the end")
	}
}

// TestWhereADraftBelongs: what is written is for those alone who would be shown the
// answer.
func TestWhereADraftBelongs(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal(), threadedPortal(), dmPortal())
	belongs := func(name string) string {
		t.Helper()
		var at []string
		for _, s := range k.s.answering(k.running(name), k.now) {
			at = append(at, string(s.Portal))
		}
		return strings.Join(at, " ")
	}
	want := func(when, name, places string) {
		t.Helper()
		if got := belongs(name); got != places {
			t.Errorf("%s: %q, want %q", when, got, places)
		}
	}
	k.hear(chatDev, "1.0", "", "@alice hi")
	want("asked in a mirrored channel", "alice", "chat:dev slack:dev")
	k.call("alice", verb(PostCall{Wake: []string{}, Text: "here you are"}))
	want("after it has answered by a post", "alice", "")
	k.hear(chatDev, "2.0", "", "@alice and this?")
	k.call("alice", verb(ColleaguesCall{}))
	want("when another question has joined", "alice", "chat:dev slack:dev")
	k.call("alice", verb(DMCall{Wake: []string{"@bob"}, Text: "help"}))
	want("woken by a colleague", "bob", "")
	k.finish("alice", "done")
	k.finish("bob", "done")
	for k.running("alice") != nil {
		k.finish("alice", "NO_REPLY")
	}
	k.hear(slackUser, "3.0", "", "@alice hi")
	want("in a direct talk", "alice", "slack:user")
	k.must(talkWith{Portal: slackUser, By: DefaultOwner, Colleague: "bob"})
	want("when its person has turned to another", "alice", "slack:user")
	k.finish("alice", "done")
	k.say("dev", "#dev all of you")
	want("one of a crowd", "alice", "")
}
