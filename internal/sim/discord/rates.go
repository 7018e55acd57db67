package discord

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"time"
)

// bucketLimit is how many calls a bucket takes in how long.
type bucketLimit struct {
	calls int
	per   time.Duration
}

// bucket counts the calls of one route with its major parameter (D: topics/rate-limits).
type bucket struct {
	left  int
	reset time.Time
}

// limitNote is what the headers say.
type limitNote struct {
	bucket      string
	limit, left int
	reset       time.Time
	global      bool
}

// excess is a refusal with 429.
type excess struct {
	after  time.Duration
	global bool
	scope  string // user, global or shared
}

// count takes a call into its bucket. It returns the headers, and the refusal if the bucket is empty.
func (s *Server) count(rt route, r *http.Request) (limitNote, *excess) {
	major := cmp.Or(r.PathValue("channel"), r.PathValue("guild"), r.PathValue("webhook")+r.PathValue("token"))
	h := fnv.New64a()
	_, _ = h.Write([]byte(rt.pattern)) // a hash takes everything
	note := limitNote{bucket: fmt.Sprintf("%x", h.Sum64())}
	now := time.Now()
	// D: topics/rate-limits, interaction endpoints are not bound to the global limit.
	exempt := rt.pattern == RouteCallback || r.PathValue("webhook") == s.bot.ID
	if now.Before(s.globalUntil) && !exempt {
		note.global = true
		return note, &excess{after: s.globalUntil.Sub(now), global: true, scope: "global"}
	}
	limit, imposed := s.limits[rt.pattern]
	if !imposed {
		limit = cmp.Or(rt.limit, everyday)
		if !s.rateLimits {
			limit = bucketLimit{1000, time.Second}
		}
	}
	key := rt.pattern + " " + major
	b := s.buckets[key]
	if b == nil || !now.Before(b.reset) {
		b = &bucket{left: limit.calls, reset: now.Add(limit.per)}
		s.buckets[key] = b
	}
	note.limit, note.reset = limit.calls, b.reset
	if b.left <= 0 {
		return note, &excess{after: b.reset.Sub(now), scope: "user"}
	}
	b.left--
	note.left = b.left
	return note, nil
}

// write sets the headers of every answer (D: topics/rate-limits, header format).
func (n limitNote) write(h http.Header) {
	if n.limit == 0 {
		return
	}
	after := max(0, time.Until(n.reset))
	h.Set("X-RateLimit-Limit", strconv.Itoa(n.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(n.left))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(n.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", after.Seconds()))
	h.Set("X-RateLimit-Bucket", n.bucket)
}

// tooMany answers 429 (D: topics/rate-limits, exceeding a rate limit).
func (s *Server) tooMany(w http.ResponseWriter, entry *Call, note limitNote, e excess) {
	note.write(w.Header())
	w.Header().Set("Retry-After", strconv.Itoa(int((e.after+time.Second-1)/time.Second)))
	w.Header().Set("X-RateLimit-Scope", e.scope)
	w.Header().Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", e.after.Seconds()))
	if e.global {
		w.Header().Set("X-RateLimit-Global", "true")
	}
	s.set(func() { entry.Error = "429 " + e.scope })
	s.finish(w, entry, http.StatusTooManyRequests, object{
		"message": "You are being rate limited.", "retry_after": float64(e.after.Milliseconds()) / 1000, "global": e.global,
	}, nil)
}

// Limit makes the bucket of a route small, whether or not Options.RateLimits is on: this many calls in
// this long, for each channel, guild or webhook. Zero calls take the limit away again. route is one of the
// Route constants.
func (s *Server) Limit(route string, calls int, per time.Duration) {
	s.lock()
	defer s.unlock()
	clear(s.buckets)
	if calls == 0 {
		delete(s.limits, route)
		return
	}
	s.limits[route] = bucketLimit{calls, per}
}

// LimitGlobally answers every call but those of interactions with a global 429 for a while.
func (s *Server) LimitGlobally(d time.Duration) {
	s.set(func() { s.globalUntil = time.Now().Add(d) })
}
