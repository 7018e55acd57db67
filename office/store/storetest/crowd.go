package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"bullpen/office"
)

// testCrowd: the batch of many callers, with a long text among others, is in the
// record in the order of its changes, and all who then ask at once are answered, each
// for its own event.
func testCrowd(t *testing.T, open Open) {
	const many = 70
	o, m := own(t, open), newModel()
	var changes []office.Change
	put := func(c ...office.Change) { changes = append(changes, c...) }
	for n := int64(1); n <= many; n++ {
		x := message("dev", n, n)
		x.Text = strings.Repeat(fmt.Sprint(n, " "), int(n%7)*3000)
		put(office.PutMessage{Message: x}, office.PutSeen{Event: fmt.Sprint("event ", n), Anchor: x.Anchor(), At: now})
		for i := range int64(3) {
			put(office.PutItem{Item: item(3*n+i, x.Anchor())})
		}
		put(office.DeleteItem{ID: 3*n - 9})
		if n%5 == 0 {
			again := item(3*n-9, x.Anchor())
			again.Folded = int(n)
			put(office.PutItem{Item: again}, office.DeleteItem{ID: 3 * n})
		}
	}
	o.commit(changes...)
	m.apply(changes)
	o.restart()
	wantSame(t, "the snapshot", o.load(), m.snapshot(o.head()))
	wantSame(t, "all messages", o.messages(office.MessageQuery{}), m.page(office.MessageQuery{}))
	var all sync.WaitGroup
	for n := range int64(2 * many) {
		all.Go(func() {
			event := fmt.Sprint("event ", n)
			a, ok, err := o.store.Seen(t.Context(), event)
			if want, known := m.seen[event]; err != nil || ok != known || a != want {
				t.Errorf("Seen(%q) = %v, %v, %v, want %v, %v", event, a, ok, err, want, known)
			}
		})
	}
	all.Wait()
}
