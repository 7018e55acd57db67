package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"bullpen/bridge"
)

// The flags of an application that say whether it may read messages; the second is
// that of one on fewer than 100 servers (resources/application, application flags).
const contentFlags = 1<<18 | 1<<19

// Check looks at what the token is good for, whether the bot may read messages,
// and on which servers it is. It opens no session and posts nothing.
func (a *Adapter) Check(ctx context.Context) []bridge.Finding {
	if err := a.identify(ctx); err != nil {
		return []bridge.Finding{a.refused(err)}
	}
	found := []bridge.Finding{{Part: platform, Sentence: "the token is that of the bot " + a.self().Name}}
	tell := func(g bridge.Grade, sentence, mend string) {
		found = append(found, bridge.Finding{Grade: g, Part: platform, Sentence: sentence, Mend: mend})
	}
	if f, ok := a.clock(ctx); ok {
		found = append(found, f)
	}
	var app struct {
		Flags int `json:"flags"`
	}
	if err := a.ask(ctx, http.MethodGet, "applications/@me", nil, &app); err != nil {
		return append(found, a.refused(err))
	}
	if app.Flags&contentFlags == 0 {
		tell(bridge.Warning, "the Message Content Intent is switched off: in channels only what mentions the bot can be read",
			"switch it on at discord.com/developers/applications, your application, Bot")
	} else {
		tell(bridge.Fine, "the bot may read messages (Message Content Intent)", "")
	}
	var mine []struct {
		ID string `json:"id"`
	}
	if err := a.ask(ctx, http.MethodGet, "users/@me/guilds", nil, &mine); err != nil {
		return append(found, a.refused(err))
	}
	on := false
	for _, g := range mine {
		on = on || g.ID == a.opt.Guild
	}
	switch {
	case len(mine) == 0:
		tell(bridge.Problem, "the bot is on no server", a.invite())
	case a.opt.Guild != "" && !on:
		tell(bridge.Problem, "the bot is not on the server "+a.opt.Guild, a.invite())
	case a.opt.Guild == "" && len(mine) > 1:
		tell(bridge.Problem, fmt.Sprintf("the bot is on %d servers, and office.yaml does not say which is the office's", len(mine)), "write the server's id as adapters.discord.guild")
	default:
		tell(bridge.Fine, "the bot is on the office's server", "")
	}
	return found
}

// clock compares this machine's clock with Discord's, by an answer to anybody.
func (a *Adapter) clock(ctx context.Context) (bridge.Finding, bool) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, discordgo.EndpointGateway, nil)
	if err != nil {
		return bridge.Finding{}, false
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return bridge.Finding{}, false
	}
	_ = resp.Body.Close()
	return bridge.Clock(platform, resp.Header, time.Now())
}

// refused says why the token was of no use.
func (a *Adapter) refused(err error) bridge.Finding {
	var said *callError
	if errors.As(err, &said) && said.status == http.StatusUnauthorized {
		return bridge.Finding{
			Grade: bridge.Problem, Part: platform, Sentence: "Discord does not accept adapters.discord.token",
			Mend: "take a new one from the application's page: Bot, Reset Token",
		}
	}
	return bridge.Finding{
		Grade: bridge.Problem, Part: platform, Sentence: fmt.Sprintf("Discord cannot be reached at %s: %v", a.opt.APIURL, err),
		Mend: "look at this machine's network, its proxy, and adapters.discord.api_url",
	}
}
