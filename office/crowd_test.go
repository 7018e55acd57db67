package office

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Those who were answered together are waited for when the first of them comes again,
// but never longer than they are worth, and one who is alone never waits.
func TestCrowdIsWaitedFor(t *testing.T) {
	t.Parallel()
	const commit = 4 * time.Millisecond
	for name, tc := range map[string]struct {
		before int           // answered together by the last batch
		took   time.Duration // its commit
		late   time.Duration // between the first and each of the two others
		want   int
		waited time.Duration
	}{
		"they come again":       {3, commit, 100 * time.Microsecond, 3, 200 * time.Microsecond},
		"they come too late":    {3, commit, 3 * time.Millisecond, 1, commit / crowdShare},
		"more than before come": {2, commit, 100 * time.Microsecond, 2, 100 * time.Microsecond},
		"alone":                 {1, commit, 100 * time.Microsecond, 1, 0},
		"nothing was committed": {3, 0, 100 * time.Microsecond, 1, 0},
		"a slow disk":           {9, time.Hour, time.Hour, 1, crowdWait},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c crowd
				c.answered(tc.before, tc.took)
				from := make(chan job)
				gone := make(chan struct{})
				defer close(gone)
				for i := range 2 {
					go func() {
						select {
						case <-time.After(time.Duration(i+1) * tc.late):
						case <-gone:
							return
						}
						select {
						case from <- job{}:
						case <-gone:
						}
					}()
				}
				began := time.Now()
				if got := len(c.gather(job{}, from)); got != tc.want {
					t.Errorf("%d share the commit, want %d", got, tc.want)
				}
				if waited := time.Since(began); waited != tc.waited {
					t.Errorf("they waited %v, want %v", waited, tc.waited)
				}
			})
		})
	}
}

// A record that a batch changes several times is written as what became of it.
func TestABatchWritesWhatBecameOfARecord(t *testing.T) {
	t.Parallel()
	d := newDecision(newState(Setup{}), time.Now(), func() string { return "" })
	body := &Message{Channel: "general", Seq: 1, Text: "hello"}
	item := Item{ID: 1, To: "c1", Message: body.Anchor(), Body: body}
	d.put(PutItem{item})
	d.put(PutItem{Item{ID: 2, To: "c1", Message: body.Anchor(), Body: body}})
	item.Folded = 1
	d.put(PutItem{item})
	d.put(DeleteItem{2})
	d.put(PutSend{Send{ID: 1, Portal: "p"}})
	d.put(DeleteSend{1})
	var got []string
	for _, c := range d.batch() {
		switch c := c.(type) {
		case PutItem:
			got = append(got, fmt.Sprint("item ", c.Item.ID, " folded ", c.Item.Folded))
		case DeleteItem:
			got = append(got, fmt.Sprint("no item ", c.ID))
		case DeleteSend:
			got = append(got, fmt.Sprint("no send ", c.ID))
		default:
			got = append(got, fmt.Sprintf("%T", c))
		}
	}
	want := []string{"item 1 folded 1", "no item 2", "no send 1"}
	if !slices.Equal(got, want) {
		t.Errorf("the batch writes %q, want %q", got, want)
	}
	if len(d.s.Items) != 1 || d.s.queues["c1"][0].Folded != 1 || len(d.s.Sends) != 0 {
		t.Errorf("the state has the items %v and the sends %v", d.s.Items, d.s.Sends)
	}
}
