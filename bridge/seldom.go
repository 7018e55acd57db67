package bridge

import (
	"sync"
	"time"
)

const (
	// seldomEvery is how often the same is told to the same, at most.
	seldomEvery = time.Hour
	// seldomMost bounds how many are remembered.
	seldomMost = 1000
)

// Seldom remembers who was told something lately, or where it was said. The zero
// value is ready; it may be used by several goroutines.
type Seldom[K comparable] struct {
	mu   sync.Mutex
	told map[K]time.Time
}

// Tell says whether it may be told now: at most once an hour.
func (s *Seldom[K]) Tell(k K, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.told[k]; ok && now.Sub(last) < seldomEvery {
		return false
	}
	if s.told == nil || len(s.told) >= seldomMost {
		s.told = map[K]time.Time{}
	}
	s.told[k] = now
	return true
}
