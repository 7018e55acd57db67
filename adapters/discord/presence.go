package discord

import (
	"context"
	"net/http"
	"time"

	"bullpen/bridge"
)

const (
	// typingEvery keeps "typing" in sight: it lasts ten seconds (resources/channel,
	// trigger typing indicator).
	typingEvery = 8 * time.Second
	// reactEvery and reactBurst pace reactions; whatever is below half of the burst
	// is kept for what matters.
	reactEvery, reactBurst = time.Second, 20
)

// signs are the reactions that we use, as an address holds them.
var signs = map[bridge.Mark]string{bridge.MarkSeen: "%F0%9F%91%80", bridge.MarkDone: "%E2%9C%85", bridge.MarkFailed: "%F0%9F%A4%94"}

var (
	_ bridge.Typer   = (*Adapter)(nil)
	_ bridge.Reactor = (*Adapter)(nil)
)

// Typing shows "typing" in a channel or thread. See bridge.Typer.
func (a *Adapter) Typing(ctx context.Context, p bridge.Presence) time.Duration {
	channel := p.Place
	if c, ok := a.room(p.Thread); ok && c.thread() {
		channel = p.Thread
	}
	path := "channels/" + channel + "/typing"
	if a.limits.turn(routeOf(http.MethodPost, path), a.now()) > 0 {
		return typingEvery
	}
	if err := a.call(ctx, http.MethodPost, path, nil, nil); err != nil {
		a.log.Debug("typing could not be shown", "err", err)
	}
	return typingEvery
}

// React puts a reaction on a message in place of the one before. See bridge.Reactor.
func (a *Adapter) React(ctx context.Context, place, native string, now, before bridge.Mark) bool {
	if a.reacts.Tokens() < reactBurst/2 || !a.reacts.Allow() {
		return false
	}
	path := "channels/" + orElse(a.titles.stands(native), place) + "/messages/" + native + "/reactions/"
	if err := a.once(ctx, http.MethodPut, path+signs[now]+"/@me", nil, nil); err != nil {
		a.log.Debug("a reaction could not be added", "err", err)
		return false
	}
	if before != "" {
		if err := a.once(ctx, http.MethodDelete, path+signs[before]+"/@me", nil, nil); err != nil {
			a.log.Debug("a reaction could not be taken away", "err", err)
		}
	}
	return true
}
