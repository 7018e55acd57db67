package slack

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ids hands out everything that Slack numbers. Guarded by Server.mu.
type ids struct {
	n      uint64
	lastTS int64
}

// ts is the next message timestamp: the time in microseconds, but never the same twice and never
// one that went before, as Slack promises within a channel.
func (g *ids) ts() string {
	now := time.Now().UnixMicro()
	if now <= g.lastTS {
		now = g.lastTS + 1
	}
	g.lastTS = now
	return formatTS(now)
}

func (g *ids) next(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%09s", prefix, strings.ToUpper(strconv.FormatUint(g.n, 36)))
}

// uuid has the form of the ids that Slack writes for envelopes and client messages.
func (g *ids) uuid() string {
	g.n++
	return fmt.Sprintf("%08x-5151-4000-8000-%012x", g.n, g.n)
}

// secret cannot be guessed: tickets, trigger ids, response URLs.
func secret() string { return rand.Text() }

func formatTS(micros int64) string {
	return fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6)
}

// parseTS reads a timestamp as a client may send it, with up to six decimals or none.
func parseTS(ts string) (micros int64, ok bool) {
	whole, frac, _ := strings.Cut(ts, ".")
	sec, err := strconv.ParseUint(whole, 10, 40)
	if err != nil || len(frac) > 6 {
		return 0, false
	}
	var sub uint64
	if frac != "" {
		if sub, err = strconv.ParseUint(frac+strings.Repeat("0", 6-len(frac)), 10, 32); err != nil {
			return 0, false
		}
	}
	return int64(sec)*1e6 + int64(sub), true
}
