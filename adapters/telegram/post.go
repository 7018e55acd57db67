package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

const (
	// personaMost is the longest name that a message is headed with, in UTF-16 units.
	personaMost = 80
	// margin is the room in a part for the name line, the mark of a second copy and
	// the labels of mentions.
	margin = 400
	// blockedFor is how long nothing is sent with a token that is not accepted.
	blockedFor = 5 * time.Minute
	// againMark begins what may be a second copy.
	againMark = "(possibly again) "
)

// outgoing is one message on its way.
type outgoing struct {
	place    place
	text     string
	entities []format.Entity
	reply    string // the native id of what it answers; may be empty
	markup   string
	silent   bool
	file     *bridge.Attachment // shown in place of a text, which is its caption
}

// Post shows one part of a message. See bridge.Poster.
func (a *Adapter) Post(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	at, err := parsePlace(out.Place)
	if err != nil {
		return bridge.Posted{}, &bridge.PostError{Kind: bridge.PostRefused, Reason: err.Error(), Closed: true}
	}
	o := outgoing{place: at, reply: out.ReplyTo, markup: keyboard(out.Buttons)}
	if o.reply == "" {
		o.reply = out.Thread // a thread of the office is answered at its first message
	}
	o.text, o.entities = textOf(out)
	m, err := a.send(ctx, o)
	if err != nil {
		var failed *bridge.PostError
		if errors.As(err, &failed) && failed.Closed && at.chat < 0 {
			a.problem("place "+at.String(), fmt.Sprintf("nothing can be shown in the chat %s: %s", at, failed.Reason))
		}
		return bridge.Posted{}, err
	}
	return bridge.Posted{ID: native(at, m)}, nil
}

// Find says that Telegram cannot be read back. See bridge.Poster.
func (a *Adapter) Find(context.Context, bridge.Outgoing) (bridge.Posted, bool, error) {
	return bridge.Posted{}, false, bridge.ErrBlind
}

// textOf is what a message says, under its colleague's name.
func textOf(out bridge.Outgoing) (string, []format.Entity) {
	text, entities := compose(out, resolver(out.Mentions))
	if render.UTF16(text) > format.MaxText { // many mentions with long labels
		text, entities = compose(out, nil)
	}
	return text, entities
}

func compose(out bridge.Outgoing, mentions render.Resolver) (string, []format.Entity) {
	var b format.Builder
	if name := format.Clip(strings.Join(strings.Fields(out.Persona), " "), personaMost); name != "" {
		b.Styled("bold", name)
		b.Plain("\n")
	}
	if out.Again {
		b.Plain(againMark)
	}
	b.Document(render.Parse(out.Text, render.Options{Mentions: mentions}))
	return b.Message()
}

// resolver asks the bridge for native mentions; only people have any here.
func resolver(find func(string) (bridge.Native, bool)) render.Resolver {
	if find == nil {
		return nil
	}
	return func(token string) (render.Mention, bool) {
		n, ok := find(token)
		if !ok || n.Kind != bridge.NativePerson {
			return render.Mention{}, false
		}
		return render.Mention{Kind: render.Person, ID: n.ID}, true
	}
}

// changesMost is how often one message is sent anew because its chat has moved or
// because Telegram does not like how it looks.
const changesMost = 6

// send makes the call, and again if the group has become a supergroup meanwhile, or
// if Telegram does not like the look, which is then left out. The error is a
// *bridge.PostError.
func (a *Adapter) send(ctx context.Context, o outgoing) (*message, error) {
	if failed := a.posts.wait(ctx, a.target(o.place)); failed != nil {
		return nil, failed
	}
	asFile := false
	for change := 0; ; change++ {
		chat := a.target(o.place)
		var m message
		e := a.sendOnce(ctx, o, chat, asFile, &m)
		again := e != nil && e.code == http.StatusBadRequest && change < changesMost
		switch {
		case e == nil && m.ID == 0:
			return nil, &bridge.PostError{Kind: bridge.PostUnknown, Reason: "Telegram's answer names no message"}
		case e == nil:
			m.Chat.ID = chat
			return &m, nil
		case again && e.migrated != 0 && a.followed(o.place, chat, e.migrated):
			a.later.Do(func(ctx context.Context) {
				if err := a.keepMoved(ctx); err != nil {
					a.log.Warn("where a group is now could not be stored; Telegram tells it again", "err", err)
				}
			})
			continue
		case again && len(o.entities) > 0 && strings.Contains(e.text, "entit"):
			a.log.Warn("Telegram refused how a message looks; it goes as plain text", "err", e)
			o.entities = nil
			continue
		case again && e.method == "sendPhoto" && e.migrated == 0 && !asFile:
			asFile = true // it is no picture to Telegram's taste
			continue
		case e.code == http.StatusTooManyRequests:
			a.posts.limited(chat, e.after)
		}
		return nil, a.postError(o.place, e)
	}
}

// sendOnce makes one call.
func (a *Adapter) sendOnce(ctx context.Context, o outgoing, chat int64, asFile bool, m *message) *callError {
	if o.file != nil {
		return a.upload(ctx, o, chat, asFile, m)
	}
	one, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return a.call(one, "sendMessage", a.params(o, chat), m)
}

func (a *Adapter) params(o outgoing, chat int64) tg.Params {
	p := tg.Params{
		"chat_id": itoa(chat), "text": o.text, "link_preview_options": object(map[string]bool{"is_disabled": true}),
	}
	if len(o.entities) > 0 {
		p["entities"] = object(o.entities)
	}
	if o.place.topic != 0 {
		p["message_thread_id"] = itoa(o.place.topic)
	}
	if id := messageID(o.reply, o.place, chat); id != 0 {
		p["reply_parameters"] = object(map[string]any{"message_id": id, "allow_sending_without_reply": true})
	}
	if o.markup != "" {
		p["reply_markup"] = o.markup
	}
	if o.silent {
		p["disable_notification"] = "true"
	}
	return p
}

// postError says what a failed call means for what was to be shown.
func (a *Adapter) postError(at place, e *callError) *bridge.PostError {
	failed := &bridge.PostError{Reason: "Telegram could not be asked", Err: e}
	if stop := tokenFault(e); stop != nil {
		a.die(stop)
		failed.Kind, failed.After = bridge.PostNotSent, blockedFor
		return failed
	}
	switch {
	case e.code == http.StatusTooManyRequests:
		failed.Kind, failed.After, failed.Reason = bridge.PostNotSent, e.after, "Telegram asks to wait"
	case e.answered():
		failed.Kind = bridge.PostRefused
		failed.Reason, failed.Closed = refusal(at, e)
	case e.reached:
		failed.Kind, failed.Reason = bridge.PostUnknown, "it is not known whether Telegram took it"
	default:
		failed.Kind = bridge.PostNotSent
	}
	return failed
}

// refusals are what Telegram says when nothing can be shown in a place, and what a
// person has to do. The wording is not documented; what is not found here is told
// as it stands.
var refusals = []struct{ said, means string }{
	{"blocked by the user", "the person has blocked the bot: they have to unblock it in Telegram and write to it"},
	{"initiate conversation", "the person has not pressed Start yet: they have to open the bot's chat and write to it"},
	{"user is deactivated", "the account was deleted"},
	{"kicked", "the bot was taken out of the group: add it again"},
	{"not a member", "the bot is not in the group: add it"},
	{"thread not found", "the topic is gone: link another"},
	{"TOPIC_DELETED", "the topic is gone: link another"},
	{"rights to send", "the bot may not write there: an administrator has to allow it"},
	{"CHAT_WRITE_FORBIDDEN", "the bot may not write there: an administrator has to allow it"},
	{"group chat was deactivated", "the group was closed"},
}

// refusal explains a final no, and says whether nothing at all can be shown there.
func refusal(at place, e *callError) (reason string, closed bool) {
	text := strings.ToLower(e.text)
	if strings.Contains(text, "chat not found") {
		if at.chat > 0 {
			return "the person has not pressed Start yet: they have to open the bot's chat and write to it (" + e.text + ")", true
		}
		return "the bot is in no such chat: add it, or correct adapters.telegram.channels (" + e.text + ")", true
	}
	for _, r := range refusals {
		if strings.Contains(text, strings.ToLower(r.said)) {
			return r.means + " (" + e.text + ")", true
		}
	}
	if strings.Contains(e.text, "TOPIC_CLOSED") {
		return "the topic is closed: open it again (" + e.text + ")", false
	}
	return "Telegram refused it (" + e.text + ")", false
}

// Split cuts a text into parts that fit a message. See bridge.Poster.
func (a *Adapter) Split(text string) []string {
	return render.Cut(text, format.MaxText-margin, format.Length)
}
