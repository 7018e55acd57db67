package office

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlacesAreRememberedOfNewMessagesAlone looks what is known of messages after
// batches: of one that was not new in any, the record has to be asked.
func TestPlacesAreRememberedOfNewMessagesAlone(t *testing.T) {
	t.Parallel()
	one, two := &Message{Channel: "general", Seq: 1}, &Message{Channel: "general", Seq: 2}
	at := func(m *Message, portal PortalID, id string, part int) Native {
		return Native{Portal: portal, ID: id, Anchor: m.Anchor(), Part: part}
	}
	var p placed
	p.follow([]*Message{one}, []Change{
		PutMessage{one},
		PutNative{at(one, "slack:C1", "12", 1)},
		PutNative{at(one, "discord:1", "9", 0)},
		PutNative{at(one, "slack:C1", "11", 0)},
		PutNative{at(two, "slack:C1", "13", 0)},
	})
	want := []Native{at(one, "discord:1", "9", 0), at(one, "slack:C1", "11", 0), at(one, "slack:C1", "12", 1)}
	if got, ok := p.find(one.Anchor()); !ok || !cmp.Equal(got, want) {
		t.Errorf("known %t: %s", ok, cmp.Diff(want, got))
	}
	if got, ok := p.find(two.Anchor()); ok {
		t.Errorf("of a message that was there before, %v counts as all", got)
	}
	p.follow(nil, []Change{PutNative{at(two, "slack:C1", "11", 0)}})
	if got, ok := p.find(one.Anchor()); ok {
		t.Errorf("after one of its names went to another, %v counts as all", got)
	}
	p.follow([]*Message{two}, nil)
	p.follow(nil, []Change{DropMessage{Channel: two.Channel, Seq: two.Seq}})
	if got, ok := p.find(two.Anchor()); ok {
		t.Errorf("a message that left the record has %v", got)
	}
	for seq := range int64(2 * placedMost) {
		m := &Message{Channel: "dev", Seq: seq + 1}
		p.follow([]*Message{m}, []Change{PutNative{at(m, "slack:C2", m.Anchor().String(), 0)}})
	}
	if len(p.of) > placedMost || len(p.by) > placedMost {
		t.Errorf("%d messages and %d names are remembered, not %d", len(p.of), len(p.by), placedMost)
	}
}
