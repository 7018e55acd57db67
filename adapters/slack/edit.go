package slack

import (
	"context"
	"errors"

	"bullpen/bridge"
)

var _ bridge.Editor = (*Adapter)(nil)

// deletedText stands where Slack does not let us take a post away, as it is said
// to do with those under another name (python-slack-sdk issue 1717).
const deletedText = "_(deleted by its author)_"

// Edit changes a post of ours. See bridge.Editor.
func (a *Adapter) Edit(ctx context.Context, ts string, out bridge.Outgoing) error {
	plain := a.isPlain()
	if !plain {
		out.Persona = "" // a post keeps the name that it has
	}
	out.Thread = ""
	return a.change(ctx, "chat.update", func(ctx context.Context) error {
		_, _, _, err := a.api.UpdateMessageContext(ctx, out.Place, ts, a.options(out, plain)...)
		return err
	})
}

// Delete takes a post of ours away. See bridge.Editor.
func (a *Adapter) Delete(ctx context.Context, ts string, out bridge.Outgoing) error {
	err := a.change(ctx, "chat.delete", func(ctx context.Context) error {
		_, _, err := a.api.DeleteMessageContext(ctx, out.Place, ts)
		return err
	})
	if failed := (*bridge.PostError)(nil); errors.As(err, &failed) && failed.Kind == bridge.PostRefused && !failed.Closed {
		out.Text, out.Question, out.Buttons = deletedText, "", nil
		return a.Edit(ctx, ts, out)
	}
	return err
}

// change makes a call that changes a post. The error is a *bridge.PostError.
func (a *Adapter) change(ctx context.Context, method string, call func(context.Context) error) error {
	once, at := watched(ctx)
	err := call(once)
	if err == nil {
		return nil
	}
	e := a.explain(method, err, at)
	if e.code == "message_not_found" && method == "chat.delete" {
		return nil
	}
	a.log.Debug("a post could not be changed", "err", e)
	return a.postError(e)
}
