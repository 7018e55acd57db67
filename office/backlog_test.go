package office

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// lookBacklog compares what is derived of the deliveries that wait with what
// looking through all of them gives.
func (k *desk) lookBacklog() {
	k.Helper()
	type counted struct {
		hops  []int64
		apart int
	}
	want, starters, hops := map[laneKey]counted{}, map[ColleagueID][]int64{}, map[Conversation]int{}
	for _, id := range keys(k.s.Items) {
		it := k.s.Items[id]
		if it.Turn != 0 {
			continue
		}
		l := want[it.lane()]
		switch {
		case it.Hop:
			l.hops, hops[it.Conv] = append(l.hops, id), hops[it.Conv]+1
		case it.TurnEnd:
			l.apart++
		}
		if l.apart > 0 || len(l.hops) > 0 {
			want[it.lane()] = l
		}
		if !it.Hop && (!it.Quiet || it.Ask) {
			starters[it.To] = append(starters[it.To], id)
		}
	}
	ids := func(q []*Item) (found []int64) {
		for _, it := range q {
			found = append(found, it.ID)
		}
		return found
	}
	got, ready := map[laneKey]counted{}, map[ColleagueID][]int64{}
	for key, l := range k.s.backlog.lanes {
		got[key] = counted{ids(l.hops), l.apart}
	}
	for id, q := range k.s.backlog.starters {
		ready[id] = ids(q)
	}
	opts := gocmp.Options{gocmp.AllowUnexported(counted{}), gocmp.Comparer(func(a, b laneKey) bool { return a == b }), cmpopts.EquateEmpty()}
	for _, diff := range []string{gocmp.Diff(want, got, opts), gocmp.Diff(starters, ready, opts), gocmp.Diff(hops, k.s.backlog.hops, opts)} {
		if diff != "" {
			k.Fatalf("what waits (-looked through +derived):\n%s", diff)
		}
	}
}

// Case B81: 5,000 deliveries go through one queue, over many sessions: each is
// shown once and in order, and nothing is left of them in the live state.
func TestAQueueIsAsFastAfterFiveThousandDeliveries(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.Frame = 1 << 20 })
	const all, session = 5000, 500
	var shown []int64
	for n := range all {
		if _, err := k.lightly(postRequest{Post: Post{Person: DefaultOwner, Channel: "dev", Text: fmt.Sprintf("@bob number %d", n)}}); err != nil {
			t.Fatal(err)
		}
		if n%session != session-1 {
			continue
		}
		for k.running("bob") != nil {
			if _, err := k.lightly(Reply{Ref: k.ref("bob"), Text: "NO_REPLY"}); err != nil {
				t.Fatal(err)
			}
		}
		k.restart()
	}
	for _, e := range k.rec.entries {
		if e.Kind == EntryFrame {
			shown = append(shown, e.Items...)
		}
	}
	if len(shown) != all || !slices.IsSorted(shown) || len(slices.Compact(shown)) != all {
		t.Errorf("%d deliveries were shown, sorted %v", len(shown), slices.IsSorted(shown))
	}
	if n := len(k.s.Items) + len(k.s.queues) + len(k.s.backlog.lanes) + len(k.s.backlog.starters); n != 0 {
		t.Errorf("%d things are left of them", n)
	}
}

// BenchmarkDelivery is one more message for somebody for whom n wait: what they
// wait for is a turn that runs, a do-not-disturb, or the leave of a person.
func BenchmarkDelivery(b *testing.B) {
	for _, why := range []string{"running", "do-not-disturb", "hop-limited"} {
		for _, n := range []int{0, 100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", why, n), func(b *testing.B) { benchDelivery(b, why, n) })
		}
	}
}

func benchDelivery(b *testing.B, why string, n int) {
	k := newDesk(b, func(s *Setup) { s.Limits.Queue = 1 << 20 })
	to := k.s.colleagueNamed("bob")
	e := errand{conv: Conversation{Channel: "dev"}, turnEnd: true}
	switch why {
	case "running":
		k.say("general", "@bob go")
	case "do-not-disturb":
		c := *to
		c.Quiet = Quiet{On: true, Since: k.now, Until: k.now.Add(time.Hour)}
		k.s.apply(PutColleague{c})
		to = k.s.colleagueNamed("bob")
	default:
		e.depth = k.s.Limits.Depth + 1
	}
	deliver := func(i int) {
		d := newDecision(k.s, k.now, k.random)
		m := &Message{Channel: "dev", Seq: int64(i + 1), At: k.now, Text: "hello", Author: Author{Kind: ByColleague, ID: "c2", Name: "alice"}}
		d.deliver(m, to, e)
		d.tellHopLimit(m, e)
		d.settle()
		if i >= n { // so that n wait for each that is measured
			d.put(DeleteItem{ID: k.s.Meta.Item - int64(n)})
		}
	}
	for i := range n {
		deliver(i)
	}
	b.ResetTimer()
	for i := range b.N {
		deliver(n + i)
	}
}
