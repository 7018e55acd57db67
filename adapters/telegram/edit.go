package telegram

import (
	"context"
	"net/http"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
)

var _ bridge.Editor = (*Adapter)(nil)

// deletedText stands where Telegram lets a bot take nothing away any more: what is
// older than two days (core.telegram.org/bots/api#deletemessage).
const deletedText = "(deleted by its author)"

// Edit changes a message of ours. See bridge.Editor.
func (a *Adapter) Edit(ctx context.Context, id string, out bridge.Outgoing) error {
	at, chat, message, failed := a.stands(id, out)
	if failed != nil {
		return failed
	}
	o := outgoing{place: at, markup: keyboard(out.Buttons)}
	o.text, o.entities = textOf(out)
	return a.editor(ctx, at, chat, message, func() *callError {
		p := a.params(o, chat)
		p["message_id"] = itoa(message)
		delete(p, "message_thread_id")
		delete(p, "reply_parameters")
		one, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		return a.call(one, "editMessageText", p, nil)
	})
}

// Delete takes a message of ours away. See bridge.Editor.
func (a *Adapter) Delete(ctx context.Context, id string, out bridge.Outgoing) error {
	at, chat, message, failed := a.stands(id, out)
	if failed != nil {
		return failed
	}
	err := a.editor(ctx, at, chat, message, func() *callError {
		one, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		return a.call(one, "deleteMessage", tg.Params{"chat_id": itoa(chat), "message_id": itoa(message)}, nil)
	})
	if v, ok := err.(*bridge.PostError); ok && v.Kind == bridge.PostRefused && !v.Closed { //nolint:errorlint // editor gives it bare
		out.Text, out.Buttons = deletedText, nil
		return a.Edit(ctx, id, out)
	}
	return err
}

// stands finds a message of ours; one of before its group was a supergroup can no
// longer be changed.
func (a *Adapter) stands(id string, out bridge.Outgoing) (at place, chat, message int64, err error) {
	at, err = parsePlace(out.Place)
	if err != nil {
		return at, 0, 0, &bridge.PostError{Kind: bridge.PostRefused, Reason: err.Error(), Closed: true}
	}
	chat = a.target(at)
	if message = messageID(id, at, chat); message == 0 {
		return at, 0, 0, &bridge.PostError{Kind: bridge.PostRefused, Reason: "it stands in the group that was there before"}
	}
	return at, chat, message, nil
}

// editor makes a call that changes a message, within the chat's rate. The error is
// a *bridge.PostError.
func (a *Adapter) editor(ctx context.Context, at place, chat, message int64, call func() *callError) error {
	if failed := a.posts.wait(ctx, chat); failed != nil {
		return failed
	}
	e := call()
	switch {
	case e == nil, strings.Contains(e.text, "not modified"), strings.Contains(e.text, "message to delete not found"):
		return nil
	case e.code == http.StatusTooManyRequests:
		a.posts.limited(chat, e.after)
	}
	a.log.Debug("a message could not be changed", "place", at, "message", message, "err", e)
	return a.postError(at, e)
}
