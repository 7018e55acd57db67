package bridge

import (
	"context"
	"fmt"
	"log/slog"
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

// Miss is a message, or a change of one, that the office could not take in.
type Miss struct {
	Platform, Place string
	Native          string // what names it in its place
	Cause           error
	Tell            func(string) // tells its writer; nil: nobody is told
}

// Judge decides what a miss means. The error says that the office is in trouble, so
// that it has to come again; without one, that message alone was, and it is given up.
func (f *Failures) Judge(ctx context.Context, b *Bridge, log *slog.Logger, m Miss) error {
	if ctx.Err() != nil {
		return m.Cause
	}
	if !f.Hopeless(ctx, b, m.Platform, m.Place+" "+m.Native) {
		return fmt.Errorf("the office cannot take messages in: %w", m.Cause)
	}
	log.Error("a message is given up: the office cannot take it in", "place", m.Place, "message", m.Native, "err", m.Cause)
	if m.Tell != nil {
		m.Tell("This message could not be taken in: " + m.Cause.Error() + ".")
	}
	return nil
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
