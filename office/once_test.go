package office

import "testing"

// That an event was taken in is committed with the first change that it asked for,
// once; what changes nothing, and what is refused, leaves it open.
func TestAnEventIsCommittedWithItsChange(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	seen := func(event string, r request) int {
		t.Helper()
		k.now = k.now.Add(1)
		d := newDecision(k.s, k.now, k.random)
		d.event = event
		_, err := d.request(r)
		n := 0
		for _, c := range d.batch() {
			if c, ok := c.(PutSeen); ok && c.Event == event {
				n++
			}
			k.rec.apply(c)
		}
		if err != nil && n > 0 {
			t.Errorf("%T was refused, and its event is taken in", r)
		}
		return n
	}
	on := pause{On: true, By: DefaultOwner}
	for _, x := range []struct {
		event string
		r     request
		want  int
	}{
		{"e0", pause{On: true, By: "nobody"}, 0},
		{"e0", pause{On: false, By: DefaultOwner}, 0}, // it is not paused
		{"e1", on, 1},
		{"e1", pause{On: false, By: DefaultOwner}, 0}, // a second change of the same
		{"", on, 0},
		{"e2", interrupt{Colleague: "alice", By: DefaultOwner}, 1}, // which says in the audit log that there was nothing
		{"e3", postRequest{Post{Person: DefaultOwner, Channel: General, Text: "hello", Event: "p"}}, 1},
	} {
		if got := seen(x.event, x.r); got != x.want {
			t.Errorf("%q with %T: %d, want %d", x.event, x.r, got, x.want)
		}
	}
}
