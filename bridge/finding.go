package bridge

import (
	"fmt"
	"net/http"
	"time"
)

// Grade says how bad a Finding is.
type Grade int

// The grades, the best first.
const (
	Fine    Grade = iota
	Warning       // the office runs, and something does not work as one would think
	Problem       // the office cannot do this at all
)

// Finding is what a look at one part of an office's surroundings found: one
// sentence, and what to do about it where something is wrong. It holds no secret.
type Finding struct {
	Grade    Grade
	Part     string // slack, store, ...
	Sentence string
	Mend     string
}

// clockSlack is how far this machine's clock may be from a platform's.
const clockSlack = 30 * time.Second

// Clock compares this machine's clock with the Date of an answer that came just
// now. It is false where the answer has none.
func Clock(part string, answer http.Header, now time.Time) (Finding, bool) {
	theirs, err := http.ParseTime(answer.Get("Date"))
	if err != nil {
		return Finding{}, false
	}
	off := now.Sub(theirs).Round(time.Second)
	if off.Abs() <= clockSlack {
		return Finding{Fine, part, "this machine's clock agrees", ""}, true
	}
	return Finding{
		Warning, part, fmt.Sprintf("this machine's clock is %s off", off),
		"set it by the network (timedatectl set-ntp true): schedules, limits per day and what is read back after a gap go by it",
	}, true
}
