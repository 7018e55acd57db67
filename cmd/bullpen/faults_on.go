//go:build faults

package main

import (
	"os"
	"strings"
	"time"

	"bullpen/office"
)

// The environment of a faults build: how long a send may take to leave, and how
// long nobody looks for it after that. Durations in Go's syntax.
const (
	sendTime   = "BULLPEN_SEND_TIME"
	settleTime = "BULLPEN_SETTLE_TIME"
	leaseTime  = "BULLPEN_LEASE_TTL" // how long a lease in Redis is good for
	// clockFile names a file that says by how much the office's clock is wrong, a
	// duration in Go's syntax; it is read each time that the office looks.
	clockFile = "BULLPEN_CLOCK"
)

// clock is the office's clock; nil is the usual one.
func clock() func() time.Time {
	path := os.Getenv(clockFile)
	if path == "" {
		return nil
	}
	return func() time.Time {
		text, _ := os.ReadFile(path) // one that is not there yet is right
		wrong, _ := time.ParseDuration(strings.TrimSpace(string(text)))
		return time.Now().Add(wrong)
	}
}

// leaseTTL is the shorter lease of a test; 0 is the usual one.
func leaseTTL() time.Duration {
	d, _ := time.ParseDuration(os.Getenv(leaseTime))
	return d
}

// forTests shortens the times of sends, so that a test that kills the process in
// the middle of one does not wait for as long as people have to.
func forTests(l *office.Limits) {
	for name, to := range map[string]*time.Duration{sendTime: &l.SendTime, settleTime: &l.SettleTime} {
		if d, err := time.ParseDuration(os.Getenv(name)); err == nil {
			*to = d
		}
	}
}
