//go:build !faults

package main

import (
	"time"

	"bullpen/office"
)

// leaseTTL is the usual one in this build.
func leaseTTL() time.Duration { return 0 }

// clock is the usual one in this build.
func clock() func() time.Time { return nil }

// forTests does nothing in this build.
func forTests(*office.Limits) {}
