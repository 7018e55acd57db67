package discord

import (
	"context"
	"net/http"
	"strings"

	"bullpen/bridge"
)

var _ bridge.Editor = (*Adapter)(nil)

// quoteMark begins the line that says what a message answers.
const quoteMark = "-# ↩ "

// Edit changes a message of ours. See bridge.Editor.
func (a *Adapter) Edit(ctx context.Context, id string, out bridge.Outgoing) error {
	m, path, failed := a.own(ctx, id, out.Place)
	if failed != nil || m == nil {
		return asError(failed)
	}
	name, quoted := above(m, out)
	body, _ := replacement(out, name, quoted)
	return a.changed(a.once(ctx, http.MethodPatch, path, body, nil))
}

// above is what stands over the text of a message: the colleague's name where Discord
// does not show it by itself, and the line that says what it answers.
func above(m *message, out bridge.Outgoing) (name, quoted string) {
	if m.Webhook == "" {
		name = persona(out.Persona)
	}
	if line, _, ok := strings.Cut(m.text(), "\n"); ok && strings.HasPrefix(line, quoteMark) {
		quoted = line + "\n"
	}
	return name, quoted
}

// replacement is what a message says instead, and whom it names. An edit notifies
// nobody; what it may mention is said all the same.
func replacement(out bridge.Outgoing, name, quoted string) (body map[string]any, users []string) {
	content, users := compose(out, name, quoted)
	below := buttons(decidePrefix, out.Buttons)
	if below == nil {
		below = []any{}
	}
	return map[string]any{"content": content, "components": below, "allowed_mentions": allowed{Parse: []string{}, Users: users}}, users
}

// Delete takes a message of ours away. See bridge.Editor.
func (a *Adapter) Delete(ctx context.Context, id string, out bridge.Outgoing) error {
	m, path, failed := a.own(ctx, id, out.Place)
	if failed != nil || m == nil {
		return asError(failed)
	}
	return a.changed(a.once(ctx, http.MethodDelete, path, nil, nil))
}

// changed is what the end of a change means: one of what is gone is done.
func (a *Adapter) changed(e *callError) error {
	if e == nil || e.code == unknownMessage {
		return nil
	}
	failed := a.postError(e, true)
	failed.Closed = false
	if failed.Kind == bridge.PostUnknown {
		failed.Kind = bridge.PostNotSent // the same again is the same
	}
	return failed
}

func asError(failed *bridge.PostError) error {
	if failed == nil {
		return nil
	}
	return failed
}

// own finds a message of ours and where it is changed: through the webhook that
// posted it, or as the bot. It is nil if it is gone.
func (a *Adapter) own(ctx context.Context, id, place string) (m *message, path string, failed *bridge.PostError) {
	channel := place
	n, known, err := a.attached().Office().Native(ctx, portalID(place), id)
	if err != nil {
		return nil, "", &bridge.PostError{Kind: bridge.PostNotSent, Reason: "the office cannot be asked", Err: err}
	}
	if c, ok := a.room(id); ok && c.thread() && c.Parent == place && a.posts(place) {
		channel = id // the first message of a post
	} else if known && n.Thread != "" {
		if c, ok, err := a.lookUp(ctx, n.Thread); err == nil && ok && c.thread() {
			channel = n.Thread
		}
	}
	return a.ownIn(ctx, id, place, channel)
}

// ownIn is own where it is known in which channel or thread the message stands.
func (a *Adapter) ownIn(ctx context.Context, id, place, channel string) (m *message, path string, failed *bridge.PostError) {
	m = &message{}
	if e := a.once(ctx, http.MethodGet, "channels/"+channel+"/messages/"+id, nil, m); e != nil {
		if e.code == unknownMessage || e.code == unknownChannel {
			return nil, "", nil
		}
		return nil, "", a.postError(e, false)
	}
	path, failed = a.way(ctx, m, place, channel)
	return m, path, failed
}

// way is where a message of ours is changed.
func (a *Adapter) way(ctx context.Context, m *message, place, channel string) (path string, failed *bridge.PostError) {
	if m.Webhook == "" {
		return "channels/" + channel + "/messages/" + m.ID, nil
	}
	w, _ := a.hooks.find(place, a.now())
	if w.ID != m.Webhook {
		e := a.once(ctx, http.MethodGet, "webhooks/"+m.Webhook, nil, &w)
		if e != nil && !e.answered() {
			return "", a.postError(e, false)
		}
		if e != nil || w.Token == "" {
			return "", &bridge.PostError{Kind: bridge.PostRefused, Reason: "the webhook that posted it is gone"}
		}
	}
	path = "webhooks/" + w.ID + "/" + w.Token + "/messages/" + m.ID
	if channel != place {
		path += "?thread_id=" + channel
	}
	return path, nil
}

// posts says whether a place is a forum.
func (a *Adapter) posts(place string) bool {
	c, _ := a.room(place)
	return c.posts()
}
