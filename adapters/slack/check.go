package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"

	"github.com/slack-go/slack"
)

// Check looks at what the tokens are good for. scopes are those that the bot
// needs. It opens no connection and posts nothing.
func (a *Adapter) Check(ctx context.Context, scopes []string) []bridge.Finding {
	me, err := a.identify(ctx)
	if err != nil {
		return []bridge.Finding{a.refused("bot_token", err)}
	}
	found := []bridge.Finding{{Part: platform, Sentence: fmt.Sprintf("the bot token is that of %s in the workspace %s", me.Name, me.Team)}}
	if h, err := a.header(ctx); err == nil {
		if f, ok := bridge.Clock(platform, h, time.Now()); ok {
			found = append(found, f)
		}
		if has := h.Get("X-OAuth-Scopes"); has != "" {
			found = append(found, missing(has, scopes))
		}
	}
	err = a.ask(ctx, "apps.connections.open", func(ctx context.Context) error {
		return a.try(ctx, "apps.connections.open", a.opt.AppToken, nil)
	})
	if err != nil {
		return append(found, a.refused("app_token", err))
	}
	return append(found, bridge.Finding{Part: platform, Sentence: "the app token opens connections (Socket Mode)"})
}

// missing compares the scopes that a token has with those that are needed.
func missing(has string, needs []string) bridge.Finding {
	var all []string
	for _, s := range strings.Split(has, ",") {
		all = append(all, strings.TrimSpace(s))
	}
	var lacks []string
	for _, s := range needs {
		if !slices.Contains(all, s) {
			lacks = append(lacks, s)
		}
	}
	if len(lacks) == 0 {
		return bridge.Finding{Part: platform, Sentence: "the app has every scope that it needs"}
	}
	return bridge.Finding{
		Grade: bridge.Warning, Part: platform, Sentence: "the app lacks the scopes " + strings.Join(lacks, ", "),
		Mend: "add them under OAuth & Permissions, Bot Token Scopes (or paste the manifest: bullpen init slack --manifest), and reinstall the app",
	}
}

// mends say what to do about Slack's own words (reference/methods/auth.test and
// apps.connections.open, errors).
var mends = map[string]string{
	"invalid_auth":           "copy it once more from the app's page",
	"not_authed":             "copy it once more from the app's page",
	"token_revoked":          "reinstall the app and copy the new one",
	"token_expired":          "switch token rotation off, reinstall the app and copy the new one",
	"account_inactive":       "reinstall the app: it was removed, or its workspace is gone",
	"not_allowed_token_type": "the two tokens may stand in each other's place: app_token begins with xapp-, bot_token with xoxb-",
	"missing_scope":          "give the app token the scope connections:write (Basic Information, App-Level Tokens)",
	"forbidden_team":         "the workspace does not let the app in; ask its admins",
}

// refused says why a token was of no use.
func (a *Adapter) refused(key string, err error) bridge.Finding {
	f := bridge.Finding{Grade: bridge.Problem, Part: platform, Sentence: fmt.Sprintf("adapters.slack.%s: %v", key, err)}
	var said *callError
	switch {
	case errors.As(err, &said) && said.code != "":
		f.Mend = mends[said.code]
	case errors.As(err, &said), ctxEnded(err):
		f.Sentence = fmt.Sprintf("Slack cannot be reached at %s: %v", a.opt.APIURL, err)
		f.Mend = "look at this machine's network, its proxy, and adapters.slack.api_url"
	}
	return f
}

func ctxEnded(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// header is what Slack says beside its answer to auth.test.
func (a *Adapter) header(ctx context.Context) (h http.Header, err error) {
	err = a.try(ctx, "auth.test", a.opt.BotToken, func(got http.Header) { h = got })
	return h, err
}

// try calls a method with a token; seen, if not nil, gets the answer's header.
func (a *Adapter) try(ctx context.Context, method, token string, seen func(http.Header)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.opt.APIURL+method, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := a.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	var said slack.SlackResponse
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&said); err != nil {
		return fmt.Errorf("the answer is %s and not Slack's: %w", resp.Status, err)
	}
	if !said.Ok {
		return slack.SlackErrorResponse{Err: said.Error}
	}
	if seen != nil {
		seen(resp.Header)
	}
	return nil
}
