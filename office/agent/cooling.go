package agent

import (
	"sync"
	"time"

	"bullpen/office/model"
)

// cooling remembers which models are not to be asked before when: a limit that
// one turn ran into holds for the others as well, and for that model alone. The
// zero value is ready; it may be used concurrently.
type cooling struct {
	mu  sync.Mutex
	hot map[string]heat // by reference
}

type heat struct {
	kind  model.Kind
	until time.Time
}

// down keeps a model from being asked for a while.
func (c *cooling) down(ref string, kind model.Kind, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hot == nil {
		c.hot = map[string]heat{}
	}
	c.hot[ref] = heat{kind, until}
}

// rest is how long a model is still kept from being asked.
func (c *cooling) rest(ref string, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, c.hot[ref].until.Sub(now))
}

// kind says what kept a model from being asked.
func (c *cooling) kind(ref string) model.Kind {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hot[ref].kind
}

// clock ends a turn whose time is up. It can stand still for waits that have
// their own limit. It belongs to one goroutine.
type clock struct {
	timer *time.Timer
	end   time.Time
	left  time.Duration
}

func newClock(limit time.Duration, up func()) *clock {
	return &clock{timer: time.AfterFunc(limit, up), end: time.Now().Add(limit)}
}

// stand stops the clock until walk is called.
func (c *clock) stand() {
	c.timer.Stop()
	c.left = time.Until(c.end)
}

func (c *clock) walk() {
	c.end = time.Now().Add(c.left)
	c.timer.Reset(max(c.left, 0))
}
