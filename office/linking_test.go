package office

import (
	"strings"
	"testing"
)

func TestWhatWaitsForAPlaceThatIsUnlinkedLeavesATrace(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1.0", "", "@alice hi")
	k.finish("alice", "hello")
	owner := actor{person: DefaultOwner, from: "test"}
	call := &UnlinkCall{ID: chatDev}
	p := k.must(intend{owner, call, true}).(plan)
	if len(p.edits) != 1 || p.edits[0] != (SetPortal{Platform: chatPortal().Platform, Channel: "dev"}) {
		t.Fatalf("the file is to change by %+v", p.edits)
	}
	said := k.must(amended{By: owner, What: call}).(string)
	if !strings.Contains(said, "1 that waited for the place are dropped") || len(k.s.Sends) != 0 {
		t.Errorf("it says %q, and still owes %v", said, k.s.Sends)
	}
	if n := len(k.rec.audit); n != 2 || !strings.Contains(k.rec.audit[0].Outcome, "dropped") || k.rec.audit[1].What != "unlink "+string(chatDev) {
		t.Errorf("audit %+v", k.rec.audit)
	}
	if p := k.must(intend{owner, &UnlinkCall{ID: chatDev}, true}).(plan); p.done == nil {
		t.Errorf("once more it would change %+v", p)
	}
	// Linked again, its history begins then.
	again := chatPortal()
	again.Mark = "7.0"
	back := LinkCall{again}
	if p := k.must(intend{owner, back, true}).(plan); len(p.edits) != 1 {
		t.Errorf("linking plans %+v", p)
	}
	k.must(amended{By: owner, What: back})
	if got := k.s.Portals[chatDev]; got.Unlinked || got.Mark != "7.0" || len(got.Threads) != 0 {
		t.Errorf("linked again it is %+v", got)
	}
}

func TestAPlaceAndAChannelArePairedOnceOnAPlatform(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	owner := actor{person: DefaultOwner}
	other, elsewhere := chatPortal(), chatPortal()
	other.Channel = General
	elsewhere.ID, elsewhere.Place = "slack:elsewhere", "elsewhere"
	nowhere := chatPortal()
	nowhere.Channel = "nothing"
	for want, p := range map[string]Portal{"unlink it first": other, "unlink that first": elsewhere, "no channel": nowhere} {
		if _, err := k.do(intend{owner, LinkCall{p}, true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("linking %s with %s: %v, want %q", p.Channel, p.ID, err, want)
		}
	}
	if p := k.must(intend{owner, LinkCall{chatPortal()}, true}).(plan); p.done == nil {
		t.Errorf("the same again would change %+v", p)
	}
	if _, err := k.do(intend{actor{person: "kim"}, LinkCall{chatPortal()}, true}); err == nil {
		t.Error("anybody links places")
	}
}
