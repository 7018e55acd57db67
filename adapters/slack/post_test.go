package slack

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"pgregory.net/rapid"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

// markdown draws texts with everything that can make a message too big.
func markdown() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"---\n", "\n\n", "- item\n", "1. one\n", "> quote\n", "```go\nx := 1\n```\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "# head\n",
			"&&&&&&&&", "<<<<>>>>", "**b** ", "`code` ", "[l](https://e.test/x) ", "@Maria ", "#dev ", "👨‍👩‍👧‍👦", "long " + strings.Repeat("word ", 100),
			strings.Repeat("x", 700), "```\n" + strings.Repeat("line\n", 60) + "```\n",
		}),
		rapid.StringN(0, 30, 60),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 60), func(p []string) string { return strings.Join(p, "") })
}

// Whatever somebody writes, each part fits Slack with all that is added to it.
func TestEveryPartFits(t *testing.T) {
	t.Parallel()
	a := &Adapter{}
	rapid.Check(t, func(t *rapid.T) {
		said := markdown().Draw(t, "text")
		parts := a.Split(said)
		if len(parts) == 0 {
			t.Fatal("no parts")
		}
		for i, part := range parts {
			text, blocks := a.content(bridge.Outgoing{
				Text: part, Persona: strings.Repeat("ä", 80), Question: strings.Repeat("q", 26),
				Buttons:  []bridge.Button{{Label: strings.Repeat("b", 40), Value: strings.Repeat("q", 28)}},
				Mentions: func(string) (bridge.Native, bool) { return bridge.Native{}, false },
			}, true)
			if n := render.UTF16(text); n > format.MaxText+200 {
				t.Errorf("part %d of %d has %d characters", i+1, len(parts), n)
			}
			if len(blocks) > format.MaxBlocks {
				t.Errorf("part %d of %d has %d blocks", i+1, len(parts), len(blocks))
			}
		}
	})
}

func TestShortTextsAreOnePartAsTheyStand(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"", " ", "ok", strings.Repeat("&", shortText), strings.Repeat("---\n", shortLines-1)} {
		if got := split(said); len(got) != 1 || got[0] != said {
			t.Errorf("%q became %q", said, got)
		}
		if docs := render.Split(render.Parse(said, render.Options{}), format.MaxText-margin, format.Length); len(docs) > 1 {
			t.Errorf("%.20q would be %d parts", said, len(docs))
		}
	}
}

func TestHowAPostEnds(t *testing.T) {
	t.Parallel()
	a, err := New(Options{AppToken: "xapp-1", BotToken: "xoxb-1"})
	if err != nil {
		t.Fatal(err)
	}
	said := func(code string) error { return slack.SlackErrorResponse{Err: code} }
	for name, tc := range map[string]struct {
		err     error
		status  int64
		reached bool
		want    bridge.PostErrorKind
		closed  bool
	}{
		"never left":         {errors.New("dial tcp: connection refused"), 0, false, bridge.PostNotSent, false},
		"cut":                {errors.New("unexpected EOF"), 0, true, bridge.PostUnknown, false},
		"too late":           {context.DeadlineExceeded, 0, true, bridge.PostUnknown, false},
		"500":                {slack.StatusCodeError{Code: 500, Status: "500"}, 500, true, bridge.PostUnknown, false},
		"429 without a word": {slack.StatusCodeError{Code: 429, Status: "429"}, 429, true, bridge.PostNotSent, false},
		"ratelimited":        {said("ratelimited"), 200, true, bridge.PostNotSent, false},
		"fatal_error":        {said("fatal_error"), 200, true, bridge.PostUnknown, false},
		"msg_too_long":       {said("msg_too_long"), 200, true, bridge.PostRefused, false},
		"invalid_blocks":     {said("invalid_blocks"), 200, true, bridge.PostRefused, false},
		"not_in_channel":     {said("not_in_channel"), 200, true, bridge.PostRefused, true},
		"is_archived":        {said("is_archived"), 200, true, bridge.PostRefused, true},
		"channel_not_found":  {said("channel_not_found"), 200, true, bridge.PostRefused, true},
		"restricted_action":  {said("restricted_action"), 200, true, bridge.PostRefused, false},
		"what nobody knows":  {said("brand_new_error"), 200, true, bridge.PostRefused, false},
		"token_revoked":      {said("token_revoked"), 200, true, bridge.PostNotSent, false},
	} {
		_, at := watched(t.Context())
		at.reached.Store(tc.reached)
		at.status.Store(tc.status)
		got := a.postError(a.explain("chat.postMessage", tc.err, at))
		if got.Kind != tc.want || got.Closed != tc.closed {
			t.Errorf("%s: %s, closed %v", name, got.Kind, got.Closed)
		}
		if got.Kind == bridge.PostRefused && !strings.Contains(got.Reason, tc.err.Error()) {
			t.Errorf("%s: the writer is told %q", name, got.Reason)
		}
	}
}

// A redirect is not followed: it would carry the token away.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	stolen := make(chan string, 1)
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { stolen <- r.URL.String() }))
	defer thief.Close()
	srv := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer srv.Close()
	a, err := New(Options{AppToken: "xapp-1", BotToken: "xoxb-secret", APIURL: srv.URL + "/api", HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Post(t.Context(), bridge.Outgoing{Place: "C1", Text: "hi", Key: "k"})
	var failed *bridge.PostError
	if !errors.As(err, &failed) || failed.Kind != bridge.PostUnknown || strings.Contains(err.Error(), "secret") {
		t.Errorf("it ends with %v", err)
	}
	select {
	case u := <-stolen:
		t.Errorf("the call went on to %s", u)
	default:
	}
}

func TestBadTokensAreToldApart(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{AppToken: "xoxb-1", BotToken: "xoxb-1"}, {AppToken: "xapp-1", BotToken: "xapp-1"}, {}} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "_token") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
