package telegram

import (
	"context"
	"errors"
	"net/http"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"
	"golang.org/x/time/rate"

	"bullpen/bridge"
)

const (
	// typingEvery keeps "typing" in sight: it lasts five seconds at most
	// (core.telegram.org/bots/api#sendchataction).
	typingEvery = 4 * time.Second
	// reactEvery and reactBurst pace reactions. What Telegram allows is not
	// documented; whatever is below half of this is kept for what matters.
	reactEvery, reactBurst = time.Second, 20
	// reactTime is how long a reaction may take.
	reactTime = 10 * time.Second
)

// signs are the reactions that we use; all are among those that a bot may choose
// (core.telegram.org/bots/api#reactiontypeemoji).
var signs = map[bridge.Mark]string{bridge.MarkSeen: "👀", bridge.MarkDone: "👍", bridge.MarkFailed: "🤔"}

var (
	_ bridge.Typer   = (*Adapter)(nil)
	_ bridge.Reactor = (*Adapter)(nil)
	_ bridge.Limiter = (*Adapter)(nil)
)

// Typing shows "typing" in a chat or topic. See bridge.Typer.
func (a *Adapter) Typing(ctx context.Context, p bridge.Presence) time.Duration {
	at, err := parsePlace(p.Place)
	if err != nil || a.limitedNow(at) {
		return typingEvery
	}
	params := tg.Params{"chat_id": itoa(a.target(at)), "action": "typing"}
	switch {
	case at.topic != 0:
		params["message_thread_id"] = itoa(at.topic)
	case a.isForum(a.target(at)):
		// Alone among what names a topic, this names General as well.
		params["message_thread_id"] = itoa(general)
	}
	if e := a.call(ctx, "sendChatAction", params, nil); e != nil {
		a.noteLimit(at, e)
		a.log.Debug("typing could not be shown", "err", e)
	}
	return typingEvery
}

// React puts a reaction on a message in place of the one that is there. See bridge.Reactor.
func (a *Adapter) React(ctx context.Context, place, id string, now, _ bridge.Mark) bool {
	at, err := parsePlace(place)
	if err != nil || a.limitedNow(at) || a.reacts.Tokens() < reactBurst/2 || !a.reacts.Allow() {
		return false
	}
	chat := a.target(at)
	message := messageID(id, at, chat)
	if message == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, reactTime)
	defer cancel()
	e := a.call(ctx, "setMessageReaction", tg.Params{
		"chat_id": itoa(chat), "message_id": itoa(message),
		"reaction": object([]map[string]string{{"type": "emoji", "emoji": signs[now]}}),
	}, nil)
	if e != nil {
		a.noteLimit(at, e)
		a.log.Debug("a reaction could not be shown", "err", e)
		return false
	}
	return true
}

// LeaveAlone leaves a chat with all its topics alone. See bridge.Limiter.
func (a *Adapter) LeaveAlone(in string, until time.Time) {
	if at, err := parsePlace(in); err == nil {
		a.posts.limited(a.target(at), time.Until(until))
	}
}

// limitedNow says whether Telegram asked to leave a chat alone.
func (a *Adapter) limitedNow(at place) bool { return a.posts.blocked(a.target(at)) }

// noteLimit leaves a chat alone if that is what a call was answered.
func (a *Adapter) noteLimit(at place, err error) {
	var e *callError
	if errors.As(err, &e) && e.code == http.StatusTooManyRequests {
		a.posts.limited(a.target(at), e.after)
	}
}

func newReactRate() *rate.Limiter { return rate.NewLimiter(rate.Every(reactEvery), reactBurst) }
