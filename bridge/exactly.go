package bridge

import (
	"context"
	"fmt"
	"sync"

	"bullpen/internal/fault"
	"bullpen/office"
)

// claims are the events that are being worked on. The zero value is ready.
type claims struct {
	mu  sync.Mutex
	all map[string]bool
}

// take claims an event; false if somebody has it.
func (c *claims) take(event string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all[event] {
		return false
	}
	if c.all == nil {
		c.all = map[string]bool{}
	}
	c.all[event] = true
	return true
}

func (c *claims) drop(event string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, event)
}

// triesMost is how often what an event asks for is begun: what brings the process
// down is not done again and again because its platform delivers it again.
const triesMost = 2

// exactly does what an event asks for once, however often it is delivered and
// whenever the process is killed: that it was taken in is committed with its first
// change, or, where it changes nothing, afterwards. again says that there is nothing
// to do. After an error nothing was done, and the event may come again. Without an
// event it is simply done.
func (b *Bridge) exactly(ctx context.Context, event string, do func(context.Context) error) (again bool, err error) {
	if event == "" {
		return false, do(ctx)
	}
	if !b.claims.take(event) {
		return true, nil
	}
	defer b.claims.drop(event)
	seen, err := b.office.Seen(ctx, event)
	if err != nil || seen {
		return seen, err
	}
	begun := false
	for try := 1; try <= triesMost && !begun; try++ {
		if begun, err = b.office.Once(ctx, fmt.Sprint(event, " try ", try)); err != nil {
			return false, err
		}
	}
	if !begun {
		return true, nil
	}
	fault.Point("order.before")
	err = do(office.WithEvent(ctx, event))
	fault.Point("order.after")
	// Should this fail, what changed nothing is answered once more if it comes again.
	_, _ = b.office.Once(ctx, event)
	return false, err
}
