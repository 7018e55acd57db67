package openai

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is the longest wait that is believed.
const maxRetryAfter = 31 * 24 * time.Hour

// retryAfter is how long the endpoint asks to wait, 0 when it does not say. The
// headers win over the words: retry-after-ms (OpenAI, Azure), Retry-After in
// seconds or as a date (RFC 9110 10.2.3), then the wait in the message, then the
// reset of whichever of OpenAI's limits has nothing left.
func retryAfter(h http.Header, w wireError, now time.Time) time.Duration {
	if ms, ok := positive(h.Get("Retry-After-Ms")); ok {
		return bounded(ms * float64(time.Millisecond))
	}
	if v := strings.TrimSpace(h.Get("Retry-After")); v != "" {
		if s, ok := positive(v); ok {
			return bounded(s * float64(time.Second))
		}
		if at, err := http.ParseTime(v); err == nil {
			// The endpoint's own clock, where it tells it: ours may be wrong.
			if date, err := http.ParseTime(h.Get("Date")); err == nil {
				now = date
			}
			return bounded(float64(at.Sub(now)))
		}
	}
	if d := parseSpan(w.Delay); d > 0 {
		return d
	}
	if m := waitWords.FindStringSubmatch(w.Message); m != nil {
		if d := parseSpan(m[1]); d > 0 {
			return d
		}
	}
	return limitReset(h)
}

// limitReset reads x-ratelimit-remaining-* and x-ratelimit-reset-* ("6m0s").
func limitReset(h http.Header) time.Duration {
	var wait time.Duration
	for _, what := range []string{"Requests", "Tokens"} {
		if strings.TrimSpace(h.Get("X-Ratelimit-Remaining-"+what)) == "0" {
			wait = max(wait, parseSpan(h.Get("X-Ratelimit-Reset-"+what)))
		}
	}
	return wait
}

const spanUnit = `(?:milliseconds?|ms|minutes?|mins?|m|seconds?|secs?|s|hours?|hrs?|h|days?|d)`

var (
	waitWords = regexp.MustCompile(`(?i)\b(?:try again|retry|retrying)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?\s*` + spanUnit + `\s*)+)`)
	spanPart  = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(` + spanUnit + `)`)
)

// parseSpan reads "20s", "1m30.5s", "7m12s", "250ms", "2 seconds"; 0 when there
// is nothing to read.
func parseSpan(text string) time.Duration {
	var total float64
	for _, m := range spanPart.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0
		}
		total += n * float64(unitOf(strings.ToLower(m[2])))
	}
	return bounded(total)
}

func unitOf(name string) time.Duration {
	switch {
	case strings.HasPrefix(name, "ms"), strings.HasPrefix(name, "milli"):
		return time.Millisecond
	case strings.HasPrefix(name, "m"):
		return time.Minute
	case strings.HasPrefix(name, "h"):
		return time.Hour
	case strings.HasPrefix(name, "d"):
		return 24 * time.Hour
	}
	return time.Second
}

func positive(v string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	return n, true
}

// bounded keeps a wait, in nanoseconds, between 0 and maxRetryAfter.
func bounded(ns float64) time.Duration {
	switch {
	case !(ns > 0):
		return 0
	case ns >= float64(maxRetryAfter):
		return maxRetryAfter
	}
	return time.Duration(ns)
}
