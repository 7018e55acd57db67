package discord

import (
	"context"
	"math"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"bullpen/bridge"
)

const (
	// limitedMost is the longest wait that an answer may ask for; limitedLeast is
	// the wait when it says nothing that makes sense.
	limitedMost  = time.Hour
	limitedLeast = 2 * time.Second
	// allEvery and allBurst keep below the documented 50 calls a second
	// (topics/rate-limits, global rate limit).
	allEvery, allBurst = time.Second / 45, 40
	// windowsMost bounds the limits that are remembered.
	windowsMost = 2000
)

// limits are what Discord's headers say of how often may be called
// (topics/rate-limits). The zero value is ready.
type limits struct {
	mu      sync.Mutex
	windows map[string]*window
	bucket  map[string]string    // by route: what Discord calls its limit
	until   time.Time            // nothing at all before
	alone   map[string]time.Time // by channel: nothing is posted there before
	all     *rate.Limiter
	breaker breaker
}

// window is one limit: how many calls are left until it begins anew.
type window struct {
	left  int
	reset time.Time
}

// key is what a route's calls are counted under.
func (l *limits) key(r route) string {
	if b := l.bucket[r.key]; b != "" {
		return b + " " + r.major
	}
	return r.key + " " + r.major
}

// turn takes a call's turn, or says how long it is until then.
func (l *limits) turn(r route, now time.Time) time.Duration {
	if wait := l.breaker.closed(now); wait > 0 {
		return wait
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = rate.NewLimiter(rate.Every(allEvery), allBurst)
	}
	if now.Before(l.until) && !r.free() {
		return l.until.Sub(now)
	}
	w := l.windows[l.key(r)]
	if w != nil && w.left <= 0 && now.Before(w.reset) {
		return w.reset.Sub(now)
	}
	if !r.free() {
		turn := l.all.ReserveN(now, 1)
		if wait := turn.DelayFrom(now); wait > 0 {
			turn.CancelAt(now)
			return wait
		}
	}
	if w != nil && now.Before(w.reset) {
		w.left-- // until the answer says better
	}
	return 0
}

// enter waits for a call's turn; the error is ctx's.
func (l *limits) enter(ctx context.Context, r route, now func() time.Time) error {
	for {
		wait := l.turn(r, now())
		if wait <= 0 {
			return nil
		}
		if err := bridge.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// spare says how long it is until a call may be made that matters less than others: the
// last one of a limit is left to them.
func (l *limits) spare(r route, now time.Time) time.Duration {
	wait := l.breaker.closed(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	wait = max(wait, l.until.Sub(now))
	if w := l.windows[l.key(r)]; w != nil && w.left <= 1 {
		wait = max(wait, w.reset.Sub(now))
	}
	return wait
}

// leave has nothing posted in a channel until then.
func (l *limits) leave(channel string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alone == nil || len(l.alone) >= windowsMost {
		l.alone = map[string]time.Time{}
	}
	l.alone[channel] = until
}

// left says how long nothing is to be posted in a channel.
func (l *limits) left(channel string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.alone[channel].Sub(now)
}

// note takes in what an answer's headers say.
func (l *limits) note(r route, at *attempt, now time.Time) {
	h := at.header()
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	after, err2 := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64)
	if err != nil || err2 != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := h.Get("X-RateLimit-Bucket"); b != "" && l.bucket[r.key] != b {
		if l.bucket == nil {
			l.bucket = map[string]string{}
		}
		l.bucket[r.key] = b
	}
	l.put(r, window{left, now.Add(bounded(after))})
}

func (l *limits) put(r route, w window) {
	if l.windows == nil || len(l.windows) >= windowsMost {
		l.windows = map[string]*window{}
	}
	l.windows[l.key(r)] = &w
}

// asked takes in that an answer asks to wait, and gives how long. What is missing,
// zero or absurd becomes a bounded wait with jitter.
func (l *limits) asked(r route, at *attempt, body float64, now time.Time) time.Duration {
	h := at.header()
	seconds := body
	if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil && s > seconds {
		seconds = s
	}
	wait := bounded(seconds)
	if wait == 0 {
		wait = bridge.Jittered(2 * limitedLeast)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if h.Get("X-RateLimit-Global") != "" || h.Get("X-RateLimit-Scope") == "global" {
		l.until = now.Add(wait)
		return wait
	}
	l.put(r, window{0, now.Add(wait)})
	return wait
}

// bounded makes a wait of seconds; 0 if they make no sense.
func bounded(seconds float64) time.Duration {
	switch {
	case math.IsNaN(seconds) || seconds <= 0:
		return 0
	case seconds > limitedMost.Seconds():
		return bridge.Jittered(limitedMost)
	default:
		return time.Duration(math.Ceil(seconds*1000)) * time.Millisecond
	}
}
