//go:build faults

package main

import (
	"os"
	"time"

	"bullpen/office"
)

// The environment of a faults build: how long a send may take to leave, and how
// long nobody looks for it after that. Durations in Go's syntax.
const (
	sendTime   = "BULLPEN_SEND_TIME"
	settleTime = "BULLPEN_SETTLE_TIME"
	leaseTime  = "BULLPEN_LEASE_TTL" // how long a lease in Redis is good for
)

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
