package telegram

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"bullpen/bridge"
)

// The rates of sending: about one message a second in a chat, twenty a minute in a
// group, thirty a second in all (core.telegram.org/bots/faq#my-bot-is-hitting-limits).
// How long a burst may be in a private chat is not documented.
const (
	chatEvery, chatBurst   = time.Second, 4
	groupEvery, groupBurst = 3500 * time.Millisecond, 3
	allEvery, allBurst     = time.Second / 30, 30
	// chatsMost bounds the chats whose rate is remembered.
	chatsMost = 1000
)

// postRates paces messages. The zero value is ready.
type postRates struct {
	free  bool // only what Telegram asks for is waited
	mu    sync.Mutex
	chats map[int64]*rate.Limiter
	until map[int64]time.Time // chats that Telegram asked to leave alone
	all   *rate.Limiter
}

// wait waits for a chat's turn, or says how long it would take.
func (r *postRates) wait(ctx context.Context, chat int64) *bridge.PostError {
	now := time.Now()
	turn, all, blocked := r.reserve(chat, now)
	delay := max(turn.DelayFrom(now), all.DelayFrom(now), blocked)
	failed := bridge.WaitTurn(ctx, delay)
	if failed != nil {
		turn.CancelAt(now)
		all.CancelAt(now)
	}
	return failed
}

// spare takes one of what may be sent in all, if more than half of it is left: what
// nobody is owed takes no message's turn.
func (r *postRates) spare() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.overall().Tokens() > allBurst/2 && r.all.Allow()
}

// overall is the rate of everything.
func (r *postRates) overall() *rate.Limiter {
	if r.all == nil {
		r.all = rate.NewLimiter(rate.Every(allEvery), allBurst)
	}
	return r.all
}

// limited leaves a chat, with all its topics, alone for a while.
func (r *postRates) limited(chat int64, after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until == nil || len(r.until) > chatsMost {
		r.until = map[int64]time.Time{}
	}
	if until := time.Now().Add(after); until.After(r.until[chat]) {
		r.until[chat] = until
	}
}

// blocked says whether a chat is to be left alone now.
func (r *postRates) blocked(chat int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Before(r.until[chat])
}

func (r *postRates) reserve(chat int64, now time.Time) (turn, all *rate.Reservation, blocked time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free {
		none := rate.NewLimiter(rate.Inf, 0)
		return none.ReserveN(now, 1), none.ReserveN(now, 1), r.until[chat].Sub(now)
	}
	if r.chats == nil || len(r.chats) > chatsMost {
		r.chats = map[int64]*rate.Limiter{}
	}
	if r.chats[chat] == nil {
		r.chats[chat] = rate.NewLimiter(rate.Every(chatEvery), chatBurst)
		if chat < 0 { // groups have negative ids
			r.chats[chat] = rate.NewLimiter(rate.Every(groupEvery), groupBurst)
		}
	}
	return r.chats[chat].ReserveN(now, 1), r.overall().ReserveN(now, 1), r.until[chat].Sub(now)
}
