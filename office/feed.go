package office

import (
	"context"
	"sync"
)

const (
	// feedMessages and feedBytes bound the messages that are kept at hand for
	// viewers; one that is further behind reads from the record.
	feedMessages = 512
	feedBytes    = 4 << 20
)

// feed is the newest messages, for those who watch.
type feed struct {
	mu      sync.Mutex
	ring    []*Message // consecutive by No
	bytes   int
	last    int64
	changed chan struct{} // closed at the next change
}

// start sets where the record stands. What was at hand before is forgotten.
func (f *feed) start(last int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ring, f.bytes, f.last = nil, 0, last
}

func (f *feed) add(messages []*Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range messages {
		f.ring = append(f.ring, m)
		f.bytes += len(m.Text)
		f.last = m.No
	}
	for len(f.ring) > feedMessages || f.bytes > feedBytes {
		f.bytes -= len(f.ring[0].Text)
		f.ring[0] = nil
		f.ring = f.ring[1:]
	}
}

// wake tells everybody who waits that something changed.
func (f *feed) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// watch gives a channel that closes at the next change.
func (f *feed) watch() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

// after gives the messages that follow no, and a channel that closes at the
// next change. ok is false when the feed does not reach back that far.
func (f *feed) after(no int64) (found []*Message, changed <-chan struct{}, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	if no >= f.last {
		return nil, f.changed, true
	}
	if len(f.ring) == 0 || f.ring[0].No > no+1 {
		return nil, f.changed, false
	}
	return append(found, f.ring[no+1-f.ring[0].No:]...), f.changed, true
}

// feedPage is how many messages a viewer that is behind reads at a time.
const feedPage = 100

// Next waits for messages that the office took in after no, in the order in
// which it did, and returns some of them, or none when something else changed
// (a turn began or ended) or ctx ended. The messages must not be altered.
func (o *Office) Next(ctx context.Context, no int64) ([]*Message, error) {
	found, changed, ok := o.feed.after(no)
	if !ok {
		page, err := o.store.Messages(ctx, MessageQuery{After: no, Limit: feedPage})
		if err != nil {
			return nil, err
		}
		for i := range page.Messages {
			found = append(found, &page.Messages[i])
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	select {
	case <-changed:
		found, _, _ = o.feed.after(no)
		return found, nil
	case <-o.done:
		return nil, o.closedErr()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
