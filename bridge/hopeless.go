package bridge

import (
	"context"
	"sync"
)

const (
	// failuresMost is how often the same message may fail to be taken in while the
	// office takes other things in.
	failuresMost = 5
	// failuresRoom bounds the messages that are counted.
	failuresRoom = 1000
)

// Failures counts how often a message could not be taken in. The zero value is
// ready; it may be used by several goroutines.
type Failures struct {
	mu sync.Mutex
	of map[string]int
}

// Hopeless counts one more failure of what key names on a platform, and says whether
// it is to be given up: it has failed often enough, and the office takes other
// things in.
func (f *Failures) Hopeless(ctx context.Context, b *Bridge, platform, key string) bool {
	f.mu.Lock()
	if f.of == nil || len(f.of) > failuresRoom {
		f.of = map[string]int{}
	}
	f.of[key]++
	n := f.of[key]
	f.mu.Unlock()
	if n < failuresMost {
		return false
	}
	_, err := b.office.Once(ctx, platform+" given up "+key)
	return err == nil
}
