package telegram

import (
	"context"
	"fmt"
	"net/http"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
)

const (
	// draftEvery is how often a draft grows: what Telegram allows is not documented, and
	// a chat gets about one message a second. It lasts for half a minute
	// (core.telegram.org/bots/api#sendmessagedraft).
	draftEvery = 1200 * time.Millisecond
	draftRenew = 20 * time.Second
	// draftRefused is how long a chat is left alone that will have no drafts.
	draftRefused = time.Hour
)

var _ bridge.Drafter = (*Adapter)(nil)

// Drafts says whether an answer can be shown in a place while it is written: in private
// chats alone. See bridge.Drafter.
func (a *Adapter) Drafts(in string) bool {
	at, err := parsePlace(in)
	return err == nil && at.chat > 0 && !a.opt.Whole && !a.undrafted.Load() && !a.drafts.blocked(at.chat)
}

// Draft shows the beginning of an answer in a private chat. A limit on drafts is none on
// messages. See bridge.Drafter.
func (a *Adapter) Draft(ctx context.Context, out bridge.Outgoing, number int64) (bridge.Pace, error) {
	at, err := parsePlace(out.Place)
	if err != nil {
		return bridge.Pace{}, err
	}
	if a.limitedNow(at) || !a.posts.spare() {
		return bridge.Pace{}, fmt.Errorf("the chat %s is to be left alone", at)
	}
	text, entities := textOf(out)
	p := tg.Params{"chat_id": itoa(at.chat), "draft_id": itoa(number), "text": text}
	if len(entities) > 0 {
		p["entities"] = object(entities)
	}
	if at.topic != 0 {
		p["message_thread_id"] = itoa(at.topic)
	}
	switch e := a.call(ctx, "sendMessageDraft", p, nil); {
	case e == nil:
		return bridge.Pace{Next: draftEvery, Renew: draftRenew}, nil
	case e.code == http.StatusNotFound && a.self().ID != 0:
		a.undrafted.Store(true) // the token is good: a server of one's own is too old for it
		return bridge.Pace{}, e
	case e.code == http.StatusTooManyRequests:
		a.drafts.limited(at.chat, e.after)
		return bridge.Pace{}, e
	case e.answered():
		a.drafts.limited(at.chat, draftRefused)
		return bridge.Pace{}, e
	default:
		return bridge.Pace{}, e
	}
}
