package agent

import (
	"sync"
	"time"
)

// vigil waits for signs of life. What has a limit of its own (a request to a
// model, a pause before the next, a script, a person's answer) makes it stand
// still, and its end is a sign of life. It may be used concurrently.
type vigil struct {
	limit time.Duration
	lost  chan struct{} // gets one token when there was no sign for limit

	mu     sync.Mutex
	timer  *time.Timer
	stands int
}

func newVigil(limit time.Duration) *vigil {
	v := &vigil{limit: limit, lost: make(chan struct{}, 1)}
	v.timer = time.AfterFunc(limit, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.stands == 0 {
			select {
			case v.lost <- struct{}{}:
			default:
			}
		}
	})
	return v
}

// stand stops the vigil until walk is called, as often as stand was.
func (v *vigil) stand() (walk func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stands++
	v.timer.Stop()
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.stands--; v.stands == 0 {
			v.timer.Reset(v.limit)
		}
	}
}

// sign is a sign of life: the wait for the next one begins anew.
func (v *vigil) sign() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stands == 0 {
		v.timer.Reset(v.limit)
	}
}

// end stops it for good.
func (v *vigil) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.stands++
	v.timer.Stop()
}
