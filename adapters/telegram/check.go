package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"bullpen/bridge"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// Check looks at what the token is good for and what the bot may read. It takes
// no updates and posts nothing.
func (a *Adapter) Check(ctx context.Context) []bridge.Finding {
	// Source: https://core.telegram.org/bots/api#getme and #getwebhookinfo.
	var me struct {
		Username string `json:"username"`
		Join     bool   `json:"can_join_groups"`
		ReadsAll bool   `json:"can_read_all_group_messages"`
	}
	if err := a.ask(ctx, "getMe", tg.Params{}, &me); err != nil {
		return []bridge.Finding{a.refused(err)}
	}
	found := []bridge.Finding{{Part: platform, Sentence: "the token is that of @" + me.Username}}
	tell := func(g bridge.Grade, sentence, mend string) {
		found = append(found, bridge.Finding{Grade: g, Part: platform, Sentence: sentence, Mend: mend})
	}
	if f, ok := a.clock(ctx); ok {
		found = append(found, f)
	}
	if me.ReadsAll {
		tell(bridge.Fine, "the bot reads what is written in its groups (privacy mode is off)", "")
	} else {
		tell(bridge.Warning, "privacy mode is on: in groups the bot sees only what is addressed to it",
			"in BotFather: /setprivacy, the bot, Disable; then take the bot out of its groups and add it again")
	}
	if !me.Join {
		tell(bridge.Warning, "the bot may not be added to groups", "in BotFather: /setjoingroups, the bot, Enable")
	}
	var hook struct {
		URL string `json:"url"`
	}
	if err := a.ask(ctx, "getWebhookInfo", tg.Params{}, &hook); err == nil && hook.URL != "" {
		tell(bridge.Warning, "another program takes the bot's messages by a webhook; bullpen up takes that off", "use a bot for this office alone")
	}
	return found
}

// clock compares this machine's clock with Telegram's.
func (a *Adapter) clock(ctx context.Context) (bridge.Finding, bool) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	o := &once{ctx: ctx, http: a.http}
	if a.make(o, "getMe", tg.Params{}, nil) != nil {
		return bridge.Finding{}, false
	}
	return bridge.Clock(platform, o.header, time.Now())
}

// refused says why the token was of no use.
func (a *Adapter) refused(err error) bridge.Finding {
	var said *callError
	if errors.As(err, &said) && (said.code == http.StatusUnauthorized || said.code == http.StatusNotFound) {
		return bridge.Finding{
			Grade: bridge.Problem, Part: platform, Sentence: "Telegram does not know adapters.telegram.token",
			Mend: "copy it once more from BotFather: /mybots, the bot, API Token",
		}
	}
	return bridge.Finding{
		Grade: bridge.Problem, Part: platform, Sentence: fmt.Sprintf("Telegram cannot be reached at %s: %v", a.opt.APIURL, err),
		Mend: "look at this machine's network, its proxy, and adapters.telegram.api_url",
	}
}
