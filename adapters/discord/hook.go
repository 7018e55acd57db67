package discord

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// hookName is what our webhooks are called in a channel's settings.
	hookName = "Bullpen"
	// plainFor is how long a channel without a webhook is not asked for one again.
	plainFor = 10 * time.Minute
)

// hook is a webhook of ours, through which colleagues speak under their names.
type hook struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	App   string `json:"application_id"`
	Type  int    `json:"type"` // 1: one that posts
}

// incoming is the type of webhooks that post (resources/webhook, webhook types).
const incoming = 1

// hooks are the webhooks that we know, by channel. The zero value is ready.
type hooks struct {
	mu    sync.Mutex
	have  map[string]hook
	plain map[string]time.Time // channels in which we may have none
}

func (h *hooks) find(channel string, now time.Time) (have hook, plain bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	since, none := h.plain[channel]
	return h.have[channel], none && now.Sub(since) < plainFor
}

func (h *hooks) keep(channel string, w hook) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.have == nil {
		h.have = map[string]hook{}
	}
	h.have[channel] = w
	delete(h.plain, channel)
}

func (h *hooks) refuse(channel string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.plain == nil {
		h.plain = map[string]time.Time{}
	}
	h.plain[channel] = now
}

// forget drops what is known of a channel's webhook.
func (h *hooks) forget(channel string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.have, channel)
}

// allow has a channel asked again; an empty one means all.
func (h *hooks) allow(channel string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if channel == "" {
		clear(h.plain)
	}
	delete(h.plain, channel)
}

// hook is our webhook in a channel: the one that is known, that is found there by
// the application that made it, or a new one. ok is false where we may have none,
// which costs the look alone.
func (a *Adapter) hook(ctx context.Context, channel string) (w hook, ok bool, err *callError) {
	w, plain := a.hooks.find(channel, a.now())
	if plain || w.ID != "" {
		return w, !plain, nil
	}
	var there []hook
	if err := a.once(ctx, http.MethodGet, "channels/"+channel+"/webhooks", nil, &there); err != nil {
		return w, false, a.hookless(channel, err)
	}
	for _, w := range there {
		if w.App == a.self().App && w.Token != "" && w.Type == incoming {
			a.gotHook(channel, w)
			return w, true, nil
		}
	}
	if err := a.once(ctx, http.MethodPost, "channels/"+channel+"/webhooks", map[string]string{"name": hookName}, &w); err != nil {
		return w, false, a.hookless(channel, err)
	}
	a.gotHook(channel, w)
	return w, true, nil
}

func (a *Adapter) gotHook(channel string, w hook) {
	a.hooks.keep(channel, w)
	a.problem("webhook "+channel, "")
}

// hookless remembers that a channel gives us no webhook; an error is what passes.
func (a *Adapter) hookless(channel string, e *callError) *callError {
	mend := ""
	switch e.code {
	case missingPermissions, missingAccess:
		mend = "give the bot the right Manage Webhooks there"
	case tooManyWebhooks:
		mend = "it has 15 already: delete one (channel settings, Integrations)"
	default:
		return e
	}
	a.hooks.refuse(channel, a.now())
	name := channel
	if c, ok := a.room(channel); ok {
		name = "#" + c.Name
	}
	a.problem("webhook "+channel, fmt.Sprintf("in %s colleagues speak as the bot, with their names in front, since it may have no webhook there: %s", name, mend))
	return nil
}

// hookGone says whether a call through a webhook failed since there is none any more.
func hookGone(e *callError) bool {
	return e != nil && (e.code == unknownWebhook || e.code == badWebhookToken ||
		e.code == 0 && (e.status == http.StatusNotFound || e.status == http.StatusUnauthorized))
}
