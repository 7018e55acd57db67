//go:build !faults

package main

import "bullpen/office"

// forTests does nothing in this build.
func forTests(*office.Limits) {}
