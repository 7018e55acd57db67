package slack

import (
	"math"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// The rates of posting (D: S:rate): one message a second in a channel with short bursts tolerated,
// and several hundred a minute in the workspace. How short a burst and how many hundred is not
// documented; these are the careful readings.
const (
	postsPerSecond = 1
	postBurst      = 5
	postsPerMinute = 300
)

// SetRateLimits switches the refusal of calls over Slack's rates on or off; full buckets in either
// case.
func (s *Server) SetRateLimits(on bool) {
	s.lock()
	defer s.unlock()
	s.rateLimits = on
	clear(s.limiters)
}

// overRate is the Retry-After of a call that comes too early, or empty.
func (s *Server) overRate(name string, m method, a args) string {
	if !s.rateLimits {
		return ""
	}
	now := time.Now()
	var wait time.Duration
	switch {
	case name == "chat.postMessage":
		channel := a["channel"]
		if c := s.find(channel); c != nil {
			channel = c.id
		}
		wait = max(
			s.bucket(name+" "+channel, postsPerSecond, postBurst, now),
			s.bucket(name, float64(postsPerMinute)/60, postsPerMinute, now))
	case m.perMin > 0:
		wait = s.bucket(name, float64(m.perMin)/60, m.perMin, now)
	}
	if wait <= 0 {
		return ""
	}
	return strconv.Itoa(int(math.Ceil(wait.Seconds()))) // D: whole seconds
}

// bucket takes one token, or tells how long until there is one.
func (s *Server) bucket(key string, perSecond float64, burst int, now time.Time) time.Duration {
	l := s.limiters[key]
	if l == nil {
		l = rate.NewLimiter(rate.Limit(perSecond), burst)
		s.limiters[key] = l
	}
	r := l.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
