package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"bullpen/office"
)

// testReaders reads while batches are committed: no read sees a part of one.
func testReaders(t *testing.T, open Open) {
	const batches, readers = 50, 3
	o := own(t, open)
	in := office.ContextID{Colleague: "c1"}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for more := true; more; {
				select {
				case <-done:
					more = false
				default:
				}
				if err := readWhole(t, o.store, in); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := int64(1); n <= batches; n++ {
		a, b := message("dev", n, 2*n-1), message("general", n, 2*n)
		o.commit(office.PutMeta{Meta: office.Meta{Message: 2 * n}}, office.PutMessage{Message: a}, office.PutMessage{Message: b},
			office.PutItem{Item: item(n, a.Anchor())}, office.PutSeen{Event: fmt.Sprint(n), Anchor: a.Anchor()},
			office.AppendEntry{Entry: entry(in, n)}, office.PutCursor{Viewer: "v", No: 2 * n})
	}
	close(done)
	wg.Wait()
}

// testCalledOff: a read whose caller has gone ends with the context's error and
// harms no other.
func testCalledOff(t *testing.T, open Open) {
	o := own(t, open)
	o.commit(person("ann"), office.PutMessage{Message: message("dev", 1, 1)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reads := map[string]func() error{
		"Head":       func() error { _, err := o.store.Head(ctx); return err },
		"Load":       func() error { _, err := o.store.Load(ctx); return err },
		"Seen":       func() error { _, _, err := o.store.Seen(ctx, "e"); return err },
		"Messages":   func() error { _, err := o.store.Messages(ctx, office.MessageQuery{}); return err },
		"Audits":     func() error { _, _, err := o.store.Audits(ctx, "", 1); return err },
		"Transcript": func() error { _, err := o.store.Transcript(ctx, office.ContextID{}, 0); return err },
	}
	for name, read := range reads {
		for range 20 { // more than a store may keep connections
			if err := read(); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v, want %v", name, err, context.Canceled)
			}
		}
	}
	if page := o.messages(office.MessageQuery{}); page.Total != 1 {
		t.Errorf("afterwards there are %d messages, want 1", page.Total)
	}
}

// readWhole reads everything once and says what does not fit together.
func readWhole(t *testing.T, s office.Store, in office.ContextID) error {
	snap, err := s.Load(t.Context())
	if err != nil {
		return err
	}
	n := snap.Head.N
	if snap.Meta.Message != 2*n || int64(len(snap.Items)) != n || snap.Cursors["v"] != 2*n {
		return fmt.Errorf("batch %d is loaded in parts: %d items, counters %+v, cursors %v", n, len(snap.Items), snap.Meta, snap.Cursors)
	}
	for _, it := range snap.Items {
		if it.Body == nil {
			return fmt.Errorf("item %d came without its message", it.ID)
		}
	}
	page, err := s.Messages(t.Context(), office.MessageQuery{Limit: 3, Newest: true})
	if err != nil {
		return err
	}
	if page.Total%2 != 0 || int64(page.Total) < 2*n || len(page.Messages) != min(3, page.Total) {
		return fmt.Errorf("after batch %d there are %d messages and a page of %d", n, page.Total, len(page.Messages))
	}
	entries, err := s.Transcript(t.Context(), in, 0)
	if err != nil {
		return err
	}
	if int64(len(entries)) < n {
		return fmt.Errorf("after batch %d there are %d entries", n, len(entries))
	}
	if n > 0 {
		if _, ok, err := s.Seen(t.Context(), fmt.Sprint(n)); !ok || err != nil {
			return fmt.Errorf("the event of batch %d is not there: %w", n, err)
		}
	}
	return nil
}

// testSize: a big office comes back whole.
func testSize(t *testing.T, open Open) {
	const colleagues, perBatch = 10_000, 2500
	o := own(t, open)
	for from := 0; from < colleagues; from += perBatch {
		var changes []office.Change
		for i := from; i < from+perBatch; i++ {
			c := office.Colleague{ID: office.ColleagueID(fmt.Sprintf("c%d", i)), Order: i}
			changes = append(changes, office.PutColleague{Colleague: c})
		}
		o.commit(changes...)
	}
	o.restart()
	orders := map[int]bool{}
	for _, c := range o.load().Colleagues {
		orders[c.Order] = true
	}
	if len(orders) != colleagues {
		t.Errorf("%d of %d colleagues are loaded", len(orders), colleagues)
	}
}
