package office

import (
	"fmt"
	"time"
)

// rates are the times of a colleague's last messages, refused ones among them:
// who hammers stays out. They are a fact of this process, not of the record.
// The zero value is empty.
type rates map[rateKey][]time.Time

type rateKey struct {
	colleague ColleagueID
	channel   ChannelID // empty: messages that wake colleagues, wherever
}

// over counts one more message at now and says whether there were more than
// most within the window before it.
func (r rates) over(key rateKey, now time.Time, most int, window time.Duration) bool {
	times := r[key]
	for len(times) > 0 && now.Sub(times[0]) >= window {
		times = times[1:]
	}
	if len(times) > most { // no more than that need be remembered
		times = times[1:]
	}
	times = append(times, now)
	r[key] = times
	return len(times) > most
}

// limited counts a message of a colleague and refuses it when there are too
// many: of its posts in one channel, or of what it sends to colleagues.
func (d *decision) limited(c ColleagueID, ch ChannelID, wakes bool) string {
	l := d.s.Limits
	if ch != "" && d.s.rates.over(rateKey{c, ch}, d.now, l.Posts, l.RateWindow) {
		return fmt.Sprintf("rate-limited: more than %d posts in one channel within %s; nothing was posted. Say it in one message, later", l.Posts, l.RateWindow)
	}
	if wakes && d.s.rates.over(rateKey{colleague: c}, d.now, l.Messages, l.RateWindow) {
		return fmt.Sprintf("rate-limited: more than %d messages to colleagues within %s; nothing was sent. Go on with your work and write again later", l.Messages, l.RateWindow)
	}
	return ""
}
