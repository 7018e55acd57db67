package discord

import (
	"fmt"
	"strconv"
	"time"
)

// epoch is what ids count milliseconds from; the rest of an id are 22 bits
// (reference, snowflakes).
const (
	epoch    = 1420070400000
	timeBits = 22
)

// number is an id as a number; what is none is 0.
func number(id string) uint64 {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// firstID is the lowest id that something made at t can have.
func firstID(t time.Time) uint64 {
	ms := t.UnixMilli() - epoch
	if ms <= 0 {
		return 0
	}
	return uint64(ms) << timeBits
}

// madeAt is when an id was made.
func madeAt(id string) time.Time {
	return time.UnixMilli(int64(number(id)>>timeBits) + epoch)
}

// mark writes an id so that it compares as text with the ids of messages, which
// have 19 digits for the next fifty years; those of old channels have fewer.
func mark(id uint64) string { return fmt.Sprintf("%019d", id) }
