package discord

import (
	"strconv"
	"time"
)

// epoch is the first moment of 2015, from which snowflakes count milliseconds (D: reference, snowflakes).
const epoch = 1420070400000

// ids makes snowflakes, each greater than the one before.
type ids struct {
	shift int64 // added to the clock, which in a testing/synctest bubble begins before the epoch
	last  uint64
}

func newIDs() ids {
	now := time.Now().UnixMilli()
	return ids{shift: max(0, epoch+24*3600*1000-now)}
}

func (i *ids) next() string {
	n := uint64(time.Now().UnixMilli()+i.shift-epoch) << 22
	i.last = max(n, i.last+1)
	return strconv.FormatUint(i.last, 10)
}

func (s *Server) newID() string { return s.ids.next() }

// newer says whether snowflake a was made after b.
func newer(a, b string) bool {
	x, _ := strconv.ParseUint(a, 10, 64) // what is no number is the oldest
	y, _ := strconv.ParseUint(b, 10, 64)
	return x > y
}

// isID says whether text can be a snowflake.
func isID(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// stamp writes a time as the API does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
