package discord

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// invalidMost is after how many invalid answers within invalidWindow nothing is
	// called any more for invalidWindow: at 10,000 Discord shuts the address out
	// (topics/rate-limits, invalid request limit).
	invalidMost   = 5000
	invalidWindow = 10 * time.Minute
)

// breaker counts Discord's invalid answers: 401, 403, and 429 that are not for a
// limit which others used up. The zero value is ready.
type breaker struct {
	mu     sync.Mutex
	counts map[int64]int // by minute
	until  time.Time     // nothing is called before
	told   bool
}

// closed says how long nothing may be called.
func (b *breaker) closed(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.until.Sub(now), 0)
}

// count takes an answer in. broken says that it was one too many, mended that calls
// are made again after that.
func (b *breaker) count(at *attempt, now time.Time) (broken, mended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	mended = b.told && !now.Before(b.until)
	if mended {
		b.told = false
	}
	if !invalidAnswer(at) {
		return false, mended
	}
	if b.counts == nil {
		b.counts = map[int64]int{}
	}
	minute := now.Unix() / 60
	b.counts[minute]++
	total := 0
	for m, n := range b.counts {
		if m <= minute-int64(invalidWindow/time.Minute) {
			delete(b.counts, m)
			continue
		}
		total += n
	}
	if total < invalidMost {
		return false, mended
	}
	clear(b.counts)
	b.until, b.told = now.Add(invalidWindow+time.Minute), true
	return true, false
}

// invalidAnswer says whether Discord counts an answer.
func invalidAnswer(at *attempt) bool {
	switch at.status.Load() {
	case http.StatusUnauthorized, http.StatusForbidden:
		return true
	case http.StatusTooManyRequests:
		return at.header().Get("X-RateLimit-Scope") != "shared"
	}
	return false
}

// judge counts an answer, and tells of the breaker.
func (a *Adapter) judge(at *attempt) {
	switch broken, mended := a.limits.breaker.count(at, a.now()); {
	case broken:
		a.log.Error("too many calls were refused by Discord; none are made for a while", "for", invalidWindow)
		a.problem("calls", fmt.Sprintf("Discord refused %d calls within %d minutes, and shuts out whoever goes on like that: nothing is called for %d minutes; the log says what was refused, look at the bot's rights and at other programs with its token",
			invalidMost, int(invalidWindow.Minutes()), int(invalidWindow.Minutes())+1))
	case mended:
		a.problem("calls", "")
	}
}
