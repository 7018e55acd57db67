package slack

import (
	"context"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"bullpen/bridge"
)

const (
	// statusEvery keeps a status in sight: Slack takes it away after two minutes
	// (docs.slack.dev, reference/methods/assistant.threads.setStatus).
	statusEvery = 90 * time.Second
	// reactionTime is how long a reaction may take.
	reactionTime = 10 * time.Second
)

// signs are the reactions that we use.
var signs = map[bridge.Mark]string{bridge.MarkSeen: "eyes", bridge.MarkDone: "white_check_mark", bridge.MarkFailed: "thinking_face"}

// noStatusEver are the codes that say that this app can show none.
var noStatusEver = []string{"missing_scope", "unknown_method", "not_allowed_token_type", "access_denied", "no_permission"}

var (
	_ bridge.Typer   = (*Adapter)(nil)
	_ bridge.Quieter = (*Adapter)(nil)
	_ bridge.Reactor = (*Adapter)(nil)
)

// Typing shows a status under the colleague's name in a thread, and the Stop button;
// Slack has them nowhere else. See bridge.Typer.
func (a *Adapter) Typing(ctx context.Context, p bridge.Presence) time.Duration {
	says := "works on it…"
	if p.Doing != "" {
		says = p.Doing + "…"
	}
	if p.Thread != "" {
		a.works(ctx, p)
	}
	a.setStatus(ctx, p, says)
	return statusEvery
}

// Quiet takes the status away. See bridge.Quieter.
func (a *Adapter) Quiet(ctx context.Context, p bridge.Presence) {
	a.setStatus(ctx, p, "")
	a.rests(thread{p.Place, p.Thread})
}

func (a *Adapter) setStatus(ctx context.Context, p bridge.Presence, says string) {
	thread := p.Thread
	if thread == "" || a.noStatus() {
		return
	}
	params := slack.AssistantThreadsSetStatusParameters{ChannelID: p.Place, ThreadTS: thread, Status: says}
	if !a.isPlain() {
		params.Username = p.Persona
	}
	once, at := watched(ctx)
	err := a.api.SetAssistantThreadsStatusContext(once, params)
	if err == nil {
		return
	}
	e := a.explain("assistant.threads.setStatus", err, at)
	a.log.Debug("a status could not be shown", "err", e)
	if slices.Contains(noStatusEver, e.code) { // it is not asked again
		a.mu.Lock()
		a.statusless = true
		a.mu.Unlock()
	}
}

func (a *Adapter) noStatus() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.statusless
}

// React puts a reaction on a message in place of the one before. See bridge.Reactor.
func (a *Adapter) React(ctx context.Context, place, native string, now, before bridge.Mark) bool {
	if a.eyes.Tokens() < eyesBurst/2 || !a.eyes.Allow() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, reactionTime)
	defer cancel()
	ref := slack.NewRefToMessage(place, native)
	once, at := watched(ctx)
	if err := a.api.AddReactionContext(once, signs[now], ref); err != nil {
		a.log.Debug("a reaction could not be added", "err", a.explain("reactions.add", err, at))
		return false
	}
	if before != "" {
		once, at = watched(ctx)
		if err := a.api.RemoveReactionContext(once, signs[before], ref); err != nil {
			a.log.Debug("a reaction could not be taken away", "err", a.explain("reactions.remove", err, at))
		}
	}
	return true
}
